"""For any schema and any value: what is valid has a form that the adapted schema takes and that
comes back equal, or a loss says that there is none."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toolbridge as tb
from schemas.proof import LOSSLESS, TARGETS, dialect_of, validator, written_schema
from toolbridge.schemas.check import findings
from toolbridge.schemas.instances import equal
from toolbridge.schemas.modern import modern, whole

NAMES: Final = st.sampled_from(["a", "b", "title", "$x", "값"])
SCALARS: Final = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["", "a", "red", "2026-11-30"])
)
VALUES: Final = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
LEAVES: Final = st.one_of(
    st.just({}),
    st.sampled_from(["string", "integer", "number", "boolean", "null"]).map(
        lambda kind: {"type": kind}
    ),
    st.sampled_from(
        [
            {"type": ["string", "null"]},
            {"type": "string", "minLength": 1},
            {"type": "integer", "minimum": 0, "exclusiveMaximum": 3},
            {"enum": [1, "a", None]},
            {"const": 2},
            {"type": "string", "pattern": "^r", "description": "A colour"},
            {"type": "object"},
            {"type": "array"},
        ]
    ),
)


def objects(inner: Any) -> Any:
    """Objects: some properties required, closed, open, or a map."""
    properties = st.dictionaries(NAMES, inner, max_size=3)
    further: Any = st.one_of(
        st.just({}), st.booleans().map(lambda open: {"additionalProperties": open})
    )
    maps = st.one_of(further, inner.map(lambda each: {"additionalProperties": each}))
    return st.builds(
        lambda names, more, needed: {
            "type": "object",
            "properties": names,
            "required": [name for name in names if needed],
            **more,
        },
        properties,
        maps,
        st.booleans(),
    )


SCHEMAS: Final = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        objects(inner),
        inner.map(lambda each: {"type": "array", "items": each, "maxItems": 3}),
        st.lists(inner, min_size=1, max_size=2).map(
            lambda first: {"type": "array", "prefixItems": first, "minItems": len(first)}
        ),
        st.tuples(st.sampled_from(["anyOf", "oneOf", "allOf"]), inner, inner).map(
            lambda made: {made[0]: [made[1], made[2]]}
        ),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("target", TARGETS)
@given(schema=SCHEMAS, values=st.lists(VALUES, min_size=1, max_size=4))
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_what_is_valid_comes_back_or_a_loss_says_so(
    target: str, schema: Any, values: list[Any]
) -> None:
    format, _, strict = target.partition(" ")
    tool = {"name": "t", "description": "d", "input_schema": schema}
    adapted = tb.adapt_tools([tool], format, strict=bool(strict))
    made, is_strict = written_schema(adapted.payload)
    dialect = dialect_of(format, is_strict)
    assert findings(made, dialect) == []
    original = validator(schema)
    written = validator(made if dialect.type_lists else whole(modern(made)))
    lossy = [each for each in adapted.losses if not each.reversible and each.code not in LOSSLESS]
    for value in values:
        forward = adapted.forward("t", value)[1]
        if original.is_valid(value) and not lossy:
            assert written.is_valid(forward)
            assert equal(adapted.restore("t", forward)[1], value)
