"""Counting: which losses cover which differences, and which losses are one too many."""

from dataclasses import dataclass

import pytest

from .coverage import Coverage, count
from .handmade import Loss
from .pointers import Json
from .severity import misplaced_notes
from .spelling import Kind, one_spelling


@dataclass(frozen=True)
class Case:
    """Two Anthropic requests, the losses between them, and what counting says."""

    name: str
    source: Json
    returned: Json
    losses: tuple[Loss, ...] = ()
    missing: tuple[str, ...] = ()
    spurious: tuple[str, ...] = ()


def counted(case: Case, *reversible: str) -> Coverage:
    source = one_spelling(case.source, "anthropic", "request")
    returned = one_spelling(case.returned, "anthropic", "request")
    return count(source, returned, case.losses, reversible)


def message(*content: Json, role: str = "user") -> Json:
    return {"role": role, "content": list(content)}


def chat(*messages: Json) -> Json:
    return {"messages": list(messages)}


def say(value: str) -> dict[str, Json]:
    return {"type": "text", "text": value}


A, B, C = say("a"), say("b"), say("c")
MARKED: Json = {**A, "cache_control": {"type": "ephemeral", "ttl": "1h"}}
IMAGE: Json = {"type": "image", "source": {"type": "url", "url": "u"}, "title": "t"}
CONTENT = "/messages/0/content"
THINK: Json = {"type": "thinking", "thinking": "x", "signature": "y"}

CASES = (
    Case("nothing differs", chat(message(A)), chat(message(A))),
    # a source leaf
    Case("leaf without loss", {"top_k": 1}, {}, (), ("/top_k",)),
    Case("leaf at its path", {"top_k": 1}, {}, (Loss("/top_k"),)),
    Case("changed leaf", {"top_k": 1}, {"top_k": 2}, (Loss("/top_k", "approximated"),)),
    Case("changed leaf without loss", {"top_k": 1}, {"top_k": 2}, (), ("/top_k",)),
    Case("loss at a sibling", {"top_k": 1, "top_p": 1}, {"top_p": 1},
         (Loss("/top_p"),), ("/top_k",), ("/top_p",)),
    Case("loss at an ancestor that went", chat(message(A, MARKED)), chat(message(A, A)),
         (Loss(f"{CONTENT}/1/cache_control"),)),
    Case("loss at an ancestor of which a leaf came back", chat(message(A, MARKED)),
         chat(message(A, A)), (Loss(f"{CONTENT}/1"),),
         (f"{CONTENT}/1/cache_control/type", f"{CONTENT}/1/cache_control/ttl")),
    Case("one loss for a whole element", chat(message(A, IMAGE)), chat(message(A)),
         (Loss(f"{CONTENT}/1"),)),
    Case("the root covers nothing that came back", {"a": 1, "b": 1}, {"b": 1},
         (Loss(""),), ("/a",)),
    Case("loss below the element", chat(message(A, MARKED)), chat(message(A)),
         (Loss(f"{CONTENT}/1/cache_control"),), (f"{CONTENT}/1/type", f"{CONTENT}/1/text")),
    # spelling and paths
    Case("loss at a string", {"system": "a"}, {"system": [B]}, (Loss("/system"),)),
    Case("no loss inside a string", {"system": "a"}, {"system": [B]},
         (Loss("/system/0/text"),), ("/system",), ("/system/0/text",)),
    Case("second of two merged turns", chat(message(A), message(B)), chat(message(A)),
         (Loss("/messages/1"),)),
    Case("first of two merged turns", chat(message(A), message(B)), chat(message(B)),
         (Loss("/messages/0"),)),
    Case("both of two merged turns", chat(message(A), message(B)), chat(),
         (Loss("/messages/0"), Loss("/messages/1"))),
    Case("both of two merged turns, one loss", chat(message(A), message(B)), chat(),
         (Loss("/messages/1"),), ("/messages/0/role", "/messages/0/content/0/type",
                                  "/messages/0/content/0/text")),
    Case("a default that went", {"stream": False, "a": 1}, {"a": 1}),
    Case("a loss for a default that went", {"stream": False, "a": 1}, {"a": 1},
         (Loss("/stream"),), (), ("/stream",)),
    Case("a default that changed", {"stream": False, "a": 1}, {"stream": True, "a": 1}, (),
         ("/stream",)),
    # an added leaf
    Case("added without loss", {}, {"max_tokens": 1}, (), ("", "")),
    Case("added", {"a": 1}, {"a": 1, "max_tokens": 1}, (Loss("", "invented"),)),
    Case("added, but the loss says dropped", {"a": 1}, {"a": 1, "max_tokens": 1},
         (Loss("", "dropped"),), ("",)),
    Case("added subtree", {"a": 1}, {"a": 1, "b": {"c": 1, "d": [1, 2]}},
         (Loss("", "invented"),)),
    Case("two added, one loss", {"a": 1}, {"a": 1, "b": 1, "c": 1},
         (Loss("", "invented"),), ("",)),
    Case("two added, two losses", {"a": 1}, {"a": 1, "b": 1, "c": 1},
         (Loss("", "invented"), Loss("", "moved"))),
    Case("added element", chat(message(A)), chat(message(A, B)), (Loss(CONTENT, "invented"),)),
    Case("added beside a string", chat({"role": "user", "content": "a"}), chat(message(A, B)),
         (Loss(CONTENT, "invented"),)),
    Case("added, loss one too high", chat(message(A)), chat(message(A, B)),
         (Loss("/messages/0", "invented"),), (CONTENT, CONTENT)),
    Case("added key of a shifted element", chat(message(B, A)), chat(message(MARKED)),
         (Loss(f"{CONTENT}/0"), Loss(f"{CONTENT}/1", "invented"))),
    Case("added to the second of merged turns", chat(message(A), message(B)),
         chat(message(A, B, C)), (Loss("/messages/1/content", "invented"),)),
    Case("leaf that became an object", {"a": 1}, {"a": {"b": 1}}, (Loss("/a", "approximated"),)),
    Case("leaf that became an object, dropped", {"a": 1}, {"a": {"b": 1}}, (Loss("/a"),), ("/a",)),
    Case("block of one kind for another", chat(message(A, IMAGE)), chat(message(A, B)),
         (Loss(f"{CONTENT}/1", "approximated"),)),
    # a moved element
    Case("moved, one loss", chat(message(THINK, A, B)), chat(message(A, B, THINK)),
         (Loss(f"{CONTENT}/0", "moved"),), (CONTENT,) * 3),
    Case("moved, both losses", chat(message(THINK, A, B)), chat(message(A, B, THINK)),
         (Loss(f"{CONTENT}/0", "moved"), Loss(CONTENT, "moved"))),
    # spurious
    Case("loss without difference", chat(message(A)), chat(message(A)),
         (Loss(f"{CONTENT}/0"),), (), (f"{CONTENT}/0",)),
    Case("invented, but it did not come back", {"a": 1}, {"a": 1}, (Loss("", "invented"),),
         (), ("",)),
    Case("path that the source lacks", {"a": 1}, {"a": 1}, (Loss("/b"),), (), ("/b",)),
    Case("reversible", {"a": 1}, {"a": 1}, (Loss("/a", code="id.renamed"),)),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_counting(case: Case) -> None:
    coverage = counted(case, "id.renamed")
    assert [missing.path for missing in coverage.missing] == list(case.missing)
    assert [spurious.loss.path for spurious in coverage.spurious] == list(case.spurious)


def test_the_reason_names_where_a_moved_element_stood() -> None:
    case = Case("", chat(message(THINK, A, B)), chat(message(A, B, THINK)))
    assert [missing.why for missing in counted(case).missing][-1] == (
        f"added at '{CONTENT}/2' of the result, as it stood at '{CONTENT}/0' in the source"
    )


def test_the_share_counts_source_leaves_without_defaults() -> None:
    case = Case("", {"stream": False, "a": 1, "b": {"c": [1, 2]}}, {"a": 1, "b": {"c": [1]}})
    coverage = counted(case)
    assert (coverage.carried, coverage.total) == (2, 3)
    assert coverage.share == pytest.approx(2 / 3)


def note(path: str, effect: str = "dropped", target_path: str | None = None) -> Loss:
    return Loss(path, effect, severity="note", target_path=target_path)


NOTES_IN_PLACE = (
    note("/model", "moved"),
    note("/messages/1/content/0/id", "approximated"),
    note("/tools/0/name", "approximated"),
    note("/container/id"),
    note("", "invented", "/messages/3/tool_calls/0/id"),
    note("", "approximated", "/model"),
)
NOTES_OUT_OF_PLACE = (
    note("/messages/1/content/0/text"),
    note("/messages/1"),
    note("/tools/0/input_schema/properties/id"),
    note("/messages/0/content/0/source/file_id"),
    note("", "invented", "/messages/3/content"),
    note("/model/x", "invented"),
    note("/max_tokens"),
)


def misplaced(source: str, kind: Kind, body: Json, target: str, *losses: Loss) -> tuple[Loss, ...]:
    return misplaced_notes(losses, one_spelling(body, source, kind), target)


def test_notes_in_place() -> None:
    assert misplaced("anthropic", "request", {}, "openai-chat", *NOTES_IN_PLACE) == ()


def test_notes_out_of_place() -> None:
    losses = (*NOTES_OUT_OF_PLACE, Loss("/temperature"))
    body: Json = {"max_tokens": 5}
    found = misplaced("anthropic:2023-06-01", "request", body, "openai-chat", *losses)
    assert found == NOTES_OUT_OF_PLACE


def test_a_required_default_may_be_invented_with_a_note() -> None:
    invented = note("", "invented", "/max_tokens")
    assert misplaced("openai-chat", "request", {}, "anthropic", invented) == ()


def test_a_required_default_may_go_with_a_note_but_no_other_value() -> None:
    said: Json = {"type": "output_text", "text": "a", "annotations": []}
    cited: Json = {"type": "output_text", "text": "a", "annotations": [{"type": "url_citation"}]}
    body: Json = {"output": [{"content": [said, cited]}], "status": "incomplete"}
    notes = [note(f"/output/0/content/{index}/annotations") for index in (0, 1)]
    found = misplaced("openai-responses", "response", body, "gemini", *notes, note("/status"))
    assert found == (notes[1], note("/status"))


def test_a_response_repeats_settings() -> None:
    notes = (note("/temperature"), note("/tools/0/parameters/type"), note("/text/format/type"))
    assert misplaced("openai-responses", "response", {}, "anthropic", *notes) == ()
    assert misplaced("openai-responses", "request", {}, "anthropic", *notes) == notes


def test_gemini_notes_in_either_case() -> None:
    notes = (note("/usage_metadata/totalTokenCount"), note("/responseId"))
    assert misplaced("gemini", "response", {}, "openai-chat", *notes) == ()
