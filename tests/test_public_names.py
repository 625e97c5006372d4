"""The public names: those that there are exist with their signatures, later ones do not."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import pytest

import toolbridge as tb
from toolbridge import errors, parts, request, response, storage, tools
from toolbridge.response import ErrorCategory
from toolbridge.values import Value

EMPTY: Final = inspect.Parameter.empty

RUN_OPTIONS: Final[dict[str, object]] = {
    "tools": (),
    "system": None,
    "output": None,
    "data": None,
    "max_steps": 20,
    "max_parallel": 8,
    "format": None,
}

KEYWORDS: Final[dict[str, dict[str, object]]] = {
    "formats": {},
    "convert": {
        "source": EMPTY,
        "target": EMPTY,
        "kind": "request",
        "model": None,
        "stream": None,
        "on_loss": "collect",
        "ignore": (),
    },
    "read": {},
    "write": {"model": None, "stream": None, "on_loss": "collect", "ignore": ()},
    "to_json": {},
    "from_json": {},
    "tool": {"name": None, "description": None, "schema": None, "strict": None},
    "run": RUN_OPTIONS,
    "arun": RUN_OPTIONS,
    "adapt_tools": {},
    "resume": {"tools": EMPTY, "key": None},
    "aresume": {"tools": EMPTY, "key": None},
}
"""Keyword-only parameters with their defaults; a function may gain others that have defaults."""

POSITIONAL: Final[dict[str, dict[str, object]]] = {
    "formats": {},
    "convert": {"payload": EMPTY},
    "read": {"payload": EMPTY, "format": EMPTY, "kind": "request"},
    "write": {"value": EMPTY, "format": EMPTY},
    "to_json": {"value": EMPTY},
    "from_json": {"text": EMPTY},
    "tool": {"function": None},
    "run": {"model": EMPTY, "messages": EMPTY},
    "arun": {"model": EMPTY, "messages": EMPTY},
    "adapt_tools": {"tools": EMPTY, "format": EMPTY, "strict": False, "source": None},
    "resume": {"run_or_state": EMPTY, "decisions": EMPTY},
    "aresume": {"run_or_state": EMPTY, "decisions": EMPTY},
}

LATER: Final = (
    "cassettes",
    "check",
    "repair",
)
"""Names of later issues: a stub would promise what does not work."""

RECORDS: Final = {"Converted", "Envelope", "FormatInfo", "Loss", "Rule"}
HELPERS: Final = {"AdaptedTools", "thaw"}
OF_THE_LOOP: Final = {
    "Answered",
    "CancelToken",
    "Context",
    "Finished",
    "Model",
    "Progress",
    "Run",
    "Step",
    "Tool",
}
OF_THE_CHECKPOINT: Final = {
    "Approve",
    "AuditLines",
    "AuditRecord",
    "Deny",
    "Edit",
    "From",
    "Gate",
    "Limits",
    "MemoryLedger",
    "Question",
    "RunState",
    "SQLiteLedger",
    "SavedStep",
    "Settled",
    "Untrusted",
    "aresume_stream",
    "resume_stream",
}
OF_STREAMS: Final = {
    "AsyncRunStream",
    "Retries",
    "RunStream",
    "StreamConverter",
    "StreamText",
    "astream",
    "events",
    "stream",
    "stream_reader",
    "stream_writer",
}
MODULE_MACHINERY: Final = {"LAZY", "TYPE_CHECKING"}
"""Names in the module that serve only its own lazy loading."""


def parameters(name: str, *, keyword_only: bool) -> dict[str, object]:
    found = inspect.signature(getattr(tb, name)).parameters.values()
    return {
        each.name: each.default
        for each in found
        if (each.kind is inspect.Parameter.KEYWORD_ONLY) == keyword_only
        and each.kind is not inspect.Parameter.VAR_KEYWORD
    }


@pytest.mark.parametrize("name", POSITIONAL)
def test_a_function_takes_what_the_contract_says(name: str) -> None:
    """Positional parameters exactly; keywords at least, since signatures may gain options."""
    assert parameters(name, keyword_only=False) == POSITIONAL[name]
    keywords = parameters(name, keyword_only=True)
    assert keywords.items() >= KEYWORDS[name].items()
    gained = keywords.keys() - KEYWORDS[name].keys()
    assert all(keywords[each] is not EMPTY for each in gained)


@pytest.mark.parametrize("name", LATER)
def test_no_name_of_a_later_issue_exists(name: str) -> None:
    """Nor does the module's own loading answer for a name that is not there."""
    assert name not in tb.__all__
    with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
        getattr(tb, name)


def names_of(module: ModuleType, base: type) -> set[str]:
    return {
        name
        for name, each in vars(module).items()
        if isinstance(each, type) and issubclass(each, base) and each.__module__ == module.__name__
    }


def values() -> set[str]:
    return set().union(*(names_of(module, Value) for module in (parts, tools, request, response)))


def test_all_is_the_functions_the_values_the_records_and_the_errors() -> None:
    """Every class of the model is public, so that each can be made and matched by hand."""
    records = RECORDS | OF_THE_LOOP | OF_THE_CHECKPOINT | OF_STREAMS | HELPERS
    wanted = values() | names_of(errors, tb.ToolbridgeError) | records | POSITIONAL.keys()
    assert set(tb.__all__) == wanted
    assert len(tb.__all__) == len(set(tb.__all__))


def test_all_is_what_the_module_holds_without_an_underscore() -> None:
    """No name can be found in the module that is neither public nor a submodule."""
    for name in tb.__all__:
        getattr(tb, name)
    found = {
        name
        for name, each in vars(tb).items()
        if not name.startswith("_") and (name in tb.__all__ or not isinstance(each, ModuleType))
    }
    assert found - MODULE_MACHINERY == set(tb.__all__)


def test_the_lazy_names_are_the_functions_of_storage() -> None:
    assert tb.to_json is storage.to_json
    assert tb.from_json is storage.from_json


FIELDS: Final[dict[type, tuple[str, ...]]] = {
    tb.FormatInfo: ("name", "vendor", "profiles"),
    tb.Converted: ("payload", "losses", "envelope"),
    tb.Envelope: ("model", "stream", "path", "version", "betas"),
    tb.Loss: ("code", "path", "effect", "severity", "detail", "target_path"),
    tb.Step: ("response", "results", "losses"),
    tb.AdaptedTools: ("payload", "losses", "offered"),
    tb.Answered: ("response", "losses", "call", "reply", "cancelled"),
    tb.Progress: ("call", "value"),
    tb.Finished: ("call", "result", "error"),
    tb.Approve: ("by",),
    tb.Deny: ("reason", "by"),
    tb.Edit: ("arguments", "by"),
}


@pytest.mark.parametrize("record", FIELDS)
def test_a_record_has_the_fields_of_the_contract(record: Any) -> None:
    assert record._fields == FIELDS[record]


def test_the_formats_are_the_four_with_their_profiles() -> None:
    """The names that the contract gives to formats, servers, versions and model families."""
    found = {info.name: (info.vendor, set(info.profiles)) for info in tb.formats()}
    assert found["anthropic"] == ("anthropic", {"2023-06-01"})
    assert found["openai-chat"][0] == found["openai-responses"][0] == "openai"
    assert found["openai-chat"][1] >= {"azure", "deepseek", "groq", "mistral", "openrouter"}
    assert found["gemini"][0] == "google"
    assert found["gemini"][1] >= {"gemini-3", "vertex"}


ERROR_KINDS: Final[tuple[tuple[ErrorCategory, int], ...]] = (
    ("rate_limited", 429),
    ("overloaded", 529),
    ("timeout", 504),
    ("connection", 500),
    ("authentication", 401),
    ("permission", 403),
    ("not_found", 404),
    ("bad_request", 400),
    ("context_too_long", 400),
    ("content_refused", 400),
    ("server_error", 500),
)
LOSS: Final = tb.Loss("model.unknown", "/model", "dropped", "note", "none is named")
ERRORS: Final = (
    tb.ToolbridgeError("something"),
    tb.WireError("/messages/0", "an object", "a number", "Pass an object"),
    tb.ConversionError("/state", "the history is on the server", "Send the history"),
    tb.LossError((LOSS,)),
    tb.VendorError(tb.ErrorBody(vendor="openai", status=429, message="slow down")),
    tb.UnknownFormatError("no format 'x'"),
    tb.ToolError("no such city: try Seoul"),
    tb.ToolDefinitionError("find: the parameter city has no type"),
    tb.StateError("the signature is not that of this text and key"),
    tb.MissingKeyError("no key for anthropic: set ANTHROPIC_API_KEY"),
    tb.MissingSDKError("anthropic needs the package anthropic"),
    *(
        errors.vendor_error(tb.ErrorBody(category=category, message="no"), status=status)
        for category, status in ERROR_KINDS
    ),
)


def test_there_is_an_example_of_every_error() -> None:
    assert {type(each).__name__ for each in ERRORS} == names_of(errors, tb.ToolbridgeError)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_a_toolbridge_error_and_pickles(error: tb.ToolbridgeError) -> None:
    """Errors cross process borders: worker pools pickle them."""
    assert isinstance(error, tb.ToolbridgeError)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), vars(copy), copy.args) == (str(error), vars(error), error.args)


def test_what_an_error_tells_a_program() -> None:
    _, wire, conversion, loss, vendor, unknown, *_ = ERRORS
    assert isinstance(wire, tb.WireError)
    assert (wire.path, wire.expected, wire.mend) == ("/messages/0", "an object", "Pass an object")
    assert isinstance(conversion, tb.ConversionError) and conversion.path == "/state"
    assert isinstance(loss, tb.LossError) and loss.losses == (LOSS,)
    assert isinstance(vendor, tb.VendorError) and vendor.body.status == 429
    assert isinstance(unknown, ValueError), "a wrong name of a format is a wrong argument"


EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "Author": {"format": "gemini"},
    "Bound": {"value": "sealed"},
    "Citation": {"kind": "url"},
    "HostedTool": {"format": "anthropic", "type": "web_search"},
    "ItemReference": {"id": "item_1"},
    "Json": {"value": {"found": [1, None]}},
    "Media": {"kind": "image", "source": tb.Source(url="https://example.com/a.png")},
    "Message": {"role": "user"},
    "Opaque": {"format": "gemini", "data": {"new": True}},
    "OutputFormat": {"kind": "json"},
    "Refusal": {"text": "no"},
    "Text": {"text": "말"},
    "ToolCall": {"id": "call_1", "name": "find", "arguments": {"word": "a"}},
    "ToolChoice": {"mode": "auto"},
    "ToolListing": {"server": "files", "tools": []},
    "ToolReference": {"name": "find"},
    "ToolResult": {"call_id": "call_1"},
    "ToolSpec": {"name": "find", "parameters": {"type": "object"}},
}
"""The required fields of the classes that have any."""


@pytest.mark.parametrize("name", sorted(values()))
def test_a_value_is_made_by_keyword_and_pickles(name: str) -> None:
    make: Callable[..., Value] = getattr(tb, name)
    value = make(**EXAMPLES.get(name, {}), extra={"later": [1, {"a": None}]})
    copy = pickle.loads(pickle.dumps(value))
    assert type(copy) is type(value)
    assert copy == value
    assert hash(copy) == hash(value)


def test_what_a_run_tells() -> None:
    run = tb.Run(messages=(), steps=(), stop_reason="end")
    assert (run.text, run.output, run.messages, run.usage) == ("", None, (), tb.Usage())
    assert (run.stop_reason, run.steps, run.pending) == ("end", (), ())
    assert pickle.loads(pickle.dumps(run)) == run


def test_what_a_context_tells() -> None:
    cancel = tb.CancelToken()
    context = tb.Context(call_id="call_1", call_key="key", data={"a": 1}, cancel=cancel)
    assert (context.call_id, context.call_key, context.data) == ("call_1", "key", {"a": 1})
    assert (context.cancel.cancelled, context.cancel.wait(0)) == (False, False)
    cancel.cancel()
    assert (context.cancel.cancelled, context.cancel.wait(9)) == (True, True)
    context.progress("nobody listens")
