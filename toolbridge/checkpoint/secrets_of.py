"""What in JSON is a secret: by the name of a property, by its schema, by the shape of a text.

What must stay out of a log is OWASP's list: passwords, access tokens, session ids, keys,
connection strings, payment cards
(https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html#data-to-exclude).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

from toolbridge.locate import followed
from toolbridge.values import JSON

MASK: Final = "[masked]"


# names

WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|[0-9]+")
"""A word of a name in snake, kebab or camel case: `apiKey`, `API_KEY`, `x-api-key`."""

Names = frozenset[tuple[str, ...]]


def names(*lines: str) -> Names:
    """Names of one word or two, as tuples of words."""
    return frozenset(tuple(name.split()) for line in lines for name in line.split(", "))


SECRET: Final = names(
    "auth, authkey, authorization, authtoken, bearer, credential, credentials, jwt, otp, totp",
    "passcode, passphrase, passwd, password, passwords, pwd, db pass, login pass, smtp pass",
    "user pass, secret, secrets, clientsecret, seed phrase, ssn",
    "token, accesstoken, apitoken, refreshtoken, sessiontoken, access tokens, api tokens",
    "auth tokens, bearer tokens, refresh tokens, session tokens",
    "cookie, cookies, session id, session ids, sessionid, session key",
    "accesskey, apikey, privatekey, secretkey, access key, access keys, account key, api key",
    "api keys, auth key, auth keys, encryption key, hmac key, master key, private key",
    "private keys, secret key, secret keys, shared key, signing key, ssh key, storage key",
    "subscription key, backup code, backup codes, recovery code, recovery codes",
    "security code, verification code, pin code, card pin, current pin, login pin, new pin",
    "old pin, sim pin, user pin, cvc, cvv, cardnumber, card number, card numbers, card pan",
    "creditcard, credit card, debit card, connectionstring, connection string, dsn",
)
"""Last words of names that say secret: the last word says what a thing is. So `github_token` is
a token, `token_count` a count and `secret_name` a name; `key` alone is that of a dictionary, and
`tokens` alone are counted or are pieces of text (`max_tokens`)."""

ALONE: Final = names("pass, pin")
"""Names that say secret alone: there are boarding passes, and pins on maps and boards."""

HARMLESS: Final = names(
    "page token, next token, previous token, continuation token, cursor token, pagination token",
    "sync token, stop token",
)
"""Last two words that do not, though the last does: a place in a list grants nothing
(https://google.aip.dev/158)."""

ADDED: Final = names(
    "again, b64, base64, confirm, confirmation, confirmed, encoded, encrypted, hash, hashed",
    "header, hex, pem, plain, plaintext, raw, repeat, repeated, string, text, value, values",
)
"""Words after a secret's name that change nothing: `password_confirmation`, `apiKeyValue`."""


def is_secret_name(name: str) -> bool:
    """Whether the name of a property says that its value is a secret."""
    words = [word.lower() for word in WORD.findall(name)]
    while len(words) > 1 and tuple(words[-2:]) not in SECRET and is_added(words[-1]):
        words.pop()
    last, pair = tuple(words[-1:]), tuple(words[-2:])
    if last == pair and last in ALONE:
        return True
    return pair not in HARMLESS and (last in SECRET or pair in SECRET)


def is_added(word: str) -> bool:
    """Whether a last word says nothing of what a thing is."""
    return word.isdigit() or (word,) in ADDED


# schemas

SAME_PLACE: Final = ("allOf", "anyOf", "oneOf")
BRANCHES: Final = ("then", "else")


def at_same_place(schemas: list[JSON], root: JSON) -> list[dict[str, Any]]:
    """All schemas that speak of a value if these do: through unions, branches and references to
    places in the root."""
    found: dict[int, dict[str, Any]] = {}
    waiting = list(schemas)
    while waiting:
        schema = waiting.pop()
        if not isinstance(schema, dict) or id(schema) in found:
            continue
        found[id(schema)] = schema
        for key in SAME_PLACE:
            members = schema.get(key)
            waiting += members if isinstance(members, list) else []
        waiting += [schema[key] for key in BRANCHES if key in schema]
        waiting += referred(schema.get("$ref"), root)
    return list(found.values())


def referred(reference: JSON, root: JSON) -> list[JSON]:
    """What a reference into the root refers to, if it is a JSON pointer."""
    from urllib.parse import unquote

    if not isinstance(reference, str) or not reference.startswith("#"):
        return []
    path = unquote(reference[1:])
    *_, (reached, item) = followed(root, path)
    return [item] if reached == path else []


def of_property(schemas: list[dict[str, Any]], name: str) -> list[JSON]:
    """The schemas of a property."""
    return [each for schema in schemas for each in property_schemas(schema, name)]


def property_schemas(schema: dict[str, Any], name: str) -> Iterator[JSON]:
    """What one schema says of a property; a pattern that is none of Python's counts as fitting."""
    declared = schema.get("properties")
    if isinstance(declared, dict) and name in declared:
        yield declared[name]
    patterns = schema.get("patternProperties")
    if isinstance(patterns, dict):
        yield from (each for pattern, each in patterns.items() if fits(pattern, name))
    for key in ("additionalProperties", "unevaluatedProperties"):
        if key in schema and not (isinstance(declared, dict) and name in declared):
            yield schema[key]


def fits(pattern: str, name: str) -> bool:
    """Whether a pattern may be found in a name."""
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return True


def of_item(schemas: list[dict[str, Any]], index: int) -> list[JSON]:
    """The schemas of a member of a list: by place (`prefixItems`, `items` of older drafts), or
    that of all others."""
    found: list[JSON] = []
    for schema in schemas:
        rest = schema.get("items", schema.get("additionalItems"))
        placed = schema.get("prefixItems")
        if isinstance(rest, list):
            placed, rest = rest, schema.get("additionalItems")
        if isinstance(placed, list) and index < len(placed):
            found.append(placed[index])
        else:
            found.append(rest)
    return found


# shapes


class Shape(NamedTuple):
    """How a secret looks in a text, as a regular expression: what its group `kept` matches stays.
    `source` says where the shape is from."""

    name: str
    source: str
    pattern: str


RULES: Final = "https://github.com/gitleaks/gitleaks/blob/master/cmd/generate/config/rules"
"""Detectors with samples, one file a vendor. The shapes here are wider: a mask too many costs a
word of a log, and lengths change."""

PEM: Final = r"[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----"
RUN: Final = "[A-Za-z0-9_-]"
ESCAPE: Final = r"\\(?:[bfnrt]|u[0-9a-fA-F]{4})"
"""A character in JSON that stands in a text (RFC 8259, section 7): its letters and digits belong
to nothing that follows."""
APART: Final = r"(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4}))"
AUTHORIZED: Final = rf"(?i)(?P<kept>{APART}(?:authorization|cookie)[\\\"']*\s*:\s*[\\\"']*)"
BEARER: Final = rf"(?i)(?P<kept>{APART}bearer\s+)"
GITLAB: Final = "gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|soat)"
OPENAI: Final = f"sk-(?:proj|svcacct|admin|or)-{RUN}{{16,}}"


def shape(name: str, source: str, *pattern: str) -> Shape:
    """A row of the table below, its pattern in pieces."""
    return Shape(name, source, "".join(pattern))


SHAPES: Final = (
    shape("private key", f"{RULES}/privatekey.go", f"(?s)-----BEGIN{PEM}.*?(?:-----END{PEM}|\\Z)"),
    shape(
        "header",
        "https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2 and rfc6265#section-4",
        AUTHORIZED,
        r"(?!\[masked\])[^\s\\\"'][^\r\n\\\"']*",
    ),
    shape(
        "password in a URL",
        "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1",
        r"(?P<kept>://[^\s/?#:@]*:)[^\s/?#]+(?=@)",
    ),
    shape("Anthropic", f"{RULES}/anthropic.go", rf"sk-ant-{RUN}{{8,}}"),
    shape(  # other vendors copy its form
        "OpenAI", f"{RULES}/openai.go", f"{OPENAI}|{APART}sk-(?={RUN}{{0,64}}[0-9]){RUN}{{16,}}"
    ),
    shape("Google", f"{RULES}/gcp.go", f"AIza{RUN}{{35,}}"),
    shape("Gemini", "https://ai.google.dev/gemini-api/docs/api-key", rf"{APART}AQ\.{RUN}{{30,}}"),
    shape("GitHub", f"{RULES}/github.go", r"(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{36,}"),
    shape("GitLab", f"{RULES}/gitlab.go", rf"{GITLAB}-[A-Za-z0-9_.-]{{20,}}"),
    shape("Slack", f"{RULES}/slack.go", r"(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}"),
    shape("AWS", f"{RULES}/aws.go", r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    shape("npm", f"{RULES}/npm.go", r"npm_[A-Za-z0-9]{36,}"),
    shape("Hugging Face", f"{RULES}/huggingface.go", rf"{APART}hf_[A-Za-z0-9]{{34,}}"),
    shape("Stripe", f"{RULES}/stripe.go", r"[rs]k_(?:test|live|prod)_[A-Za-z0-9]{10,}"),
    shape(  # base64 of `{"`, and two parts more, four if encrypted
        "JSON Web Token",
        "https://www.rfc-editor.org/rfc/rfc7515#section-3.1 and rfc7516#section-3.1",
        rf"eyJ{RUN}{{8,1024}}(?:\.{RUN}*){{2,4}}",
    ),
    shape(  # of any length; a word of prose follows `bearer` more often than a short token
        "bearer",
        "https://www.rfc-editor.org/rfc/rfc6750#section-2.1",
        BEARER,
        r"(?=[a-z0-9._~+/-]*[0-9]|[a-z0-9._~+/-]{16})[a-z0-9._~+/-]{6,}=*",
    ),
)

NAMED: Final = re.compile(
    rf"(?:{ESCAPE}|(?<![\w.-]))"
    r"""(?x: (?P<option>--)? (?P<name>[\w.-]{1,100}+)
    (?: \\*["']? [ \t]* (?: => | := | [=:] ) [ \t]* | (?(option) [ ]+ | (?!) ) ))"""
)
"""A name before its value in a text: in a query, a command line, JSON in a string."""

VALUE: Final = re.compile(
    r"""(?sx) \[masked\]
    | (?P<opened>\\+["']) (?: (?!(?P=opened)) . )*
    | (?P<double>") (?: [^"\\] | \\. )*
    | (?P<single>') (?: [^'\\] | \\. )*
    | [^\s"'&;]+"""
)
"""A value after its name: up to its closing quote, or to the end of a text that was cut."""

FLAGS: Final = ("true", "false", "null", "none")


@cache
def compiled() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The shapes as patterns, each with what takes the place of a secret: made with their first
    use, for `import toolbridge` is to stay cheap."""
    patterns = (re.compile(each.pattern) for each in SHAPES)
    return tuple(
        (each, rf"\g<kept>{MASK}" if "kept" in each.groupindex else MASK) for each in patterns
    )


def masked_text(text: str) -> str:
    """A text in which whatever looks like a secret is masked."""
    for pattern, masking in compiled():
        text = pattern.sub(masking, text)
    return CARDS.sub(without_cards, without_values(text))


def without_values(text: str) -> str:
    """A text without the values that stand after names of secrets."""
    made: list[str] = []
    done = 0
    for found in NAMED.finditer(text):
        if found.start() < done or not is_secret_name(found["name"]):
            continue
        value = VALUE.match(text, found.end())
        if value is None or value[0].rstrip(",}]").lower() in FLAGS:
            continue
        opened = value[value.lastgroup] if value.lastgroup else ""
        made += [text[done : found.end()], opened, MASK]
        done = value.end()
    return "".join((*made, text[done:]))


CARDS: Final = re.compile(
    rf"(?P<before>{ESCAPE}|(?<![0-9])(?<![0-9]\.))(?P<run>[0-9](?:[ -]?[0-9]){{12,}})"
)
"""A run of digits, perhaps in groups, that is long enough for the number of a payment card."""


def without_cards(found: re.Match[str]) -> str:
    """A run of digits in which groups that make up the number of a card are masked."""
    pieces = re.findall(r"[0-9]+|[ -]", found["run"])
    hidden: set[int] = set()
    for first in range(0, len(pieces), 2):
        digits = ""
        for last in range(first, len(pieces), 2):
            digits += pieces[last]
            if len(digits) > LONGEST_CARD:
                break
            if is_card(digits):
                hidden.update(range(first, last + 1))
    shown = "".join("\0" if place in hidden else piece for place, piece in enumerate(pieces))
    return found["before"] + re.sub("\0+", MASK, shown)


SHORTEST_CARD: Final = 13
LONGEST_CARD: Final = 19


def is_card(digits: str) -> bool:
    """Whether digits are the number of a payment card: 13 to 19 of them, of the industries that
    issue some (2 to 6), with Luhn's check digit at the end (ISO/IEC 7812-1, annex B)."""
    if not SHORTEST_CARD <= len(digits) <= LONGEST_CARD or digits[0] not in "23456":
        return False
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(number // 10 + number % 10 for number in doubled) % 10 == 0
