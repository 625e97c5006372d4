"""Writes the tables of README.md, docs/settings.md and docs/vendors.md anew from the adapters' own.

    python docs/update_tables.py

Run it after a change of what a format carries, of a setting or of a code of a loss.
"""

from __future__ import annotations

import json
from pathlib import Path

from toolbridge import describe

ROOT = Path(__file__).parents[1]
SETTINGS = """\
# Settings

Which setting of a request is which key in each format, with its range, the words that change and
the documented default. Empty: the format has no such setting, and it is reported as lost.
Made from the adapters' own tables; `toolbridge formats` prints the same.

"""


TABLES = {
    "README.md": ("places", "losses"),
    "docs/vendors.md": ("servers",),
    "docs/schemas.md": ("schema_keywords", "schema_rows"),
}
"""The tables between marks, by document; each is a function of `describe`."""


def with_tables(text: str, name: str = "README.md") -> str:
    """A document with its tables as they are now."""
    for each in TABLES[name]:
        head, start, rest = text.partition(f"<!-- table: {each} -->\n")
        _, end, tail = rest.partition("<!-- end -->")
        text = f"{head}{start}{describe.as_markdown(getattr(describe, each)())}\n{end}{tail}"
    return with_figures(text)


FIGURES = ROOT / "tests" / "schemas" / "figures.json"
"""What tests/schemas/proof.py measured; a test holds it."""


def with_figures(text: str) -> str:
    """A document with the measured figures between its marks, if it has them."""
    head, start, rest = text.partition("<!-- figures -->\n")
    _, end, tail = rest.partition("<!-- end figures -->")
    if not start:
        return text
    measured = json.loads(FIGURES.read_text(encoding="utf-8"))
    names = [name for name in measured["anthropic"] if name != "families"]
    families = list(measured["anthropic"]["families"])
    shares = [["target", *names]]
    shares += [[target, *(f"{each[name]}" for name in names)] for target, each in measured.items()]
    kept = [["valid kept, by family", *measured]]
    kept += [
        [family, *(f"{each['families'][family]}" for each in measured.values())]
        for family in families
    ]
    tables = f"{describe.as_markdown(shares)}\n\n{describe.as_markdown(kept)}"
    return f"{head}{start}{tables}\n{end}{tail}"


def settings() -> str:
    """The text of docs/settings.md."""
    return f"{SETTINGS}{describe.as_markdown(describe.settings())}\n"


def main() -> None:
    """Rewrite the documents."""
    for name in TABLES:
        document = ROOT / name
        document.write_text(
            with_tables(document.read_text(encoding="utf-8"), name), encoding="utf-8"
        )
    (ROOT / "docs" / "settings.md").write_text(settings(), encoding="utf-8")


if __name__ == "__main__":
    main()
