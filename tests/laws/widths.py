"""How much is drawn for a generated conversation: the values at its places, and the `Width`."""

import json
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from .pointers import Json

Strategy = st.SearchStrategy[Any]

FAILED = "Error: the tool call failed."

WORDS = (
    "hi",
    "안녕하세요, 서울 날씨 어때요?",
    "🙂👩‍👩‍👧‍👦",
    "  padded\t",
    "two\nlines",
    "[System message]\nbe kind",
    f"{FAILED}\nno such city",
)
BLANKS = ("", " ", "\n\t", "\u3000")
IDS = ("call_1", "call_2", "call_3", "a.b", "a b", "a_b", "호출", "123456789")
NAMES = ("weather", "get_weather", "get weather", "날씨", "1st")
ODD_ARGUMENTS = (
    "[1]",
    '"text"',
    '{"a": ',
    '{"a": 1}}',
    '{"a": NaN}',
    '{"a": "\\ud83d"}',
    '{"a":1.0,"b":1e2}',
    ' {"b" : 1, "a" : [ ] } ',
    '{"input": "x"}',
)


def words(*choices: Json) -> Strategy:
    """One of some values."""
    return st.sampled_from(choices)


def objects(**members: Strategy) -> Strategy:
    """Objects of these members, all of them there."""
    return st.fixed_dictionaries(members)


letters = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
plain = words(*WORDS[:-1]) | letters.filter(lambda text: bool(text.strip()))
said = plain | words(WORDS[-1])
scalars = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | said
floats = st.floats(allow_nan=False, allow_infinity=False, width=32)
json_values = st.recursive(
    scalars | floats,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(said, inner, max_size=3),
    max_leaves=6,
)
json_objects = st.dictionaries(said, json_values, max_size=3)
arguments = (
    json_objects.map(json.dumps)
    | json_objects.map(lambda made: json.dumps(made, ensure_ascii=False, separators=(",", ":")))
    | words(*ODD_ARGUMENTS)
)

any_text = said | words(*BLANKS, FAILED)
any_id = words(*IDS, "c" * 50)
any_name = words(*NAMES, "get.weather", "n" * 70)
any_arguments = arguments | words("", " ", "null", '{"a": 1, "a": 2}', '{"INVALID_JSON": "x"}')
any_strict = st.booleans()
any_stops = words("END", ["END"], ["a", "b", "c", "d"])
any_effort = words("none", "minimal", "low", "medium", "high", "xhigh")


@dataclass(frozen=True, repr=False)
class Width:
    """What is drawn for a conversation; the defaults are all that there is.

    `pieces` are the texts of which a result may have two, `fates` what may become of a result,
    `texts` how many texts a message of the assistant's holds at most. `late_system` and `orphans`
    say whether system text and results for no call stand on the way, `runs` whether the assistant
    may speak twice in a row, `subsets` whether a choice may be of some tools.
    """

    text: Strategy = any_text
    pieces: Strategy = any_text
    ids: Strategy = any_id
    names: Strategy = any_name
    arguments: Strategy = any_arguments
    fates: tuple[str, ...] = ("straight", "straight", "straight", "missing", "twice", "late")
    steps: int = 3
    late_system: bool = True
    orphans: bool = True
    texts: int = 2
    runs: bool = True
    tools_without_schema: bool = True
    strict: Strategy = any_strict
    subsets: bool = True
    stops: Strategy = any_stops
    efforts: Strategy = any_effort


WIDE = Width()

# Law 2 does not hold yet for what is left out from here on; a row of `not_told_yet` shows each
# cause.
WHOLE = Width(
    text=said | words(FAILED),  # blank text in its four rows
    pieces=plain,  # a failure of two texts
    ids=words(*IDS),  # a long id
    names=words(*NAMES),  # a long name, a name with a dot
    arguments=arguments,  # no arguments, a key twice, arguments that look wrapped
    fates=("straight",),  # a late result; a result twice, another never
    orphans=False,  # an orphan
    texts=1,  # two texts of the assistant's
    runs=False,  # words, then a call
    tools_without_schema=False,  # a tool without schema
    subsets=False,  # a subset of one, a subset at will, a validated subset
    stops=words(["END"], ["a", "b", "c", "d"]),  # one stop sequence
)
UNANSWERED = replace(
    WHOLE,
    fates=("straight", "missing"),
    late_system=False,  # no result before system text
)
TWICE = replace(
    WHOLE,
    fates=("straight", "twice"),
    ids=words("call_1", "call_2", "a_b"),  # two of three results of renamed ids
    late_system=False,  # a result twice before system text
)


def told(width: Width, source: str) -> Width:
    """The width without what is not told of one source only."""
    if source == "anthropic":
        return replace(
            width,
            strict=st.just(True),  # strict switched off
            efforts=words("minimal", "low", "medium", "high", "xhigh"),  # thinking switched off
            names=words("weather", "get weather", "날씨"),  # the name in a choice
        )
    if source == "gemini":
        return replace(width, text=said)  # a failure that says nothing
    return width
