"""The Responses API of OpenAI and of the servers that speak it."""

from toolbridge.adapter import Adapter, Vendor, by_kind
from toolbridge_openai.common import ERROR_WORDS
from toolbridge_openai.responses import messages, parts, request, response, tools
from toolbridge_openai.responses.parts import FORMAT
from toolbridge_openai.responses.rules import PLACES, PROFILES, RULES, SERVERS
from toolbridge_openai.responses.schemas import SCHEMAS

SHAPES = (
    *parts.INPUT_PARTS.by_kind.values(),
    *parts.PIECES.values(),
    parts.BREAKPOINT,
    parts.URL_CITATION,
    parts.OTHER_CITATION,
    *messages.ITEMS.by_kind.values(),
    tools.FUNCTION,
    tools.CUSTOM,
    tools.NAMESPACE,
    tools.HOSTED,
    tools.TOOL_NAME,
    tools.ALLOWED,
    *tools.OUTPUTS.by_kind.values(),
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
    strict_absent="try",
    answer_reasoning=True,
    system_field="text",
    default_choices=frozenset({("auto", True)}),
    paths={"": ("/v1/responses", "/v1/responses")},
    error_words=ERROR_WORDS,
    streams=__name__,
    names_events=True,
    service=Vendor("toolbridge_openai.client", "openai", "openai", "openai", SERVERS),
)
