"""The cassettes, and the one configuration of vcrpy with which they are read and played.

A request must meet its cassette in method, path and JSON body; whatever differs is an error that
shows the difference. Nothing is ever recorded, and no key is kept.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from toolbridge.errors import ToolbridgeError

IN_WHEEL: Final = Path(__file__).parent / "cassettes"
IN_CHECKOUT: Final = Path(__file__).parents[2] / "cassettes"
"""The wheel carries the cassettes inside the package, a checkout at its top."""

KEY: Final = "no-key-needed"
"""What stands for a key: an SDK wants one, a cassette asks for none."""

MATCHED: Final = ("method", "path", "json")
KEY_HEADERS: Final = ("authorization", "x-api-key", "x-goog-api-key")


class UnplayedError(ToolbridgeError):
    """The conversation ended before its cassette."""


def folder() -> Path:
    """Where the cassettes are."""
    return IN_WHEEL if IN_WHEEL.is_dir() else IN_CHECKOUT


def path_of(conversation: str, format: str) -> Path:
    """The cassette of a conversation in a format."""
    return folder() / conversation / f"{format}.yaml"


class ReadableYaml:
    """Cassettes as YAML that people read: text of several lines stands as it is, in UTF-8."""

    @staticmethod
    def serialize(content: Any) -> str:
        """The YAML of a cassette."""
        import yaml

        class Dumper(yaml.SafeDumper):
            """With text of several lines as blocks."""

        def block(dumper: Any, text: str) -> Any:
            style = "|" if "\n" in text else None
            return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

        Dumper.add_representer(str, block)
        return yaml.dump(content, Dumper=Dumper, allow_unicode=True, sort_keys=False, width=1000)

    @staticmethod
    def deserialize(text: str) -> Any:
        """The cassette of a YAML."""
        import yaml

        return yaml.safe_load(text)


class Utf8Files:
    """Cassettes as files of UTF-8: vcrpy's own persister reads them by the locale's encoding."""

    @staticmethod
    def load_cassette(path: Any, serializer: Any) -> Any:
        """The interactions of a file."""
        text = Path(path).read_text(encoding="utf-8")
        return import_module("vcr.serialize").deserialize(text, serializer)

    @staticmethod
    def save_cassette(path: Any, content: Any, serializer: Any) -> None:
        """Nothing is recorded."""
        raise NotImplementedError(f"{path}: cassettes are written by hand")


def same_json(live: Any, stored: Any) -> None:
    """The matcher of bodies: equal as JSON, key order aside. Raises AssertionError with what
    differs in letters that people read, where vcrpy's own shows escapes for Google's SDK."""
    wanted, asked = (
        json.dumps(json.loads(each.body), ensure_ascii=False, indent=1, sort_keys=True).splitlines()
        for each in (stored, live)
    )
    if asked != wanted:
        lines = difflib.unified_diff(wanted, asked, "cassette", "request", lineterm="")
        raise AssertionError("\n".join(lines))


def player(matched: tuple[str, ...] = MATCHED) -> Any:
    """vcrpy, configured: `record_mode` none makes any request that is not there an error."""
    made = import_module("vcr").VCR(
        serializer="readable",
        record_mode="none",
        match_on=matched,
        filter_headers=KEY_HEADERS,
    )
    made.register_serializer("readable", ReadableYaml)
    made.register_matcher("json", same_json)
    made.register_persister(Utf8Files)
    return made


@contextmanager
def playing(conversation: str, format: str) -> Generator[Any, None, None]:
    """Play a cassette to whatever SDK asks meanwhile; all of it must be asked for.

    vcrpy patches the HTTP library for the whole process: one cassette at a time.
    """
    path = path_of(conversation, format)
    with player().use_cassette(path) as cassette:
        yield cassette
    if not cassette.all_played:
        asked = cassette.play_count
        raise UnplayedError(f"{path.name}: {asked} of {len(cassette)} requests were made")
