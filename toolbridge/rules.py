"""Rules: what a target accepts beyond its shapes, as dated rows with their source.

An adapter has a table of rows. A row sets one rule for the whole format, for a profile (a
server, an API version), or for models whose name matches a pattern; later rows win. Rules act
when another format's value is written, never on what was read in the same format.
"""

from __future__ import annotations

import dataclasses
import fnmatch
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple


class Rule(NamedTuple):
    """One row: rule `name` is `value` for this profile and model, says `source` of `date`.

    `profile` and `model` are shell patterns; a model that is not known matches `*` only.
    """

    name: str
    value: Any
    source: str
    date: str
    profile: str = "*"
    model: str = "*"


@dataclasses.dataclass(frozen=True)
class Rules:
    """The rules in force for one target.

    Words: `id_pattern` and `name_pattern` are regular expressions for a whole id or tool name,
    the lengths are the most characters, with `id_exact` the only number of them.

    Tools: whether the target has `namespaces` and `custom_tools` (free text); `json_text` says
    that arguments are text there, so that broken ones can stand; `subsets` says that a choice
    may name several tools, `validated_choice` that it may ask for strict calls;
    `schema_required` that a function needs a schema.

    History: `first_user`: it begins with the user; `prefill`: it may end with words of the
    assistant's that the model goes on with, and without `prefill_space` not with white space.
    `late_system`: system text in mid conversation stays a `message`, or becomes marked `user`
    text. `results` stand in one `turn` of the user's, in one `message` each, or as `items`;
    with `results_join` what the user says after them stands in the same message. `calls_last`:
    what the assistant says after a call stands before it. `blank_text`, `refusals`: whether
    there are any.

    Thoughts: `foreign_reasoning`: whether the text of another's may be written,
    `kept_reasoning`: that of the same format's where another server wrote it, and
    `reasoning_field` the key for it. `first_call_signature` is a documented placeholder for the
    first call of each step that the vendor did not write; with `own_calls_signed` also for
    those of older models of its own.

    Results: `result_names`: they carry the name of the tool. `structured_results`: they may be
    JSON. `failed_text_only`: with the error flag they hold text only.

    `media` lists as (where, kind, form) what may stand where: in the message of a `user` or
    `assistant` or in a `result`; the kind of medium; `data`, `url`, `id`, `text` or `parts`.
    `media_taken` are the media types of `data` by (where, kind), where not all are taken;
    `media_types` are the forms that must say their media type.

    Answers: `alternatives`: there may be several. `joined_text`: the text of one is one string,
    and citations stand beside it; `text_citations`: they stand on the text. `answer_refusals`:
    there may be refusals in one.

    Settings: `sampling`, `forced_choice`, `adaptive`: whether they may be sent. `output_limit`
    is written where the request names none, under `output_limit_key` if that is another than
    usual. `json_output`: the answer may be asked to be any JSON, without a schema, and with
    `json_word` the history must say JSON then; `schema_output`: it may be asked to fit a
    schema, `output_with_tools`: also where there are tools; `stream_usage`: a stream counts
    tokens only if it is asked to.
    `output_name`: the name of a schema that has none, where one is needed. `cache_marks` is the
    most there may be, None for any number; `cache_control`: they are written in Anthropic's way.

    Thinking: `displays` are the ways to show thoughts that imply the switch. `least_budget` is
    the least budget, None where the model takes none. `no_effort` says how effort none is
    written: as a word, as `disabled` thinking or the nearest to it, `between_tools`, or as a
    `budget` of none. `effort_with_tools`: whether an effort may stand beside functions, must be
    `absent`, or must be `none`.
    """

    id_pattern: str = r"\S+"
    id_length: int = 64
    id_exact: bool = False
    name_pattern: str = r"[a-zA-Z0-9_-]+"
    name_length: int = 64
    namespaces: bool = False
    custom_tools: bool = False
    json_text: bool = False
    subsets: bool = True
    schema_required: bool = False
    validated_choice: bool = False
    first_user: bool = False
    prefill: bool = True
    prefill_space: bool = True
    late_system: Literal["message", "user"] = "message"
    results: Literal["turn", "message", "items"] = "message"
    results_join: bool = False
    calls_last: bool = False
    blank_text: bool = True
    refusals: bool = False
    foreign_reasoning: bool = False
    kept_reasoning: bool = True
    reasoning_field: str | None = None
    first_call_signature: str | None = None
    own_calls_signed: bool = False
    result_names: bool = False
    structured_results: bool = False
    failed_text_only: bool = False
    media: frozenset[tuple[str, str, str]] = frozenset()
    media_taken: Mapping[tuple[str, str], frozenset[str]] = dataclasses.field(default_factory=dict)
    media_types: frozenset[str] = frozenset()
    sampling: bool = True
    forced_choice: bool = True
    alternatives: bool = False
    joined_text: bool = False
    text_citations: bool = False
    answer_refusals: bool = False
    output_limit: int | None = None
    displays: frozenset[str] = frozenset()
    least_budget: int | None = None
    output_limit_key: str | None = None
    json_output: bool = True
    json_word: bool = False
    schema_output: bool = True
    output_with_tools: bool = True
    stream_usage: bool = False
    output_name: str | None = None
    no_effort: Literal["word", "disabled", "between_tools", "budget"] = "word"
    adaptive: bool = True
    effort_with_tools: Literal["any", "absent", "none"] = "any"
    cache_marks: int | None = None
    cache_control: bool = False


RESOLVED_KEPT = 256
_resolved: dict[tuple[int, str | None, str | None], tuple[tuple[Rule, ...], Rules]] = {}


def resolve(rows: tuple[Rule, ...], profile: str | None, model: str | None) -> Rules:
    """The rules for a profile and a model: the defaults, changed by every row that matches.
    Remembered by table, profile and model."""
    key = (id(rows), profile, model)
    known = _resolved.get(key)
    if known is not None and known[0] is rows:
        return known[1]
    if len(_resolved) >= RESOLVED_KEPT:
        _resolved.clear()
    rules = match(rows, profile, model)
    _resolved[key] = (rows, rules)
    return rules


def match(rows: Iterable[Rule], profile: str | None, model: str | None) -> Rules:
    """See `resolve`."""
    chosen = {
        row.name: row.value
        for row in rows
        if fnmatch.fnmatchcase(profile or "", row.profile)
        and fnmatch.fnmatchcase(model or "", row.model)
    }
    return Rules(**chosen)
