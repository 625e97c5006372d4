"""Whether a value is where it must come from, and what to tell the model if it is not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from toolbridge.checkpoint.evidence import Evidence, Identity, Path
from toolbridge.checkpoint.provenance import From, spoken
from toolbridge.validation.validators import short
from toolbridge.values import JSON

Leaf = tuple[Path, Path, JSON]
"""A scalar in a value, with its steps in it, and those of them that are keys."""


class Lookup:
    """What the tools gave and the user wrote, for the call of a tool in a namespace. `names` are
    the tools of the run; those of earlier runs are known by what they gave."""

    def __init__(
        self, evidence: Evidence, names: Collection[Identity], namespace: str | None
    ) -> None:
        self.evidence = evidence
        self.names = names
        self.namespace = namespace
        self.found: dict[From, tuple[Identity, str]] = {}

    def place(self, source: From) -> tuple[Identity, str]:
        """The tool and the path that a source stands for."""
        if source not in self.found:
            made = source.resolve(self.names, self.namespace)
            if made[0] not in self.names:
                made = source.resolve(self.evidence.tools, self.namespace)
            self.found[source] = made
        return self.found[source]

    def has(self, source: From, keys: Path, leaf: JSON) -> bool:
        """Whether a scalar is where it must come from."""
        tool, path = self.place(source)
        steps = tuple(path.split(".")) if path else ()
        return (
            self.evidence.gave(tool, steps, leaf)
            or (keys != () and self.evidence.gave(tool, steps + keys, leaf))
            or (source.or_user and self.evidence.user_wrote(leaf))
        )

    def ungrounded(self, found: Iterator[Leaf], sources: Sequence[From]) -> list[tuple[Path, JSON]]:
        """The scalars that are in none of these places, with their steps; null needs none."""
        return [
            (steps, leaf)
            for steps, keys, leaf in found
            if leaf is not None and not any(self.has(each, keys, leaf) for each in sources)
        ]

    def line(self, name: str, leaf: JSON, sources: Sequence[From]) -> str:
        """What is wrong, and how to mend it, in words for the model."""
        found = [(spoken(tool), path) for tool, path in map(self.place, sources)]
        by_user = any(each.or_user for each in sources)
        places = [f"in no result of {tool}" + f" at {path}" * bool(path) for tool, path in found]
        if by_user:
            places.append("not in what the user wrote")
        tools = " or ".join(dict.fromkeys(tool for tool, _ in found))
        ask = ", or ask the user" if by_user else ""
        return (
            f"- {name}: {short(leaf)} is {' and '.join(places)}. Call {tools} first, in a step "
            f"of its own, and take {name} from its result{ask}."
        )


def leaves(value: JSON, steps: Path = (), keys: Path = ()) -> Iterator[Leaf]:
    """The scalars in a value, each with its steps in it, and those of them that are keys."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from leaves(member, (*steps, name), (*keys, name))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from leaves(member, (*steps, str(index)), keys)
    else:
        yield steps, keys, value
