"""The audit: no secret in it, all else as it was, one line a record."""

from __future__ import annotations

import json
import os
import re
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbridge as tb
from toolbridge.checkpoint.audit import (
    AuditLines,
    AuditRecord,
    masked,
    masked_changes,
    result_size,
    time_of,
)
from toolbridge.checkpoint.secrets_of import MASK, SHAPES, is_card, is_secret_name, masked_text

BASE64: Final = "abcDEF123_-ghiJKL456mnoPQR789stuVWX0yz" * 3
CARD: Final = "4111111111111111"

SAMPLES: Final = {
    "private key": f"-----BEGIN RSA PRIVATE KEY-----\n{BASE64}\n{BASE64}\n"
    "-----END RSA PRIVATE KEY-----",
    "header": "hunter2 and more",
    "password in a URL": "hunter2",
    "Anthropic": f"sk-ant-api03-{BASE64[:93]}AA",
    "OpenAI": f"sk-proj-{BASE64[:58]}T3BlbkFJ{BASE64[:58]}",
    "Google": f"AIza{BASE64[:35]}",
    "Gemini": f"AQ.Ab8{BASE64[:47]}",
    "GitHub": "ghp_" + "aB3" * 12,
    "GitLab": "glpat-aB3dE5gH7jK9mN1pQ3sT",
    "Slack": "xoxb-781236542736-2364535789652-GkwFDQoHqzXDVsC6GzqYUypD",
    "AWS": "AKIALALEMEL33243OLIB",
    "npm": "npm_" + "aB3" * 12,
    "Hugging Face": "hf_" + "aBc" * 12,
    "Stripe": "sk_live_" + "aB3" * 8,
    "JSON Web Token": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{BASE64[:43]}",
    "bearer": "mF_9.B5f-4.1JqM",
}
"""A secret of each shape; the sources of the shapes have such samples."""

FURTHER: Final = (
    f"sk-ant-oat01-{BASE64[:60]}",
    "sk-" + "aB3" * 16,
    "sk-or-v1-" + "0a" * 32,
    "github_pat_" + "aB3_" * 20,
    "ghs_" + "aB3" * 12,
    "xoxp-41684372915-1320496754-45609968301-e708ba56e1517a99f6b5fb07349476ef",
    "xapp-1-A052FGTS2DL-5171572773297-610b6a11f4b7eb819e87b767d80e6575",
    "ASIALALEMEL33243OLIB",
    "rk_test_" + "aB3" * 8,
    "4111 1111 1111 1111",
    "5555-5555-5555-4444",
    "378282246310005",
    "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
)
PLACED: Final = {"header", "password in a URL", "bearer"}
"""Shapes by what stands before them."""

PLANTED: Final = st.sampled_from(
    [CARD, *FURTHER, *(sample for name, sample in SAMPLES.items() if name not in PLACED)]
)


def record(**fields: Any) -> AuditRecord:
    whole: dict[str, Any] = {
        "time": "2026-11-30T12:00:00.000Z",
        "run_id": "run_1",
        "step": 1,
        "call_id": "call_1",
        "call_key": "key_1",
        "tool": "pay",
        "outcome": "ok",
    }
    return AuditRecord(**(whole | fields))


# by shape


def test_every_shape_has_a_sample_and_a_source() -> None:
    assert [shape.name for shape in SHAPES] == list(SAMPLES)
    assert all(shape.source.startswith("https://") for shape in SHAPES)


AROUND: Final = ["{}", "the key is {}.", 'KEY="{}"', "a,{},b", "({})", "{}\n", "키{}키", "x={}&y=1"]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in PLACED])
def test_a_secret_is_masked_wherever_it_stands_in_a_text(name: str, around: str) -> None:
    """And what stands around it stays."""
    shown = masked_text(around.format(SAMPLES[name]))
    assert SAMPLES[name] not in shown
    assert SAMPLES[name][-8:] not in shown
    assert MASK in shown


@pytest.mark.parametrize("secret", [CARD, *FURTHER])
def test_further_forms_of_the_shapes(secret: str) -> None:
    assert masked_text(f"pay with {secret}") == f"pay with {MASK}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Basic dXNlcjpwYXNz", f"Authorization: {MASK}"),
        ("Authorization: Bearer abc", f"Authorization: {MASK}"),
        ("curl -H 'Cookie: a=1; b=2' url", f"curl -H 'Cookie: {MASK}' url"),
        ("send bearer mF_9.B5f-4.1JqM now", f"send bearer {MASK} now"),
        ("postgres://bob:p@ss@db/shop", f"postgres://bob:{MASK}@db/shop"),
        ("https://x.org/?a=1&api_key=k1&b=2", f"https://x.org/?a=1&api_key={MASK}&b=2"),
        ("mysql --password hunter2 shop", f"mysql --password {MASK} shop"),
        ("mysql --password=hunter2 shop", f"mysql --password={MASK} shop"),
        ('cmd="mysql --password=hunter2"', f'cmd="mysql --password={MASK}"'),
        ('{"password": "hun', f'{{"password": "{MASK}'),
        ('{"password": "a\\"b", "user": "bob"}', f'{{"password": "{MASK}", "user": "bob"}}'),
        ('{\\"password\\": \\"abc\\", 1', f'{{\\"password\\": \\"{MASK}\\", 1'),
        ("Server=x;Password=hunter2;User=bob", f"Server=x;Password={MASK};User=bob"),
        ("password => hunter2", f"password => {MASK}"),
        ('{"a": "b\\npassword=x', f'{{"a": "b\\npassword={MASK}'),
        (f'{{"a": "b\\u00e9{CARD}', f'{{"a": "b\\u00e9{MASK}'),
        (f'{{"a": "b\\nsk-{"aB3" * 16}', f'{{"a": "b\\n{MASK}'),
    ],
)
def test_what_stands_after_its_name_in_a_text(text: str, shown: str) -> None:
    """Free text, command lines, and JSON of the model's that was cut in the middle."""
    assert masked_text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the bearer certificates of the bank",
        "risk-assessment-of-2026-for-the-board",
        "sk-learn and sk-image",
        "global-warming-and-the-economy-of-2026",
        "max_tokens=100 token_count: 5",
        'requires_password=true "secret": false',
        "https://example.com:8080/a@b",
        "order 1234567890123456, invoice 4111111111111112",
        "0.4111111111111111",
        "tel. +82 2 1234 5678",
        "-----BEGIN CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----",
        "eyJust a name.py",
        "550e8400-e29b-41d4-a716-446655440000",
        MASK,
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert masked_text(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2024 4111 1111 1111 1111", f"2024 {MASK}"),
        ("4111 1111 1111 1111 12/27", f"{MASK} 12/27"),
        (f"{CARD}-{CARD}", f"{MASK}-{MASK}"),
        (f"1{CARD}", f"1{CARD}"),
    ],
)
def test_a_card_among_other_digits(text: str, shown: str) -> None:
    """By groups: a longer number that holds the digits of a card is another number."""
    assert masked_text(text) == shown


@pytest.mark.parametrize(
    ("digits", "card"),
    [
        (CARD, True),
        ("4222222222222", True),
        ("6011000990139424", True),
        ("2223003122003222", True),
        ("4111111111111112", False),
        ("411111111111", False),
        ("0000000000000000", False),
        ("1764547200000", False),
    ],
)
def test_a_card_has_a_length_an_issuer_and_a_check_digit(digits: str, card: bool) -> None:
    """Test numbers of Visa, Discover and Mastercard; not zeros, nor a time in milliseconds."""
    assert is_card(digits) is card


def test_masking_takes_time_in_proportion_to_the_text() -> None:
    """The model writes the arguments: none of these may hold up the loop. A pattern with two ways
    to match would take minutes for each."""
    size = 100_000
    pieces = ["a", "1 ", "eyJ", "sk-", "a=", "://", "password=", '\\"', "bearer ", "-----BEGIN "]
    began = time.perf_counter()
    for piece in pieces:
        masked_text(piece * (size // len(piece)))
    assert time.perf_counter() - began < 20


# by name


TELLING: Final = """
password Password PASSWORD passwd user_password newPassword password_confirmation password2 pwd
apiKey api_key API_KEY apikey x-api-key X-API-Key APIKey openai_api_key apiKeyValue secret token
client_secret clientSecret access_token accessToken githubToken password_reset_token id_token
access_tokens authorization Authorization authorization_header cookie Set-Cookie cookies auth
private_key privateKeyPem access_key secret_access_key aws.secretAccessKey credentials bearer
connection_string session_id passphrase otp pin cvv cvc card_number cardNumber credit_card jwt
security_code pin_code pass 비밀_password
"""
SILENT: Final = """
token_count max_tokens maxTokens tokens total_tokens token_type token_url tokenizer user card
password_policy password_file secret_name secretary key sort_key primary_key public_key call_key
keyboard author authority authorized pinned pin_message map_pin gpio_pin boarding_pass passenger
compass page_token nextPageToken next_token cookie_consent card_id city session access_key_id
description 값 _ 2
"""


@pytest.mark.parametrize("name", TELLING.split())
def test_a_name_that_says_secret(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["", *SILENT.split()])
def test_a_name_that_does_not(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize("value", ["hunter2", 1234, 0, 1.5, ["a"], {"a": "b"}])
def test_whatever_stands_under_the_name_of_a_secret_is_masked(value: Any) -> None:
    given = {"user": "bob", "login": [{"password": value}]}
    assert masked(given) == {"user": "bob", "login": [{"password": MASK}]}


@pytest.mark.parametrize("value", [None, True, False, "", [], {}])
def test_what_cannot_be_a_secret_stays_under_its_name(value: Any) -> None:
    """That no password was given is what an auditor wants to see."""
    assert masked({"password": value}) == {"password": value}


def test_the_arguments_are_not_changed() -> None:
    given = {"password": "a", "list": [{"token": "b"}]}
    masked(given)
    assert given == {"password": "a", "list": [{"token": "b"}]}


# by schema

HIDDEN: Final = {"type": "string", "writeOnly": True}
IN_SCHEMA: Final[dict[str, tuple[Any, Any, Any]]] = {
    "format": ({"properties": {"a": {"format": "password"}}}, {"a": "x"}, {"a": MASK}),
    "write only": ({"properties": {"a": HIDDEN, "b": {}}}, {"a": "x", "b": "x"}, {"a": MASK}),
    "false": ({"properties": {"a": {"writeOnly": False}}}, {"a": "x"}, {"a": "x"}),
    "flag": ({"properties": {"a": {"writeOnly": True}}}, {"a": True}, {"a": MASK}),
    "null": ({"properties": {"a": HIDDEN}}, {"a": None}, {"a": None}),
    "whole": ({"writeOnly": True}, {"a": "x"}, MASK),
    "items": ({"properties": {"a": {"items": HIDDEN}}}, {"a": ["x", "y"]}, {"a": [MASK, MASK]}),
    "prefix": (
        {"properties": {"a": {"prefixItems": [{}, HIDDEN], "items": {}}}},
        {"a": ["x", "y", "z"]},
        {"a": ["x", MASK, "z"]},
    ),
    "older tuple": (
        {"properties": {"a": {"items": [HIDDEN], "additionalItems": {}}}},
        {"a": ["x", "y"]},
        {"a": [MASK, "y"]},
    ),
    "nullable": (
        {"properties": {"a": {"anyOf": [HIDDEN, {"type": "null"}]}}},
        {"a": "x"},
        {"a": MASK},
    ),
    "reference": (
        {"properties": {"a": {"$ref": "#/$defs/a~1b%20c"}}, "$defs": {"a/b c": HIDDEN}},
        {"a": "x"},
        {"a": MASK},
    ),
    "reference to nothing": ({"properties": {"a": {"$ref": "#/$defs/n"}}}, {"a": "x"}, {"a": "x"}),
    "branch": ({"if": {}, "then": {"properties": {"a": HIDDEN}}}, {"a": "x"}, {"a": MASK}),
    "all": ({"allOf": [{"oneOf": [{"properties": {"a": HIDDEN}}]}]}, {"a": "x"}, {"a": MASK}),
    "pattern": ({"patternProperties": {"^a": HIDDEN}}, {"ab": "x", "b": "x"}, {"ab": MASK}),
    "odd pattern": ({"patternProperties": {"\\p{L}(": HIDDEN}}, {"a": "x"}, {"a": MASK}),
    "others": (
        {"properties": {"a": {}}, "additionalProperties": HIDDEN},
        {"a": "x", "b": "x"},
        {"a": "x", "b": MASK},
    ),
    "circle": (
        {"properties": {"next": {"$ref": "#"}, "a": HIDDEN}, "allOf": [{"$ref": "#"}]},
        {"next": {"next": {"a": "x"}}},
        {"next": {"next": {"a": MASK}}},
    ),
    "encoded twice": (
        {"properties": {"o": {"properties": {"a": HIDDEN}}}},
        {"o": '{"a": "x"}'},
        {"o": f'{{"a": "{MASK}"}}'},
    ),
    "boolean": (True, {"a": "x"}, {"a": "x"}),
    "broken": ({"properties": [], "items": 3, "anyOf": 1}, {"a": ["x"]}, {"a": ["x"]}),
}


@pytest.mark.parametrize(("schema", "given", "shown"), IN_SCHEMA.values(), ids=IN_SCHEMA)
def test_what_the_schema_marks(schema: Any, given: Any, shown: Any) -> None:
    """What a row does not say of a member is that it stays."""
    whole = given | shown if isinstance(shown, dict) else shown
    assert masked(given, schema) == whole


def test_a_secret_of_pydantics_is_marked() -> None:
    from pydantic import BaseModel, SecretStr

    class Login(BaseModel):
        user: str
        phrase: SecretStr | None

    given = {"user": "bob", "phrase": "x"}
    assert masked(given, Login.model_json_schema()) == {"user": "bob", "phrase": MASK}


# texts and numbers


def test_json_in_a_text_is_masked_as_json() -> None:
    shown = masked({"body": ' {"login": {"pin": 1234, "user": "bob"}}'})
    assert shown == {"body": f'{{"login": {{"pin": "{MASK}", "user": "bob"}}}}'}


def test_a_long_text_is_shortened_with_its_length() -> None:
    assert masked("é" * 500) == "é" * 500
    assert masked({"a": ["é" * 501]}) == {"a": ["é" * 500 + "... [501 characters]"]}


def test_a_secret_across_the_cut_is_masked_first() -> None:
    """Its beginning alone would be of no known shape."""
    shown = masked("." * 490 + SAMPLES["Anthropic"])
    assert shown.startswith("." * 490 + MASK)
    assert "sk-ant" not in shown


@pytest.mark.parametrize("number", [int(CARD), float(CARD)])
def test_a_card_as_a_number(number: float) -> None:
    """Gemini's arguments are doubles."""
    assert masked({"a": number, "b": 5}) == {"a": MASK, "b": 5}


def test_what_is_no_json_does_not_break_the_audit() -> None:
    """Arguments that an app edited may hold anything; objects are not asked for their text."""
    assert masked({"a": float("nan"), "b": Path("x"), "c": ("d",), 1: 10**5000}) == {
        "a": "nan",
        "b": f"[{type(Path()).__name__}]",
        "c": ["d"],
        "1": 10**5000,
    }


@pytest.mark.parametrize(
    ("path", "before", "shown"),
    [
        ("/pin", "1234", MASK),
        ("/logins/1/password/value", 5, MASK),
        ("/phrases/1", "x", MASK),
        ("/phrases/0", "x", "x"),
        ("/count", "3", "3"),
        ("/a~1b/12345678901234567890", "3", "3"),
        ("", '{"pin": 1234}', f'{{"pin": "{MASK}"}}'),
        ("/note", SAMPLES["AWS"], MASK),
        ("/pin", None, None),
        ("/note", "é" * 501, "é" * 500 + "... [501 characters]"),
    ],
)
def test_a_change_is_masked_by_where_it_stands(path: str, before: Any, shown: Any) -> None:
    """`before` says nothing of what it is: its path and the schema do."""
    schema = {"properties": {"phrases": {"prefixItems": [{}, HIDDEN]}}}
    given = {"path": path, "before": before, "after": before, "why": "read as text"}
    assert masked_changes([given], schema) == (given | {"before": shown, "after": shown},)


def test_names_that_are_masked_do_not_hide_one_another() -> None:
    first, second = SAMPLES["AWS"], "AKIA" + "B" * 16
    assert masked({first: 1, second: 2}) == {MASK: 1, f"{MASK} 1": 2}


HARMLESS: Final = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9999) | st.text("abc é\n\"'\\", max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["city", "max_tokens", "key", "a b"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(HARMLESS)
def test_what_holds_no_secret_is_as_it_was(arguments: Any) -> None:
    assert masked(arguments) == arguments


@st.composite
def planted(draw: Any) -> tuple[Any, str]:
    """Arguments with a secret somewhere: alone, in a text, in a name, in JSON in a text."""
    secret = draw(PLANTED)
    edges = st.text(" .,;:!?()<>|\n\t\"'é값", max_size=5)
    text = draw(edges) + secret + draw(edges)
    item: Any = draw(st.sampled_from([secret, text, {text: 1}, [text]]))
    for way in draw(st.lists(st.sampled_from(["list", "object", "text", "cut"]), max_size=5)):
        if way == "list":
            item = [draw(HARMLESS), item, draw(HARMLESS)]
        elif way == "object":
            item = {"a": draw(HARMLESS), draw(st.sampled_from(["city", "note", "b"])): item}
        else:
            item = json.dumps(item, ensure_ascii=draw(st.booleans()))
            item = item if way == "text" else f'{{"a": {item}, "b'
    return {"arguments": item, "other": draw(HARMLESS)}, secret


def line_of(path: Path, given: AuditRecord) -> str:
    path.unlink(missing_ok=True)
    AuditLines(path)(given)
    return path.read_text(encoding="utf-8")


def spellings(secret: str) -> set[str]:
    """A secret as it may stand in JSON, and its lines."""
    return {secret} | {line for line in re.split(r"\\+n|\n", secret) if len(line) > 30}


@given(planted())
def test_a_planted_secret_is_nowhere_in_the_line(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[Any, str]
) -> None:
    arguments, secret = drawn
    line = line_of(
        tmp_path_factory.getbasetemp() / "planted.jsonl", record(arguments=masked(arguments))
    )
    assert not [form for form in spellings(secret) if form in line]


@pytest.mark.parametrize("field", ["reason", "error", "changes", "checks"])
@given(secret=PLANTED)
def test_a_secret_in_words_about_the_call_is_nowhere_in_the_line(
    tmp_path_factory: pytest.TempPathFactory, field: str, secret: str
) -> None:
    """A traceback quotes what it was given."""
    text = f"no such key: {secret}"
    item: Any = text if field in ("reason", "error") else ({"fault": [text]},)
    line = line_of(tmp_path_factory.getbasetemp() / "words.jsonl", record(**{field: item}))
    assert not [form for form in spellings(secret) if form in line]
    assert "no such key" in line


# records


def test_a_record_as_an_object_has_all_its_fields_in_order() -> None:
    made = record(
        arguments={"a": 1},
        checks=({"layer": "schema", "ok": True},),
        untrusted=("call_0",),
        seconds=0.25,
    ).to_dict()
    assert tuple(made) == AuditRecord.__slots__
    assert (made["time"], made["outcome"]) == ("2026-11-30T12:00:00.000Z", "ok")
    assert made["checks"] == [{"layer": "schema", "ok": True}]
    assert made["untrusted"] == ["call_0"]
    assert made["namespace"] is None


def test_times_are_utc_with_milliseconds() -> None:
    assert time_of(1_764_504_000.0) == "2025-11-30T12:00:00.000Z"
    assert time_of(1_764_504_000.1239) == "2025-11-30T12:00:00.123Z"
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", time_of())


@pytest.mark.parametrize(
    ("parts", "size"),
    [
        ((), 0),
        ((tb.Text(text="값 a"), tb.Text(text="b")), 4),
        ((tb.Json(value={"a": "é"}),), len('{"a": "é"}')),
        ((tb.Media(kind="image", source=tb.Source(data="AAAA")),), 4),
        ((tb.Media(kind="file", source=tb.Source(parts=(tb.Text(text="abc"),))),), 3),
        ((tb.ToolReference(name="pay"),), 3),
        ((tb.Opaque(format="gemini", data={"a": 1}),), 0),
    ],
)
def test_the_size_of_a_result_is_in_characters(parts: tuple[Any, ...], size: int) -> None:
    assert result_size(tb.ToolResult(call_id="c", parts=parts)) == size


# lines


def test_each_record_is_one_line_of_json(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text('{"older": true}\n', encoding="utf-8")
    hook = AuditLines(path)
    first, second = record(arguments={"city": "서울\n🌧"}), record(step=2, outcome="denied")
    hook(first)
    hook(second)
    text = path.read_text(encoding="utf-8")
    assert [json.loads(line) for line in text.split("\n")[:-1]] == [
        {"older": True},
        first.to_dict(),
        second.to_dict(),
    ]
    assert "서울\\n🌧" in text, "not escaped"


def test_a_lone_surrogate_is_escaped(tmp_path: Path) -> None:
    """UTF-8 has no bytes for it; JSON has an escape."""
    line = line_of(tmp_path / "audit.jsonl", record(arguments={"a": "\ud800"}))
    assert json.loads(line)["arguments"] == {"a": "\ud800"}


def test_a_line_is_on_its_way_when_the_hook_returns(tmp_path: Path) -> None:
    """Whoever dies after the call has left its record."""
    path = tmp_path / "audit.jsonl"
    hook = AuditLines(path)
    assert not path.exists()
    hook(record())
    assert path.read_bytes().endswith(b"\n")


def test_lines_of_many_threads_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    hooks = [AuditLines(path), AuditLines(path)]
    with ThreadPoolExecutor(8) as pool:
        steps = range(200)
        list(pool.map(lambda n: hooks[n % 2](record(step=n, arguments=["x" * 400] * 50)), steps))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)["step"] for line in lines) == list(steps)


def test_a_file_that_was_moved_away_is_made_anew(tmp_path: Path) -> None:
    """So an outer program may rotate it."""
    path = tmp_path / "audit.jsonl"
    hook = AuditLines(path)
    hook(record(step=1))
    path.rename(tmp_path / "audit.1.jsonl")
    hook(record(step=2))
    assert json.loads(path.read_text(encoding="utf-8"))["step"] == 2


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    AuditLines(path)(record())
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no folder: make .*missing first"):
        AuditLines(tmp_path / "missing" / "audit.jsonl")
