"""A call of a stream while it comes."""

from __future__ import annotations

import dataclasses
from typing import Literal

from toolbridge.streams.pieces import Pieces
from toolbridge.values import JSON

Status = Literal["complete", "cut", "invalid"]


@dataclasses.dataclass
class OpenCall:
    """A call of a stream: its argument text in pieces, joined when somebody asks for it.

    `made_id` says that the vendor gave no id. `status` is None until the call ends, `arguments`
    until they are whole.
    """

    block: int
    alternative: int = 0
    id: str = ""
    made_id: bool = False
    free_text: bool = False
    text: list[str] = dataclasses.field(default_factory=Pieces)
    status: Status | None = None
    arguments: JSON = None

    def joined(self) -> str:
        """The text so far."""
        if len(self.text) != 1:
            self.text = Pieces(["".join(self.text)])
        return self.text[0]

    def ended(self) -> Status:
        """How the call ended: one that did not was cut."""
        return self.status or "cut"
