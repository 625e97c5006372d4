"""Writes the tables of README.md and docs/settings.md anew from the adapters' own tables.

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


def with_tables(readme: str) -> str:
    """The README with its tables as they are now."""
    for name, table in (("places", describe.places()), ("losses", describe.losses())):
        head, start, rest = readme.partition(f"<!-- table: {name} -->\n")
        _, end, tail = rest.partition("<!-- end -->")
        readme = f"{head}{start}{describe.as_markdown(table)}\n{end}{tail}"
    return readme


def settings() -> str:
    """The text of docs/settings.md."""
    return f"{SETTINGS}{describe.as_markdown(describe.settings())}\n"


def main() -> None:
    """Rewrite both files."""
    readme = ROOT / "README.md"
    readme.write_text(with_tables(readme.read_text(encoding="utf-8")), encoding="utf-8")
    (ROOT / "docs" / "settings.md").write_text(settings(), encoding="utf-8")


if __name__ == "__main__":
    main()
