"""Argument types for what attackers use, for the parameters of tools that a model fills.

    from toolbridge import safe

    def read(path: Annotated[str, safe.PathInside("/srv/files")]) -> str: ...

Each is the metadata of an annotation for pydantic, tells the model its limits in the JSON Schema,
and has a `check` for use without pydantic. Nothing here is loaded by `import toolbridge`.
"""

from toolbridge.safe.base import ArgumentType
from toolbridge.safe.command import Command
from toolbridge.safe.identifier import Identifier
from toolbridge.safe.path import PathInside
from toolbridge.safe.sql import SQL, BoundStatement
from toolbridge.safe.url import URL

__all__ = ["SQL", "URL", "ArgumentType", "BoundStatement", "Command", "Identifier", "PathInside"]
