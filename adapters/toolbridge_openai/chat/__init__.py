"""Chat Completions of OpenAI and of the servers that speak it."""

from toolbridge.adapter import Adapter, Vendor, by_kind
from toolbridge_openai.chat import calls, messages, parts, request, response, tools
from toolbridge_openai.chat.parts import FORMAT
from toolbridge_openai.chat.rules import PLACES, PROFILES, RULES, SERVERS
from toolbridge_openai.chat.schemas import SCHEMAS
from toolbridge_openai.common import ERROR_WORDS

SHAPES = (
    *parts.PARTS.by_kind.values(),
    *calls.CALLS.by_kind.values(),
    *parts.DETAILS.by_kind.values(),
    parts.BREAKPOINT,
    parts.CACHE_CONTROL,
    parts.AUDIO_SOURCE,
    calls.OLD_CALL,
    messages.URL_CITATION,
    messages.SPOKEN,
    messages.SPOKEN_SOURCE,
    messages.MESSAGE,
    messages.TOOL_MESSAGE,
    messages.FUNCTION_MESSAGE,
    tools.FUNCTION,
    tools.CUSTOM,
    tools.OLD_FUNCTION,
    tools.HOSTED,
    *tools.TOOL_NAMES.by_kind.values(),
    tools.ALLOWED,
    tools.OLD_NAME,
    *request.OUTPUTS.by_kind.values(),
    request.REQUEST,
    response.USAGE,
    response.ALTERNATIVE,
    response.RESPONSE,
    *response.ERRORS.by_kind.values(),
)

adapter = Adapter(
    name=FORMAT,
    vendor="openai",
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
    default_choices=frozenset({("auto", True), ("none", False)}),
    paths={"": ("/v1/chat/completions", "/v1/chat/completions")},
    error_words=ERROR_WORDS,
    streams=__name__,
    done_marker=True,
    service=Vendor("toolbridge_openai.client", "openai", "openai", "openai", SERVERS),
)
