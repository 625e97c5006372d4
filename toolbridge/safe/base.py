"""What the argument types have in common: the hooks of pydantic, and words before the limits."""

from __future__ import annotations

import dataclasses
from typing import Any, NoReturn

from toolbridge.errors import ToolDefinitionError
from toolbridge.values import JSON


# without its own equality, which a type with `eq=False` would inherit: `typing` keeps one Annotated
# for metadata that are equal
@dataclasses.dataclass(frozen=True, eq=False)
class ArgumentType:
    """What an argument may be, as metadata of an annotation: `Annotated[str, ThisType(...)]`.

    `check` gives the value that the function gets, or raises ValueError with words for the
    model; `json_schema` tells the model the limits. `description` says what the argument is
    for, and stands before them. The hooks are those that pydantic asks of metadata
    (https://docs.pydantic.dev/latest/concepts/types/#custom-types).

    To write one: subclass it and give `check` and `limits`, a JSON Schema with a description.
    """

    description: str = dataclasses.field(default="", kw_only=True)

    def check(self, value: Any) -> Any:
        """The value that the function gets. Raises ValueError with words for the model."""
        raise NotImplementedError

    def limits(self) -> dict[str, JSON]:
        """The JSON Schema of what may come, its description in words for the model."""
        raise NotImplementedError

    def json_schema(self) -> dict[str, JSON]:
        """The JSON Schema for the model: the limits, after what the argument is for."""
        limits = self.limits()
        if self.description:
            limits["description"] = f"{self.description.rstrip('.')}. {limits['description']}"
        return limits

    def validated(self, value: Any) -> Any:
        """`check` for pydantic, whose messages would else begin with "Value error"."""
        from pydantic_core import PydanticCustomError

        try:
            return self.check(value)
        except ValueError as error:
            words = {"words": str(error)}
            raise PydanticCustomError("unsafe_argument", "{words}", words) from None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """The check stands before the annotated type, which takes what was checked."""
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(self.validated, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, JSON]:
        return self.json_schema()


def refuse(what: str, mend: str) -> NoReturn:
    """Refuse a value: what is wrong with it, and how to do better."""
    raise ValueError(f"{what}. {mend}")


def misdefined(kind: str, what: str) -> NoReturn:
    """Refuse what the app says of a type."""
    raise ToolDefinitionError(f"{kind}: {what}")
