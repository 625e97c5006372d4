"""Write what the loop sends into the requests of the cassettes; the responses stay as they are.

python cassettes/update_requests.py         then look at what changed
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toolbridge.demo.conversations import CONVERSATIONS, MODELS, Conversation
from toolbridge.demo.play import cassette_model, play, run_before
from toolbridge.demo.tape import ReadableYaml, path_of, player

WIDTH = 96


def main() -> None:
    """Bring every cassette up to date."""
    for conversation in CONVERSATIONS.values():
        for each in MODELS:
            path = path_of(conversation.name, each)
            path.write_text(updated(path, conversation, each), encoding="utf-8")


def updated(path: Path, conversation: Conversation, format: str) -> str:
    """A cassette with the requests of today: played in their order, whatever they say."""
    text = path.read_text(encoding="utf-8")
    head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    content = ReadableYaml.deserialize(text)
    before = run_before(conversation)
    with player(("method", "path")).use_cassette(path):
        played = play(conversation, cassette_model(format), before)
    if played.error is not None:
        raise played.error
    for interaction, answered in zip(content["interactions"], played.answers, strict=True):
        interaction["request"]["body"] = laid_out(answered.call.body) + "\n"
    return head + ReadableYaml.serialize(content)


def laid_out(value: Any, indent: int = 0) -> str:
    """JSON on as few lines as fit."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not value or not isinstance(value, (dict, list)):
        return flat
    deeper = " " * (indent + 2)
    if isinstance(value, dict):
        members = [
            f"{deeper}{json.dumps(key, ensure_ascii=False)}: {laid_out(member, indent + 2)}"
            for key, member in value.items()
        ]
        return "{\n" + ",\n".join(members) + "\n" + " " * indent + "}"
    members = [deeper + laid_out(member, indent + 2) for member in value]
    return "[\n" + ",\n".join(members) + "\n" + " " * indent + "]"


if __name__ == "__main__":
    main()
