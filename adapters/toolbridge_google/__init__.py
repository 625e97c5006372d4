"""generateContent of Google, on the Gemini Developer API and on Vertex."""

from toolbridge.adapter import Adapter, Vendor, by_kind
from toolbridge_google import calls, messages, parts, request, response, tools
from toolbridge_google.parts import FORMAT
from toolbridge_google.rules import PATHS, PLACES, PROFILES, RULES, SERVERS
from toolbridge_google.schemas import SCHEMAS

SHAPES = (
    *calls.PARTS.by_kind.values(),
    parts.SOURCE,
    messages.CONTENT,
    messages.SYSTEM,
    tools.DECLARATION,
    tools.OLDER,
    tools.GROUP,
    tools.CHOICE,
    request.REQUEST,
    response.USAGE,
    response.ALTERNATIVE,
    response.RESPONSE,
    response.ERROR,
)

adapter = Adapter(
    name=FORMAT,
    vendor="google",
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
    names_results=True,
    answer_reasoning=True,
    system_field="parts",
    outside_body=frozenset({"model", "stream"}),
    paths=PATHS,
    error_words=response.ERROR_WORDS,
    streams=__name__,
    service=Vendor(f"{__name__}.client", "google.genai", "google-genai", "google", SERVERS),
)
