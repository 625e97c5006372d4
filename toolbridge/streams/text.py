"""The text of a stream: server-sent events, JSON lines or a JSON array, cut anywhere.

https://html.spec.whatwg.org/multipage/server-sent-events.html, read leniently: a space after the
colon, names of events, comments and a blank line at the end may be missing. Gemini without
`alt=sse` sends one JSON array; servers of Ollama's kind send JSON lines.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import Literal

from toolbridge.errors import WireError
from toolbridge.values import JSON

Form = Literal["sse", "json"]

DONE = "[DONE]"
"""OpenAI's data after the last event: no event of its own."""

MEND = "Pass the text of one stream: server-sent events, JSON lines or a JSON array"


class StreamText:
    """Reads the text of a stream: `feed` bytes or text as it comes, then `end`; each gives the
    data objects that are whole. `form` is known once there was something to see."""

    def __init__(self) -> None:
        self.form: Form | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text: Lines | Values | None = None
        self._begun = False

    def feed(self, chunk: bytes | str) -> list[JSON]:
        """The data objects that are whole now. Raises WireError for data that is no JSON."""
        text = self._decoder.decode(chunk) if isinstance(chunk, bytes) else chunk
        if text and not self._begun:
            self._begun = True
            text = text.removeprefix("\ufeff")
        if self._text is None:
            text = text.lstrip()
            if not text:
                return []
            self.form = "json" if text[0] in "[{" else "sse"
            self._text = Values() if self.form == "json" else Lines()
        return self._text.feed(text)

    def end(self) -> list[JSON]:
        """What is left: an event that lacks its blank line. Raises WireError for a part of one."""
        found = self.feed(self._decoder.decode(b"", True))
        return found if self._text is None else [*found, *self._text.end()]


LINE = re.compile(r"[\r\n]")


class Lines:
    """Server-sent events. A line that is JSON itself counts as data: Gemini's errors in mid stream
    come so, in several lines."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._data: list[str] = []
        self._bare = False
        self._after_return = False
        self._count = 0

    def feed(self, text: str) -> list[JSON]:
        """The data objects that a text ends."""
        found: list[JSON] = []
        position = 0
        for end in LINE.finditer(text):
            if end[0] == "\n" and self._after_return and end.start() == position:
                position = end.end()
                self._after_return = False
                continue
            self._pieces.append(text[position : end.start()])
            position = end.end()
            self._after_return = end[0] == "\r"
            found += self._take_line("".join(self._pieces))
            self._pieces = []
        if position < len(text):
            self._after_return = False
            self._pieces.append(text[position:])
        return found

    def end(self) -> list[JSON]:
        """The data object that nothing ends any more."""
        line, self._pieces = "".join(self._pieces), []
        return [*self._take_line(line), *self._dispatch()]

    def _take_line(self, line: str) -> list[JSON]:
        if not line:
            return self._dispatch()
        field, _, told = line.partition(":")
        if self._bare or (line[0] in "{[" and not self._data):
            self._bare = True
            self._data.append(line)
        elif field == "data":
            self._data.append(told.removeprefix(" "))
        return []

    def _dispatch(self) -> list[JSON]:
        """The event that a blank line ends."""
        data, self._data, self._bare = "\n".join(self._data), [], False
        if not data.strip() or data.strip() == DONE:
            return []
        self._count += 1
        return [parsed(data, self._count)]


STRUCTURE = re.compile(r'["{}\[\]\\]')
IN_STRING = re.compile(r'["\\]')


class Values:
    """JSON objects one after the other: in lines, in an array, with RFC 7464's separators. Each
    character is looked at once, so that a large object in small pieces takes linear time."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._between = ""
        self._count = 0

    def feed(self, text: str) -> list[JSON]:
        """The objects that a text ends."""
        found: list[JSON] = []
        position = start = 0
        while position < len(text):
            if self._escaped:
                self._escaped = False
                position += 1
                continue
            mark = (IN_STRING if self._in_string else STRUCTURE).search(text, position)
            if mark is None:
                break
            position = mark.end()
            if self._depth == 0:
                start = self._begin(text, start, mark)
            elif self._take(mark[0]):
                self._pieces.append(text[start:position])
                whole, self._pieces, start = "".join(self._pieces), [], position
                self._count += 1
                found.append(parsed(whole, self._count))
        if self._depth:
            self._pieces.append(text[start:])
        else:
            self._between += text[start:]
        return found

    def _begin(self, text: str, start: int, mark: re.Match[str]) -> int:
        """What stands between objects; only `{` begins one. Gives the place where it goes on."""
        place = mark.start() if mark[0] == "{" else mark.end()
        self._between += text[start:place]
        self._depth = int(mark[0] == "{")
        self._check()
        return place

    def _take(self, character: str) -> bool:
        """Take a character of an object's structure: whether it ends the object."""
        if character == "\\":
            self._escaped = self._in_string
        elif character == '"':
            self._in_string = not self._in_string
        else:
            self._depth += 1 if character in "{[" else -1
        return self._depth == 0

    def _check(self) -> None:
        """Between objects stand white space, commas and brackets; `[DONE]` ends a stream."""
        words = BETWEEN.sub(" ", self._between).split()
        if self._depth and any(word != DONE.strip("[]") for word in words):
            raise fault(self._count, "an object", words[0][:80])
        self._between = " ".join(words)

    def end(self) -> list[JSON]:
        """Nothing: an object ends with its brace. Raises WireError for a part of one."""
        if self._depth:
            raise fault(self._count, "the end of an object", "the end of the text")
        self._depth = 1
        self._check()
        return []


BETWEEN = re.compile(r"[\s,\[\]\x1e]+")


def parsed(text: str, count: int) -> JSON:
    """The data object of a text. Raises WireError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise fault(count - 1, "JSON", f"{error}: {text[:80]!r}") from None


def fault(index: int, expected: str, found: str) -> WireError:
    """The error of the data object that comes as this one."""
    return WireError(f"/{index}", expected, found, MEND)


def as_event(data: JSON, named: bool) -> str:
    """A data object as a server-sent event; `named` after its type, as Anthropic and OpenAI
    Responses do."""
    kind = data.get("type") if isinstance(data, dict) else None
    name = f"event: {kind}\n" if named and isinstance(kind, str) else ""
    return f"{name}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n"
