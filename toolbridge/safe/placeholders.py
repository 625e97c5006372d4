"""The parameters in the text of a statement: `:name`, outside of quotes, comments and casts."""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"""
    '(?:[^']|'')*'                                  # a text
    | "(?:[^"]|"")*" | `[^`]*`                      # a name
    | --[^\n]* | /\*.*?\*/                          # comments
    | \$(?P<tag>[A-Za-z_]\w*|)\$.*?\$(?P=tag)\$     # a text between dollars, of PostgreSQL
    | ::                                            # a cast, of PostgreSQL
    | (?<![\w:]):(?P<name>[A-Za-z_][A-Za-z0-9_]*)   # a parameter
    | %
    """,
    re.VERBOSE | re.DOTALL,
)


def names_in(text: str) -> tuple[str, ...]:
    """The names of the parameters, each once, in order."""
    found = (match["name"] for match in TOKEN.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name))


def with_percent_style(text: str) -> str:
    """The text with `%(name)s` for each parameter, and `%%` for each other percent sign, in
    quotes too (https://www.psycopg.org/psycopg3/docs/basic/params.html)."""

    def written(match: re.Match[str]) -> str:
        return f"%({match['name']})s" if match["name"] else match[0].replace("%", "%%")

    return TOKEN.sub(written, text)
