"""Values and conversions across threads: what is shared is not changed by anybody."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import toolbridge as tb
from bodies import FORMATS, body
from toolbridge.values import Value


def convert_everywhere(_: int) -> list[Any]:
    return [
        tb.convert(PAYLOADS[source], source=source, target=target, model="m")
        for source in FORMATS
        for target in FORMATS
    ]


PAYLOADS: Final = {format: body(format, "request") for format in FORMATS}


def test_many_threads_convert_the_same_payload_alike() -> None:
    """Tables, caches of rules and the memory of spellings are shared by all threads."""
    alone = convert_everywhere(0)
    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(convert_everywhere, range(64)))
    assert all(each == alone for each in together)


def test_many_threads_write_the_same_value_alike() -> None:
    values: dict[str, Value] = {format: tb.read(PAYLOADS[format], format) for format in FORMATS}

    def write(_: int) -> list[Any]:
        return [
            (tb.write(value, target, model="m"), tb.to_json(value), hash(value))
            for value in values.values()
            for target in FORMATS
        ]

    alone = write(0)
    with ThreadPoolExecutor(16) as pool:
        assert all(each == alone for each in pool.map(write, range(32)))
