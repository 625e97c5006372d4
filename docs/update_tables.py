"""Writes the tables of README.md, docs/settings.md and docs/vendors.md anew from the adapters' own.

    python docs/update_tables.py

Run it after a change of what a format carries, of a setting or of a code of a loss.
"""

from __future__ import annotations

from pathlib import Path

from toolbridge import describe

ROOT = Path(__file__).parents[1]
SETTINGS = """\
# Settings

Which setting of a request is which key in each format, with its range, the words that change and
the documented default. Empty: the format has no such setting, and it is reported as lost.
Made from the adapters' own tables; `toolbridge formats` prints the same.

"""


TABLES = {"README.md": ("places", "losses"), "docs/vendors.md": ("servers",)}
"""The tables between marks, by document; each is a function of `describe`."""


def with_tables(text: str, name: str = "README.md") -> str:
    """A document with its tables as they are now."""
    for each in TABLES[name]:
        head, start, rest = text.partition(f"<!-- table: {each} -->\n")
        _, end, tail = rest.partition("<!-- end -->")
        text = f"{head}{start}{describe.as_markdown(getattr(describe, each)())}\n{end}{tail}"
    return text


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
