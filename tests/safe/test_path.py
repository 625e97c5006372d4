"""PathInside against known attacks, and the law that nothing leads out of the folder.

Attacks after https://github.com/swisskyrepo/PayloadsAllTheThings/tree/master/Directory%20Traversal,
https://portswigger.net/web-security/file-path-traversal and the variants of CWE-22.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

import toolbridge as tb
from safe.helpers import fits, given, may_be, offered, refusal, tool_of
from toolbridge import safe

ATTACKS: Final[tuple[tuple[Any, str], ...]] = (
    # up and out (CWE-23, CWE-24)
    ("..", "goes up out of"),
    ("../secret.txt", "goes up out of"),
    ("../../../../etc/passwd", "goes up out of"),
    ("reports/../../secret.txt", "goes up out of"),
    ("../root/a.txt", "goes up out of"),  # out, and back in by the folder's name
    ("./.././secret.txt", "goes up out of"),
    ("reports//..//..//secret.txt", "goes up out of"),
    ("missing/../../secret.txt", "goes up out of"),
    ("missing/../a.txt", "a folder that does not exist"),  # what `..` means is not settled yet
    # filters that take `../` out once (CWE-32, CWE-35)
    ("....//secret.txt", "ends with a dot"),
    (".../...//secret.txt", "ends with a dot"),
    ("..././secret.txt", "ends with a dot"),
    # absolute (CWE-36)
    ("/etc/passwd", "is absolute"),
    ("//etc/passwd", "is absolute"),
    ("/proc/self/environ", "is absolute"),
    ("{root}/a.txt", "is absolute"),  # inside too: the model is not told where the folder is
    ("file:///etc/passwd", "has :"),
    # links (CWE-59)
    ("link_out/secret.txt", "leads out"),
    ("link_file", "leads out"),
    ("link_up/../secret.txt", "leads out"),  # the `..` of the target, not of the name
    ("chain", "leads out"),
    ("dangling", "a link to nowhere"),  # writing there makes a file outside
    ("dangling/new.txt", "a link to nowhere"),
    ("loop", "cannot be used"),
    ("loop/x", "cannot be used"),
    ("a.txt/x", "cannot be used"),
    # null and other hidden characters (CWE-158)
    ("a.txt\0.png", "U+0000"),
    ("a.txt\n", "U+000A"),
    ("a\r\n.txt", "U+000D"),
    ("a\t.txt", "U+0009"),
    ("a\x7f.txt", "U+007F"),
    ("a\x85.txt", "U+0085"),
    ("photo\u202egnp.exe", "U+202E"),  # right-to-left override: https://trojansource.codes
    (".\u200c./secret.txt", "U+200C"),  # HFS+ drops it (CVE-2014-9390)
    ("\ufeffa.txt", "U+FEFF"),
    ("a\u2028.txt", "U+2028"),
    ("\udc2e\udc2e/secret.txt", "U+DC2E"),  # a byte that is no UTF-8, as os.fsdecode has it
    # Windows (CWE-29, CWE-39, CWE-40, CWE-69)
    ("..\\secret.txt", "has \\"),
    ("..\\/secret.txt", "has \\"),
    ("reports\\..\\..\\secret.txt", "has \\"),
    ("C:\\boot.ini", "has :"),
    ("C:/boot.ini", "has :"),
    ("c:boot.ini", "has :"),
    ("\\\\server\\share\\a.txt", "has \\"),
    ("//server/share/a.txt", "is absolute"),
    ("//?/C:/boot.ini", "is absolute"),
    ("\\\\?\\C:\\boot.ini", "has \\"),
    ("\\\\.\\PhysicalDrive0", "has \\"),
    ("\\??\\C:\\boot.ini", "has \\"),
    ("a.txt:stream", "has :"),
    ("a.txt::$DATA", "has :"),
    ("bin::$INDEX_ALLOCATION/x", "has :"),
    ("CON", "a device"),
    ("nul.txt", "a device"),
    ("reports/Com1.log", "a device"),
    ("LPT9", "a device"),
    ("com\u00b9", "a device"),  # Windows takes the raised digits for digits
    ("aux .txt", "a device"),
    ("CONIN$", "a device"),
    ("prn/a.txt", "a device"),
    ("a.txt.", "ends with a dot"),
    ("a.txt ", "ends with a dot"),
    (".. /secret.txt", "ends with a dot"),
    ("... ", "ends with a dot"),
    ("*.txt", "has *"),
    ("a?.txt", "has ?"),
    ('a".txt', 'has "'),
    ("a|b", "has |"),
    ("<a>", "has <"),
    # home folders
    ("~", "begins with ~"),
    ("~root/.ssh/id_rsa", "begins with ~"),
    ("~/a.txt", "begins with ~"),
    # escapes, once, twice, overlong and of IIS (CWE-177)
    ("%2e%2e%2fsecret.txt", "an escape"),
    ("..%2fsecret.txt", "an escape"),
    ("%252e%252e%252fsecret.txt", "an escape"),
    ("%c0%ae%c0%ae%c0%afsecret.txt", "an escape"),
    ("%uff0e%uff0e%u2215secret.txt", "an escape"),
    ("a.txt%00.png", "an escape"),
    ("%5c..%5csecret.txt", "an escape"),
    # look-alikes (CWE-176): https://www.unicode.org/reports/tr36/
    ("\uff0e\uff0e/secret.txt", "U+FF0E"),
    ("..\uff0fsecret.txt", "U+FF0F"),
    ("..\uff3csecret.txt", "U+FF3C"),
    ("..\u2215secret.txt", "U+2215"),
    ("..\u2044secret.txt", "U+2044"),
    ("..\u2216secret.txt", "U+2216"),
    ("\u2025/secret.txt", "U+2025"),
    ("\u2024\u2024/secret.txt", "U+2024"),
    ("\ufe52\ufe52/secret.txt", "U+FE52"),
    ("\u2026", "U+2026"),
    ("C\uff1a/boot.ini", "U+FF1A"),
    ("\uff5e/a.txt", "U+FF5E"),
    ("\uff052e\uff052e/secret.txt", "U+FF05"),
    ("\u2100b", "U+2100"),  # one sign that folds to a, slash, c
    ("..\u00a5secret.txt", "U+00A5"),
    ("..\u20a9secret.txt", "U+20A9"),
    # too long, nothing, no text
    ("a/" * 600, "longer than 1024"),
    ("a" * 256, "longer than 255 bytes"),
    ("\uac00" * 90, "longer than 255 bytes"),
    ("", "is empty"),
    (None, "must be a text"),
    (7, "must be a text"),
    (["a.txt"], "must be a text"),
    (b"a.txt", "must be a text"),
)

GOOD: Final = (
    ("a.txt", "a.txt"),
    ("./a.txt", "a.txt"),
    ("reports/may.txt", "reports/may.txt"),
    ("reports//may.txt", "reports/may.txt"),
    ("reports/", "reports"),
    ("reports/../a.txt", "a.txt"),
    (".", "."),
    ("new/folder/of/mine.txt", "new/folder/of/mine.txt"),
    ("link_in/may.txt", "reports/may.txt"),
    (".gitignore", ".gitignore"),
    ("..hidden", "..hidden"),
    ("a..b.txt", "a..b.txt"),
    ("console.log", "console.log"),
    ("COM10", "COM10"),
    ("보고서 (최종).txt", "보고서 (최종).txt"),
    ("100% sure.txt", "100% sure.txt"),
    ("~$draft.txt"[1:], "$draft.txt"),
    ("notes~", "notes~"),
    ("½ cup.txt", "½ cup.txt"),
    ("..;/a.txt", "..;/a.txt"),  # Tomcat drops the `;`; to a disk it is a name like others
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files and with links in, out, to each other and to nowhere."""
    base = tmp_path_factory.mktemp("base").resolve()
    made = base / "root"
    (made / "reports").mkdir(parents=True)
    (made / "a.txt").write_text("a", encoding="utf-8")
    (made / "reports" / "may.txt").write_text("may", encoding="utf-8")
    (made / ".env").write_text("key", encoding="utf-8")
    (base / "secret.txt").write_text("secret", encoding="utf-8")
    (base / "outside" / "deep").mkdir(parents=True)
    links = {
        "link_in": "reports",
        "link_out": "..",
        "link_file": str(base / "secret.txt"),
        "link_up": str(base / "outside" / "deep"),
        "chain": "link_file",
        "dangling": str(base / "not-there"),
        "loop": "loop",
        "env.txt": ".env",
    }
    for name, target in links.items():
        (made / name).symlink_to(target)
    return made


@pytest.mark.parametrize(("value", "why"), ATTACKS, ids=lambda each: ascii(each)[:40])
def test_an_attack_is_refused(root: Path, value: Any, why: str) -> None:
    value = value.replace("{root}", str(root)) if isinstance(value, str) else value
    words = refusal(safe.PathInside(root), value)
    assert why in words
    assert words.endswith("Give a path relative to the folder, such as reports/may.txt")


@pytest.mark.parametrize(("value", "inside"), GOOD)
def test_a_good_path_is_given_absolute(root: Path, value: str, inside: str) -> None:
    kind = safe.PathInside(root)
    assert given(kind, value) == str(root / inside)
    assert fits(kind, value)


def test_the_annotation_says_what_the_function_gets(root: Path) -> None:
    taken = tool_of(safe.PathInside(root), Path).validate({"argument": "reports/../a.txt"})
    assert taken == {"argument": root / "a.txt"}
    assert refusal(safe.PathInside(root), "../secret.txt", Path)


def test_a_file_must_exist_where_it_must(root: Path) -> None:
    kind = safe.PathInside(root, must_exist=True)
    assert "there is no such file" in refusal(kind, "june.txt")
    assert "there is no such file" in refusal(kind, "missing/june.txt")
    assert given(kind, "reports/may.txt") == str(root / "reports" / "may.txt")


def test_a_suffix_is_that_of_the_name_and_of_what_it_links_to(root: Path) -> None:
    kind = safe.PathInside(root, suffixes=(".txt", ".tar.gz"))
    for value in (".env", "a.txt.exe", "reports", ".", "a.TXT", ".txt", "env.txt"):
        assert "must end with .txt or .tar.gz" in refusal(kind, value)
    for value in ("a.txt", "new.tar.gz"):
        assert given(kind, value) == str(root / value)
        assert fits(kind, value)
    assert not fits(kind, "a.exe")


def test_links_that_grow_too_long_to_resolve_do_not_lead_out(tmp_path: Path) -> None:
    """CVE-2025-4517: Python leaves links as they are behind a path of more than PATH_MAX bytes."""
    root = tmp_path / "root"
    place = root
    root.mkdir()
    long = "d" * 247
    for letter in "abcdefghijklmnop":
        (place / long).mkdir()
        (place / letter).symlink_to(long)
        place = place / letter
    end = "/".join("abcdefghijklmnop")
    (root / end / ("l" * 254)).symlink_to("../" * 16)
    (root / "escape").symlink_to(f"{end}/{'l' * 254}/../secret.txt")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    assert (root / "escape").read_text(encoding="utf-8") == "secret", "the attack is one"
    assert "cannot be used" in refusal(safe.PathInside(root), "escape")


def test_a_root_that_is_a_link_or_not_there_yet_holds_too(tmp_path: Path, root: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    assert given(safe.PathInside(tmp_path / "alias"), "a.txt") == str(root / "a.txt")
    assert given(safe.PathInside(tmp_path / "later"), "a.txt") == str(tmp_path / "later" / "a.txt")


def test_a_relative_root_stays_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kind = safe.PathInside("files")
    monkeypatch.chdir("/")
    assert kind.check("a.txt") == str(tmp_path / "files" / "a.txt")


def test_the_schema_tells_the_limits_and_not_the_place(root: Path) -> None:
    kind = safe.PathInside(root, suffixes=(".txt",), description="The report to read.")
    schema = offered(kind)
    assert schema == {
        "type": "string",
        "description": "The report to read. A path relative to the folder, with / between the "
        "names: not absolute, no .. out of the folder, no backslash, no ~, no escapes such as "
        "%2e. It must end with .txt.",
        "pattern": '^[^/~\\\\:*?"<>|\\x00-\\x1f][^\\\\:*?"<>|\\x00-\\x1f]*(\\.txt)$',
        "minLength": 1,
        "maxLength": 1024,
        "examples": ["reports/may.txt"],
    }
    assert kind.check(schema["examples"][0])
    for value in ("/etc/passwd", "..\\a.txt", "C:/a.txt", "~/a.txt", "a\0.txt", "a.exe"):
        assert not fits(kind, value)
    refused = [refusal(kind, value) for value in ("..", "link_file", "june.md")]
    assert not any(str(root) in words for words in refused)


@pytest.mark.parametrize(
    "options",
    [
        {"root": ""},
        {"root": "a\0b"},
        {"root": "a", "suffixes": ".txt"},
        {"root": "a", "suffixes": ()},
        {"root": "a", "suffixes": ("txt",)},
        {"root": "a", "suffixes": ("./x",)},
    ],
)
def test_what_the_app_says_wrong_is_told_to_the_app(options: dict[str, Any]) -> None:
    with pytest.raises(tb.ToolDefinitionError, match="PathInside"):
        safe.PathInside(**options)


ODD: Final = ("..", ".", "/", "//", "\\", "~", "%2e", "\0", " ", ":", "\uff0e", "\u2215")
LINKS: Final = ("link_in", "link_out", "link_file", "link_up", "chain", "dangling", "loop")
NAMES: Final = ("a.txt", "reports", "missing", "secret.txt", "root", "outside", "etc", "passwd")
PIECES: Final = st.sampled_from([*ODD, *LINKS, *NAMES])
WRITTEN: Final = st.one_of(
    st.lists(PIECES, max_size=9).map("/".join), st.lists(PIECES).map("".join), st.text()
)


@settings(deadline=None)
@drawn(value=WRITTEN)
def test_whatever_is_written_stays_inside(root: Path, value: str) -> None:
    """By the resolution of the system's own call, which knows nothing of our rules."""
    path = may_be(safe.PathInside(root), value)
    if path is not None:
        assert os.path.realpath(path) == path
        assert os.path.commonpath([path, root]) == str(root)
