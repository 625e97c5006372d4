"""Schemas of every draft in one plain spelling: what each older word becomes, and that no value
is judged otherwise for it."""

from __future__ import annotations

import copy
import gzip
import json
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for
from referencing.jsonschema import EMPTY_REGISTRY

from laws.corpus import SHARED, requires_shared
from laws.pointers import value_at
from project import python
from toolbridge.schemas.keywords import LISTS, MAPS, SINGLE
from toolbridge.schemas.modern import DEPTH, Modern, SchemaProblem, is_modern, modern, whole
from toolbridge.schemas.words import nodes
from toolbridge.values import freeze

DRAFT3: Final = {"$schema": "http://json-schema.org/draft-03/schema#"}
DRAFT4: Final = {"$schema": "http://json-schema.org/draft-04/schema#"}
DRAFT6: Final = {"$schema": "http://json-schema.org/draft-06/schema"}
DRAFT7: Final = {"$schema": "https://json-schema.org/draft-07/schema#/"}
DRAFT2019: Final = {"$schema": "https://json-schema.org/draft/2019-09/schema"}
DRAFT2020: Final = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
TEXT: Final = {"type": "string"}
COUNT: Final = {"type": "integer"}
NULL: Final = {"type": "null"}


def case(reason: str, schema: Any, root: Any, /, **definitions: Any) -> Any:
    """A schema, and the root and the definitions that it becomes."""
    return pytest.param(schema, root, definitions, id=reason)


def to(name: str) -> dict[str, str]:
    """A reference to a definition."""
    return {"$ref": f"#/$defs/{name}"}


PLAIN: Final = (
    case("True says nothing", True, {}),
    case("False fits nothing", False, False),
    case(
        "True below is an empty schema, False stays",
        {"properties": {"a": True, "b": False}, "items": True, "anyOf": [True, False]},
        {"properties": {"a": {}, "b": False}, "items": {}, "anyOf": [{}, False]},
    ),
    case(
        "other keywords stay in order, unknown ones too",
        {"x-b": {"type": ["string"]}, "type": "string", "format": "f", "a": 1, "pattern": "("},
        {"x-b": {"type": ["string"]}, "type": "string", "format": "f", "a": 1, "pattern": "("},
    ),
    case(
        "what names schemas goes",
        {
            **DRAFT2020,
            "$id": "http://x/y",
            "$anchor": "a",
            "$dynamicAnchor": "b",
            "$defs": {"unused": TEXT},
            "definitions": {"unused": TEXT},
            "items": {"id": "i", "$recursiveAnchor": True, "type": "string"},
        },
        {"items": TEXT},
    ),
    case(
        "a property named as a keyword is a name",
        {
            "properties": {
                "$ref": TEXT,
                "items": TEXT,
                "required": TEXT,
                "$id": TEXT,
                "id": TEXT,
                "nullable": TEXT,
                "definitions": TEXT,
                "const": {"type": ["string"]},
            },
            "dependentSchemas": {"extends": {"type": ["string"]}},
        },
        {
            "properties": {
                "$ref": TEXT,
                "items": TEXT,
                "required": TEXT,
                "$id": TEXT,
                "id": TEXT,
                "nullable": TEXT,
                "definitions": TEXT,
                "const": TEXT,
            },
            "dependentSchemas": {"extends": TEXT},
        },
    ),
    case(
        "data is no schema",
        {
            "const": {"$ref": "#/a", "type": ["string"]},
            "enum": [{"nullable": True}],
            "default": {"$id": "a", "divisibleBy": 1},
            "examples": [{"items": [True]}],
        },
        {
            "const": {"$ref": "#/a", "type": ["string"]},
            "enum": [{"nullable": True}],
            "default": {"$id": "a", "divisibleBy": 1},
            "examples": [{"items": [True]}],
        },
    ),
    case(
        "every schema position is walked",
        {
            **{key: {"type": ["string"]} for key in ("if", "then", "else", "not", "contains")},
            **{key: {"type": ["string"]} for key in ("propertyNames", "additionalProperties")},
            **{key: {"type": ["string"]} for key in ("unevaluatedItems", "unevaluatedProperties")},
            **{key: [{"type": ["string"]}] for key in ("allOf", "oneOf", "prefixItems")},
            "contentSchema": {"type": ["string"]},
            "patternProperties": {"^a": {"type": ["string"]}},
        },
        {
            **dict.fromkeys(("if", "then", "else", "not", "contains"), TEXT),
            **dict.fromkeys(("propertyNames", "additionalProperties"), TEXT),
            **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), TEXT),
            **{key: [TEXT] for key in ("allOf", "oneOf", "prefixItems")},
            "contentSchema": TEXT,
            "patternProperties": {"^a": TEXT},
        },
    ),
    case("one type is no list", {"type": ["string"]}, TEXT),
    case("several types are", {"type": ["string", "null"]}, {"type": ["string", "null"]}),
    case(
        "Google's types stay",
        {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}},
        {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}},
    ),
)

OLDER: Final = (
    case(
        "draft 4: an exclusive minimum is the minimum",
        {**DRAFT4, "minimum": 1, "exclusiveMinimum": True},
        {"exclusiveMinimum": 1},
    ),
    case(
        "draft 4: the order of the two does not matter",
        {"exclusiveMaximum": True, "maximum": 1},
        {"exclusiveMaximum": 1},
    ),
    case(
        "draft 4: a limit that is not exclusive",
        {"minimum": 1, "exclusiveMinimum": False, "maximum": 2, "exclusiveMaximum": False},
        {"minimum": 1, "maximum": 2},
    ),
    case("draft 4: exclusive of nothing", {"exclusiveMinimum": True}, {}),
    case(
        "draft 6: a number says it alone",
        {"minimum": 1, "exclusiveMinimum": 2},
        {"minimum": 1, "exclusiveMinimum": 2},
    ),
    case(
        "a list of items is a prefix, and the additional ones are the items",
        {**DRAFT7, "items": [TEXT, True], "additionalItems": False},
        {"prefixItems": [TEXT, {}], "items": False},
    ),
    case("2020-12 too", {**DRAFT2020, "items": [TEXT]}, {"prefixItems": [TEXT]}),
    case(
        "beside one schema for items additional ones have no meaning",
        {"items": TEXT, "additionalItems": False},
        {"items": TEXT},
    ),
    case("nor without items", {"additionalItems": False}, {}),
    case(
        "no item has a schema of its own: a prefix has at least one",
        {"items": [], "additionalItems": TEXT},
        {"items": TEXT},
    ),
    case(
        "dependencies are of names or of a schema",
        {
            "dependencies": {
                "a": ["b", "c"],
                "d": "e",
                "f": [],
                "g": {"type": ["object"]},
                "h": False,
            }
        },
        {
            "dependentRequired": {"a": ["b", "c"], "d": ["e"], "f": []},
            "dependentSchemas": {"g": {"type": "object"}, "h": False},
        },
    ),
    case(
        "draft 3: required stands on the property",
        {
            **DRAFT3,
            "properties": {
                "a": {"type": "string", "required": True},
                "b": {"type": "string", "required": False},
                "required": {"type": "string", "required": True},
            },
        },
        {
            "properties": {"a": TEXT, "b": TEXT, "required": TEXT},
            "required": ["a", "required"],
        },
    ),
    case(
        "required on a property, in any draft, beside a list",
        {"required": ["b", "a"], "properties": {"a": {"required": True}, "c": {"required": True}}},
        {"required": ["b", "a", "c"], "properties": {"a": {}, "c": {}}},
    ),
    case(
        "required elsewhere says nothing",
        {"required": True, "items": {"required": True, "type": "string"}},
        {"items": TEXT},
    ),
    case("draft 3: any type", {"type": "any", "title": "t"}, {"title": "t"}),
    case("draft 3: any of a list", {"type": ["string", "any"]}, {}),
    case(
        "draft 3: types that are schemas",
        {"type": ["string", {"type": "any", "minimum": 1}, "null"]},
        {"anyOf": [{"type": ["string", "null"]}, {"minimum": 1}]},
    ),
    case(
        "draft 3: only schemas",
        {"type": [{"divisibleBy": 2}]},
        {"anyOf": [{"multipleOf": 2}]},
    ),
    case("draft 3: divisibleBy", {"divisibleBy": 2}, {"multipleOf": 2}),
    case("draft 3: extends one", {"extends": {"type": ["string"]}}, {"allOf": [TEXT]}),
    case(
        "draft 3: extends several, beside what must hold already",
        {"extends": [TEXT, NULL], "allOf": [COUNT]},
        {"allOf": [TEXT, NULL, COUNT]},
    ),
    case("extends as a word is of some other tool", {"extends": "a.json"}, {"extends": "a.json"}),
    case("draft 3: disallow one", {"disallow": "string"}, {"not": TEXT}),
    case("draft 3: disallow all", {"disallow": "any"}, {"not": {}}),
    case(
        "draft 3: disallow several and schemas",
        {"disallow": ["string", "null", {"minimum": 1}]},
        {"not": {"anyOf": [{"type": ["string", "null"]}, {"minimum": 1}]}},
    ),
)

TWICE: Final = (
    case(
        "dependencies",
        {
            "dependencies": {"a": ["b"], "c": TEXT},
            "dependentRequired": {"a": ["d"]},
            "dependentSchemas": {"c": NULL},
        },
        {
            "allOf": [{"dependentRequired": {"a": ["b"]}}, {"dependentSchemas": {"c": TEXT}}],
            "dependentRequired": {"a": ["d"]},
            "dependentSchemas": {"c": NULL},
        },
    ),
    case(
        "disallow and divisibleBy",
        {"not": NULL, "disallow": "string", "multipleOf": 2, "divisibleBy": 3, "allOf": [COUNT]},
        {"not": NULL, "allOf": [{"not": TEXT}, {"multipleOf": 3}, COUNT], "multipleOf": 2},
    ),
    case(
        "types that are schemas",
        {"type": [NULL], "anyOf": [TEXT]},
        {"allOf": [{"anyOf": [NULL]}], "anyOf": [TEXT]},
    ),
    case(
        "a list of items",
        {"prefixItems": [TEXT], "items": [COUNT], "additionalItems": NULL},
        {"prefixItems": [TEXT], "allOf": [{"prefixItems": [COUNT], "items": NULL}]},
    ),
    case(
        "references",
        {"$ref": "#/$defs/a", "$dynamicRef": "#/$defs/b", "$defs": {"a": TEXT, "b": NULL}},
        {**to("a"), "allOf": [to("b")]},
        a=TEXT,
        b=NULL,
    ),
)

NULLABLE: Final = (
    case("a type", {"type": "string", "nullable": True}, {"type": ["string", "null"]}),
    case("not", {"type": "string", "nullable": False}, TEXT),
    case(
        "types of which one is null",
        {"type": ["string", "null"], "nullable": True},
        {"type": ["string", "null"]},
    ),
    case("Google's type", {"type": "STRING", "nullable": True}, {"type": ["STRING", "NULL"]}),
    case("no type: null fits", {"minLength": 1, "nullable": True}, {"minLength": 1}),
    case(
        "a type and an enum",
        {"type": "string", "enum": ["a"], "nullable": True},
        {"type": ["string", "null"], "enum": ["a", None]},
    ),
    case("an enum with null", {"enum": [None], "nullable": True}, {"enum": [None]}),
    case("a word of another meaning", {"nullable": "maybe"}, {"nullable": "maybe"}),
    case(
        "a reference; what is said about it stays outside",
        {
            "title": "t",
            "$ref": "#/$defs/a",
            "nullable": True,
            "description": "d",
            "default": None,
            "minLength": 1,
            "$defs": {"a": TEXT},
        },
        {
            "title": "t",
            "description": "d",
            "default": None,
            "anyOf": [{**to("a"), "minLength": 1}, NULL],
        },
        a=TEXT,
    ),
    case(
        "a union and a type",
        {"type": "string", "anyOf": [{"minLength": 1}], "nullable": True},
        {"anyOf": [{"type": "string", "anyOf": [{"minLength": 1}]}, NULL]},
    ),
    case("a constant", {"const": 1, "nullable": True}, {"anyOf": [{"const": 1}, NULL]}),
    case(
        "a property that must be there",
        {"properties": {"a": {"const": 1, "nullable": True, "required": True}}},
        {"properties": {"a": {"anyOf": [{"const": 1}, NULL]}}, "required": ["a"]},
    ),
    case(
        "types that are schemas",
        {"type": [TEXT], "nullable": True},
        {"anyOf": [{"anyOf": [TEXT]}, NULL]},
    ),
)

TREE: Final = {"items": {"$ref": "#"}}

REFERENCES: Final = (
    case(
        "a definition, converted once",
        {
            "definitions": {"a": {"type": ["string"]}},
            "properties": {"b": {"$ref": "#/definitions/a"}, "c": {"$ref": "#/definitions/a"}},
        },
        {"properties": {"b": to("a"), "c": to("a")}},
        a=TEXT,
    ),
    case("the root", TREE, {"items": to("root")}, root={"items": to("root")}),
    case(
        "the root as an empty URI",
        {"not": {"$ref": ""}},
        {"not": to("root")},
        root={"not": to("root")},
    ),
    case(
        "a place in the schema is there and a definition",
        {"properties": {"a": {"items": TEXT}, "b": {"$ref": "#/properties/a/items"}}},
        {"properties": {"a": {"items": TEXT}, "b": to("items")}},
        items=TEXT,
    ),
    case(
        "a place where no schema stands by itself",
        {"$ref": "#/components/schemas/a", "components": {"schemas": {"a": {"type": ["null"]}}}},
        {**to("a"), "components": {"schemas": {"a": {"type": ["null"]}}}},
        a=NULL,
    ),
    case(
        "one of a list",
        {"anyOf": [TEXT, {"$ref": "#/anyOf/0"}]},
        {"anyOf": [TEXT, to("0")]},
        **{"0": TEXT},
    ),
    case(
        "escaped steps; names are cleaned",
        {
            "$defs": {"a/b~c d%": TEXT, "가": NULL},
            "items": {"$ref": "#/$defs/a~1b~0c%20d%25"},
            "not": {"$ref": "#/$defs/%EA%B0%80"},
        },
        {"items": to("a_b_c_d_"), "not": to("_")},
        a_b_c_d_=TEXT,
        _=NULL,
    ),
    case(
        "names that are alike",
        {
            "$defs": {"a": TEXT, "a_2": NULL, "b": {"$defs": {"a": COUNT}}},
            "allOf": [
                {"$ref": "#/$defs/a"},
                {"$ref": "#/$defs/a_2"},
                {"$ref": "#/$defs/b/$defs/a"},
            ],
        },
        {"allOf": [to("a"), to("a_2"), to("a_3")]},
        a=TEXT,
        a_2=NULL,
        a_3=COUNT,
    ),
    case(
        "circles",
        {
            "$ref": "#/$defs/a",
            "$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"not": {"$ref": "#/$defs/a"}}},
        },
        to("a"),
        a={"items": to("b")},
        b={"not": to("a")},
    ),
    case(
        "to what is true or false",
        {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {"a": True, "b": False}},
        {"anyOf": [to("a"), to("b")]},
        a={},
        b=False,
    ),
    case(
        "drafts 3 to 7: only annotations count beside one",
        {
            **DRAFT7,
            "definitions": {"a": TEXT},
            "items": {"$ref": "#/definitions/a", "minLength": 1, "title": "t", "nullable": True},
        },
        {"items": {**to("a"), "title": "t"}},
        a=TEXT,
    ),
    case(
        "later, and where no draft is said, all does",
        {"definitions": {"a": TEXT}, "items": {"$ref": "#/definitions/a", "minLength": 1}},
        {"items": {**to("a"), "minLength": 1}},
        a=TEXT,
    ),
    case(
        "draft 4: by id",
        {
            **DRAFT4,
            "id": "http://x/root.json",
            "definitions": {"a": {"id": "b.json", "type": ["string"]}, "c": {"id": "#d", **NULL}},
            "anyOf": [{"$ref": "b.json"}, {"$ref": "#d"}, {"$ref": "root.json#/definitions/c"}],
        },
        {"anyOf": [to("b_json"), to("d"), to("d")]},
        b_json=TEXT,
        d=NULL,
    ),
    case(
        "draft 6: by $id, from below an id",
        {
            **DRAFT6,
            "$id": "http://x/root.json",
            "definitions": {
                "a": {
                    "$id": "folder/",
                    "definitions": {"b": {"$id": "b.json", **TEXT}},
                    "items": {"$ref": "b.json"},
                    "not": {"$ref": "#/definitions/b"},
                }
            },
            "$ref": "#/definitions/a",
        },
        to("a"),
        a={"items": to("b_json"), "not": to("b_json")},
        b_json=TEXT,
    ),
    case(
        "id is no id where $id is",
        {**DRAFT7, "definitions": {"a": {"id": "b"}}, "items": {"$ref": "#/definitions/a"}},
        {"items": to("a")},
        a={},
    ),
    case(
        "2019-09: an anchor and the root",
        {
            **DRAFT2019,
            "$defs": {"a": {"$anchor": "here", "type": "string"}},
            "items": {"$ref": "#here"},
            "not": {"$recursiveRef": "#"},
        },
        {"items": to("here"), "not": to("root")},
        here=TEXT,
        root={"items": to("here"), "not": to("root")},
    ),
    case(
        "2020-12: a dynamic anchor",
        {"$defs": {"a": {"$dynamicAnchor": "here", **TEXT}}, "items": {"$dynamicRef": "#here"}},
        {"items": to("here")},
        here=TEXT,
    ),
)


ALL: Final = (*PLAIN, *OLDER, *TWICE, *NULLABLE, *REFERENCES)


@pytest.mark.parametrize(("schema", "root", "definitions"), ALL)
def test_what_a_schema_becomes(schema: Any, root: Any, definitions: dict[str, Any]) -> None:
    before = copy.deepcopy(schema)
    made = modern(schema)
    assert text(made.root) == text(root)
    assert text(made.definitions) == text(definitions)
    assert made.unresolved == ()
    assert text(schema) == text(before)
    assert_sound(schema, made)


@pytest.mark.parametrize(("schema", "root", "definitions"), ALL)
def test_frozen_schemas_are_read_the_same(
    schema: Any, root: Any, definitions: dict[str, Any]
) -> None:
    made = modern(freeze(schema))
    assert text([made.root, made.definitions]) == text([root, definitions])
    for node in every_node(made):
        assert type(node) is dict
        assert all(type(node.get(key, {})) is dict for key in ("properties", "patternProperties"))
        assert all(type(node.get(key, [])) is list for key in ("allOf", "anyOf", "required"))


def text(item: Any) -> str:
    """A JSON value with its order, in which 1 and true are two."""
    return json.dumps(item)


def every_node(made: Modern) -> list[dict[str, Any]]:
    """The nodes that are objects, in the root and the definitions."""
    found: list[dict[str, Any]] = []
    waiting: list[Any] = [made.root, *made.definitions.values()]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            found.append(node)
            waiting += [node[key] for key in {*SINGLE, "items"} & node.keys()]
            waiting += [each for key in LISTS if key in node for each in node[key]]
            waiting += [each for key in MAPS if key in node for each in node[key].values()]
    return found


def assert_sound(schema: Any, made: Modern) -> None:
    """What holds of every outcome: it is plain and stays so, and every node has a place."""
    assert is_modern(whole(made))
    assert text(whole(modern(whole(made)))) == text(whole(made))
    found = every_node(made)
    references = {f"#/$defs/{name}" for name in made.definitions}
    assert {id(node) for node in found} == made.places.keys()
    assert len(found) == len(made.places), "no node is there twice"
    originals = {id(node) for _, node in nodes(schema)}
    for node in found:
        value_at(schema, made.places[id(node)])
        assert id(node) not in originals
        assert node.keys().isdisjoint({"$schema", "$id", "id", "$anchor", "$defs", "definitions"})
        assert node.get("$ref") in {None, *references}


def test_every_node_says_where_it_stands_in_the_input() -> None:
    schema = {
        "$defs": {"a/b": {"disallow": [{"title": "disallowed"}]}},
        "items": [{"title": "first"}],
        "additionalItems": {"title": "others"},
        "dependencies": {"x": {"title": "dependent"}},
        "extends": {"title": "extended"},
        "type": [{"title": "typed"}],
        "properties": {"p": {"title": "nullable", "const": 1, "nullable": True}, "q": True},
        "not": {"$ref": "#/$defs/a~1b"},
    }
    made = modern(schema)
    places = {str(node.get("title", node)): made.places[id(node)] for node in every_node(made)}
    assert made.places[id(made.root)] == ""
    assert made.places[id(made.definitions["a_b"])] == "/$defs/a~1b"
    assert {title: place for title, place in places.items() if title.isalpha()} == {
        "first": "/items/0",
        "others": "/additionalItems",
        "dependent": "/dependencies/x",
        "extended": "/extends",
        "typed": "/type/0",
        "nullable": "/properties/p",
        "disallowed": "/$defs/a~1b/disallow/0",
    }
    assert places["{'const': 1}"] == places["{'type': 'null'}"] == "/properties/p"
    assert places["{}"] == "/properties/q"


@pytest.mark.parametrize(
    ("schema", "root", "unresolved"),
    [
        ({"$ref": "#/$defs/a", "title": "t"}, {"title": "t"}, ("/$ref", "#/$defs/a")),
        ({"items": {"$ref": "other.json"}}, {"items": {}}, ("/items/$ref", "other.json")),
        ({"not": {"$ref": "http://x/y#/z"}}, {"not": {}}, ("/not/$ref", "http://x/y#/z")),
        ({"not": {"$ref": "#anchor"}}, {"not": {}}, ("/not/$ref", "#anchor")),
        ({"$dynamicRef": "#a"}, {}, ("/$dynamicRef", "#a")),
        ({"type": "string", "$ref": "#/type"}, TEXT, ("/$ref", "#/type")),
        ({"anyOf": [TEXT], "$ref": "#/anyOf/1"}, {"anyOf": [TEXT]}, ("/$ref", "#/anyOf/1")),
        ({"$ref": "#/anyOf/x", "anyOf": [TEXT]}, {"anyOf": [TEXT]}, ("/$ref", "#/anyOf/x")),
        ({**DRAFT7, "$ref": "#/a", "minLength": 1}, {}, ("/$ref", "#/a")),
    ],
)
def test_a_reference_to_what_is_not_there_is_left_out(
    schema: Any, root: Any, unresolved: tuple[str, str]
) -> None:
    made = modern(schema)
    assert (made.root, made.definitions, made.unresolved) == (root, {}, (unresolved,))
    assert_sound(schema, made)


@pytest.mark.parametrize("draft", [DRAFT4, DRAFT2019, DRAFT2020])
def test_a_metaschema_is_known_without_the_net(draft: dict[str, str]) -> None:
    """Its own dynamic references lead to itself, as it is entered by its root."""
    made = modern({"properties": {"schema": {"$ref": draft["$schema"]}}})
    assert made.unresolved == ()
    assert set(made.places.values()) == {"", "/properties/schema"}
    checker = Draft202012Validator(whole(made))
    assert checker.is_valid({"schema": {"properties": {"a": {"type": "string"}}}})
    assert not checker.is_valid({"schema": {"properties": {"a": {"type": "text"}}}})


@pytest.mark.parametrize(
    ("schema", "pointer", "words"),
    [
        ([], "", "an object or a boolean"),
        ({"items": "string"}, "/items", "an object or a boolean"),
        ({"properties": {"a/b": None}}, "/properties/a~1b", "an object or a boolean"),
        ({"properties": []}, "/properties", "an object"),
        ({"definitions": []}, "/definitions", "an object"),
        ({"type": 1}, "/type", "one of string, number"),
        ({"type": "text"}, "/type", "one of string, number"),
        ({"type": "String"}, "/type", "one of string, number"),
        ({"type": []}, "/type", "one of string, number"),
        ({"type": {"type": "string"}}, "/type", "one of string, number"),
        ({"type": [["string"]]}, "/type", "one of string, number"),
        ({"disallow": 1}, "/disallow", "a type or a list"),
        ({"required": "a"}, "/required", "a list of strings"),
        ({"required": [1]}, "/required", "a list of strings"),
        ({"anyOf": []}, "/anyOf", "at least one"),
        ({"oneOf": {}}, "/oneOf", "at least one"),
        ({"allOf": [1]}, "/allOf/0", "an object or a boolean"),
        ({"prefixItems": TEXT}, "/prefixItems", "a list"),
        ({"enum": "a"}, "/enum", "a list"),
        ({"$ref": 1}, "/$ref", "a string"),
        ({"title": 1}, "/title", "a string"),
        ({"pattern": 1}, "/pattern", "a string"),
        ({"minimum": "1"}, "/minimum", "a number"),
        ({"maximum": True}, "/maximum", "a number"),
        ({"exclusiveMinimum": "1"}, "/exclusiveMinimum", "a number"),
        ({"multipleOf": 0}, "/multipleOf", "above 0"),
        ({"minLength": -1}, "/minLength", "at least 0"),
        ({"maxItems": 1.5}, "/maxItems", "at least 0"),
        ({"minItems": True}, "/minItems", "at least 0"),
        ({"uniqueItems": 1}, "/uniqueItems", "a boolean"),
        ({"dependencies": {"a": [1]}}, "/dependencies/a", "strings"),
        ({"dependencies": {"a": 1}}, "/dependencies/a", "an object or a boolean"),
        ({"dependentRequired": {"a": "b"}}, "/dependentRequired", "lists of strings"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"enum": 1}}}, "/$defs/a/enum", "a list"),
        ({"$id": "http://x", "not": {"$id": "http://[", "$ref": "#a"}}, "", "no URI"),
        ({"not": {"$id": "a", "$ref": "#a"}, "items": 1}, "", "no URI"),
    ],
)
def test_what_is_broken_is_told_with_its_place(schema: Any, pointer: str, words: str) -> None:
    with pytest.raises(SchemaProblem, match=words) as problem:
        modern(schema)
    assert problem.value.pointer == pointer
    assert words in problem.value.message
    assert isinstance(problem.value, ValueError)


def test_what_draft_7_passes_over_may_be_broken() -> None:
    schema = {**DRAFT7, "$ref": "#/definitions/a", "definitions": {"a": TEXT}, "type": 1}
    assert modern(schema).root == to("a")


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, True),
        ({"type": ["string"], "$defs": {"a": TEXT}, "definitions": {"a": TEXT}}, True),
        ({**DRAFT7, "$ref": "#/definitions/a", "definitions": {"a": TEXT}, "title": "t"}, True),
        ({**DRAFT7, "$ref": "#/definitions/a", "minLength": 1}, False),
        ({**DRAFT2019, "$ref": "#/definitions/a", "minLength": 1}, True),
        ({"$recursiveRef": "#"}, False),
        ({"prefixItems": [TEXT], "items": TEXT, "exclusiveMinimum": 1, "required": ["a"]}, True),
        ({"items": [TEXT]}, False),
        ({"additionalItems": TEXT}, False),
        ({"exclusiveMaximum": False}, False),
        ({"dependencies": {}}, False),
        ({"properties": {"a": {"required": True}}}, False),
        ({"$defs": {"a": {"nullable": False}}}, False),
        ({"definitions": {"a": {"type": "any"}}}, False),
        ({"anyOf": [{"type": ["string", {}]}]}, False),
        ({"extends": {}}, False),
        ({"extends": "a"}, True),
        ({"disallow": "string"}, False),
        ({"not": {"divisibleBy": 1}}, False),
        ({"properties": {"divisibleBy": TEXT, "nullable": TEXT}, "const": {"items": []}}, True),
        ({"properties": 1, "type": 1, "anyOf": "a"}, True),
    ],
)
def test_whether_a_schema_is_in_the_newer_spelling(schema: Any, expected: bool) -> None:
    assert is_modern(schema) is expected


@pytest.mark.parametrize("levels", [DEPTH, 2000, 20_000])
def test_a_deep_schema_is_read_or_refused_with_the_place(levels: int) -> None:
    schema: Any = {"title": "deepest"}
    for _ in range(levels):
        schema = {"items": schema, "$id": "a"}
    with pytest.raises(SchemaProblem, match=f"nested deeper than {DEPTH}") as problem:
        modern(schema)
    assert problem.value.pointer == "/items" * DEPTH
    assert is_modern(schema)
    for _ in range(levels - DEPTH + 1):
        schema = schema["items"]
    assert len(modern(schema).places) == DEPTH


def test_deep_data_is_not_walked() -> None:
    data: Any = 1
    for _ in range(100_000):
        data = [data]
    schema = {"default": data, "enum": data, "x": data, "not": {"$ref": "#"}}
    assert modern(schema).root == {**schema, "not": to("root")}


WIDE: Final[dict[str, Any]] = {
    "properties": lambda n: {"properties": {f"p{i}": {"type": ["string"]} for i in range(n)}},
    "references": lambda n: {
        "$defs": {f"d{i}": {"type": ["string"]} for i in range(n)},
        "properties": {f"p{i}": {"$ref": f"#/$defs/d{i}"} for i in range(n)},
    },
    "names that are alike": lambda n: {
        "$defs": {f"d{i}": {"$defs": {"a": TEXT}} for i in range(n)},
        "anyOf": [{"$ref": f"#/$defs/d{i}/$defs/a"} for i in range(n)],
    },
    "ids": lambda n: {
        "$defs": {f"d{i}": {"$id": f"http://x/{i}", **TEXT} for i in range(n)},
        "anyOf": [{"$ref": f"http://x/{i}"} for i in range(n)],
    },
}


@pytest.mark.parametrize("kind", WIDE)
def test_a_wide_schema_takes_linear_time(kind: str) -> None:
    """Sixteen times as much takes far less than 256 times as long."""

    def seconds(count: int) -> float:
        schema = WIDE[kind](count)
        modern(WIDE[kind](1))
        start = time.process_time()
        made = modern(schema)
        took = time.process_time() - start
        assert len(made.places) >= count
        return took

    assert seconds(32_000) < 80 * min(seconds(2_000) for _ in range(3))


def test_pointers_are_followed_without_another_library() -> None:
    """A process that adapts a common schema does not wait for jsonschema to load."""
    program = (
        "from toolbridge.schemas.modern import modern\n"
        "modern({'$defs': {'a': {}}, 'items': {'$ref': '#/$defs/a'}, 'not': {'$ref': '#'}})\n"
        "print([name for name in ('referencing', 'jsonschema', 'rpds') if name in sys.modules])"
    )
    assert subprocess.check_output(python(program), text=True).strip() == "[]"


CORPUS: Final = SHARED / "corpus" / "schemas" / "maskbench-dev.jsonl.gz"

OTHERWISE: Final = {
    "Github_trivial---o14485": "12345.0 is no integer in draft 4, and is one since draft 6",
}
"""Schemas of the corpus of whose instances one is judged otherwise, and why."""


def corpus() -> Iterator[dict[str, Any]]:
    """The schemas of the corpus with their instances."""
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@requires_shared
def test_the_instances_of_the_corpus_are_judged_the_same() -> None:
    counts: Counter[str] = Counter()
    otherwise: set[str] = set()
    for line in corpus():
        schema = line["schema"]
        made = modern(schema)
        assert made.unresolved == ()
        before = validator_for(schema, default=Draft202012Validator)(
            schema, registry=EMPTY_REGISTRY
        )
        after = Draft202012Validator(whole(made))
        counts["schemas"] += 1
        counts["definitions"] += len(made.definitions)
        for test in line["tests"]:
            same = before.is_valid(test["data"]) is after.is_valid(test["data"])
            counts["instances" if same else "instances judged otherwise"] += 1
            otherwise |= set() if same else {line["id"]}
    print(dict(counts))
    assert counts["schemas"] > 2000 and counts["instances"] > 7000
    assert otherwise == OTHERWISE.keys()


@requires_shared
def test_the_schemas_of_the_corpus_become_plain() -> None:
    """Those that were plain already keep every word but the names of definitions."""
    plain = 0
    for line in corpus():
        schema, before = line["schema"], text(line["schema"])
        made = modern(schema)
        assert_sound(schema, made)
        assert text(schema) == before
        plain += is_modern(schema)
        if not is_modern(schema):
            Draft202012Validator.check_schema(whole(made))
    print(f"{plain} are in the newer spelling already")
    assert plain > 2000
