"""Other libraries that convert between vendors' formats, where they are installed.

They bring their own versions of the vendors' SDKs, so that they belong into an environment of
their own:

    python -m venv peers && peers/bin/pip install litellm llm-rosetta any-llm-sdk
    PYTHONPATH=.:adapters peers/bin/python benchmarks/run.py

What is measured is what each of them does to a request before it is sent and to a stream as it
arrives, called as its own code calls it; all begin at parsed JSON. None of the three reports
what it loses.
"""

from __future__ import annotations

import copy
import importlib
import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

import toolbridge as tb
from measure import Row, ratio, side_by_side
from stream_events import Event, call_stream, text_stream
from toolbridge.streams.convert import StreamConverter

Run = Callable[[Any], object]
PACKAGES: Final = {"litellm": "litellm", "llm_rosetta": "llm-rosetta", "any_llm": "any-llm-sdk"}
MODEL: Final = "claude-opus-4-1"


def tables(text: str, rounds: int) -> Iterator[tuple[str, list[Row]]]:
    """Title and rows of each table."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # it would ask GitHub otherwise
    found = {name: package for name, package in PACKAGES.items() if find_spec(name) is not None}
    missing = [package for name, package in PACKAGES.items() if name not in found]
    if missing:
        yield f"Not installed here, and not measured: {', '.join(missing)}", [("see peers.py",)]
    if not found:
        return
    title = f"{', '.join(f'{package} {version(package)}' for package in found.values())}"
    body = json.loads(text) | {"model": MODEL}
    measured = {
        "the conversation to anthropic": (REQUESTS, body, 30),
        "the conversation to gemini": (TO_GEMINI, body, 30),
        "5000 deltas of text to anthropic": (STREAMS, text_stream("openai-chat", 5000), 1),
        "41000 bytes of arguments to anthropic": (STREAMS, call_stream("openai-chat", 41_000), 1),
    }
    rows: list[Row] = []
    for name, (makers, given, loops) in measured.items():
        runs = {"toolbridge": makers["toolbridge"](), **opened(makers, found)}
        things = {each: partial(run, given) for each, run in runs.items()}
        times = side_by_side(things, dict.fromkeys(things, loops), rounds)
        others = (each for each in times if each != "toolbridge")
        rows.append(
            (name, *(f"{each}: {ratio(times[each], times['toolbridge'])}" for each in others))
        )
    yield f"Out of Chat Completions, in times of toolbridge: {title}", rows


def opened(makers: dict[str, Callable[[], Run]], found: dict[str, str]) -> dict[str, Run]:
    """Those of the libraries that are there and can do it."""
    return {PACKAGES[name]: makers[name]() for name in found if name in makers}


def ours(target: str) -> Run:
    """A request through toolbridge."""
    return lambda body: tb.convert(copy.deepcopy(body), source="openai-chat", target=target)


def our_stream() -> Run:
    """A stream through toolbridge."""

    def run(events: list[Event]) -> object:
        converter = StreamConverter("openai-chat", "anthropic")
        return [data for event in events for data in converter.feed(event)] + converter.end()

    return run


def litellm() -> Run:
    """A request through litellm, as `litellm.completion` prepares it."""
    config = load("litellm.llms.anthropic.chat.transformation").AnthropicConfig()
    options = load("litellm.utils").get_optional_params

    def run(body: Event) -> object:
        given = copy.deepcopy(body)
        model, messages = given.pop("model"), given.pop("messages")
        made = options(model=model, custom_llm_provider="anthropic", messages=messages, **given)
        return config.transform_request(
            model=model, messages=messages, optional_params=made, litellm_params={}, headers={}
        )

    return run


def litellm_stream() -> Run:
    """A stream through litellm, as its proxy answers `/v1/messages`."""
    wrapper = load("litellm.llms.anthropic.messages.adapters.streaming_iterator")
    chunk = load("litellm.types.utils").ModelResponseStream

    def run(events: list[Event]) -> object:
        return list(wrapper.AnthropicStreamWrapper((chunk(**each) for each in events), MODEL))

    return run


def rosetta(target: str) -> Run:
    """A request through llm-rosetta, as its gateway converts it: a pipeline is for one."""
    pipeline = load("llm_rosetta.pipeline").ConversionPipeline
    return lambda body: pipeline("openai_chat", target).convert_request(copy.deepcopy(body))


def rosetta_stream() -> Run:
    """A stream through llm-rosetta: a client of Anthropic's format, a server of the other."""
    pipeline = load("llm_rosetta.pipeline").ConversionPipeline("anthropic", "openai_chat")
    asked = {"role": "user", "content": "hi"}
    pipeline.convert_request({"model": MODEL, "max_tokens": 9, "stream": True, "messages": [asked]})

    def run(events: list[Event]) -> object:
        process = pipeline.create_stream_processor().process_chunk
        return [data for event in events for data in process(copy.copy(event))]

    return run


def any_llm() -> Run:
    """A request through any-llm, as its Anthropic provider prepares it."""
    convert = load("any_llm.providers.anthropic.utils")._convert_params
    params = load("any_llm.types.completion").CompletionParams

    def run(body: Event) -> object:
        given = copy.deepcopy(body)
        return convert(params(model_id=given.pop("model"), **given), provider_name="anthropic")

    return run


def any_llm_stream() -> Run:
    """A stream through any-llm, as its `messages` answers from another vendor."""
    compat = load("any_llm.utils.messages_compat")
    chunk = load("any_llm.types.completion").ChatCompletionChunk

    def run(events: list[Event]) -> object:
        state = compat.StreamingState()
        take = compat.chat_completion_chunk_to_message_stream_events
        return [data for each in events for data in take(chunk.model_validate(each), state)]

    return run


def load(name: str) -> Any:
    """A module of a library that may not be there."""
    return importlib.import_module(name)


REQUESTS: Final[dict[str, Callable[[], Run]]] = {
    "toolbridge": partial(ours, "anthropic"),
    "litellm": litellm,
    "llm_rosetta": partial(rosetta, "anthropic"),
    "any_llm": any_llm,
}
TO_GEMINI: Final[dict[str, Callable[[], Run]]] = {
    "toolbridge": partial(ours, "gemini"),
    "llm_rosetta": partial(rosetta, "google"),
}
STREAMS: Final[dict[str, Callable[[], Run]]] = {
    "toolbridge": our_stream,
    "litellm": litellm_stream,
    "llm_rosetta": rosetta_stream,
    "any_llm": any_llm_stream,
}
