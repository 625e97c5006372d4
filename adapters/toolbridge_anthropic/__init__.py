"""The Messages API of Anthropic."""

from toolbridge.adapter import Adapter, Vendor, by_kind
from toolbridge_anthropic import calls, messages, parts, request, response, tools
from toolbridge_anthropic.parts import FORMAT
from toolbridge_anthropic.rules import BETAS, PLACES, PROFILES, RULES, SERVERS
from toolbridge_anthropic.schemas import SCHEMAS

SHAPES = (
    *calls.BLOCKS.by_kind.values(),
    *parts.SOURCES.by_kind.values(),
    parts.CACHE_CONTROL,
    calls.NAMED_TOOL,
    parts.CITATION,
    tools.SPEC,
    tools.HOSTED,
    tools.TOOL_CHOICE,
    messages.MESSAGE,
    request.OUTPUT,
    request.REQUEST,
    response.USAGE,
    response.ANSWER,
    response.ALTERNATIVE,
    response.RESPONSE,
    response.ERROR,
)

adapter = Adapter(
    name=FORMAT,
    vendor="anthropic",
    reads={
        "request": request.read_request,
        "response": response.read_response,
        "error": response.ERRORS.read,
    },
    writes={
        "request": request.write_request,
        "response": response.write_response,
        "error": response.ERRORS.write,
    },
    shapes=by_kind(SHAPES),
    rules=RULES,
    schemas=SCHEMAS,
    places=PLACES,
    profiles=PROFILES,
    merges_turns=True,
    answer_reasoning=True,
    system_field="parts",
    default_choices=frozenset({("auto", True), ("none", False)}),
    paths={"": ("/v1/messages", "/v1/messages")},
    versions={"": "2026-10-21", "2023-06-01": "2023-06-01"},
    betas=BETAS,
    version_header="anthropic-version",
    beta_header="anthropic-beta",
    error_words=response.ERROR_WORDS,
    streams=__name__,
    names_events=True,
    service=Vendor(f"{__name__}.client", "anthropic", "anthropic", "anthropic", SERVERS),
)
