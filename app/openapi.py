"""What the OpenAPI description says beyond the routes: examples of answers, and how public reads are kept."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts
from pydantic import TypeAdapter

from app.public_reads import is_public_path

Json = dict[str, Any]

_JSON = "application/json"
_TAG: Json = {"description": "for If-None-Match", "schema": {"type": "string"}}
_KNOWN: Json = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "the ETag of an answer that is there already",
    "schema": {"type": "string"},
}
_NOT_CHANGED = "What is there already is still right"


def complete_description(app: FastAPI) -> None:
    """Make the description of the application whole, once it is asked for."""
    describe = app.openapi

    def openapi() -> Json:
        is_new = app.openapi_schema is None
        description = describe()
        if is_new:
            _complete(description, iter_route_contexts(app.routes))
        return description

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI has it extended


def _complete(description: Json, contexts: Iterable[RouteContext]) -> None:
    for context in contexts:
        route, path = context.original_route, context.path_format or ""
        if not isinstance(route, APIRoute) or not route.include_in_schema:
            continue
        for method in context.methods or ():
            operation = description["paths"][path][method.lower()]
            if method == "GET" and is_public_path(path):
                _describe_public_read(operation)
            _add_examples(operation["responses"], route)
    for schema in description["components"]["schemas"].values():
        # They have lost what is null in them.
        schema.pop("example", None)


def _describe_public_read(operation: Json) -> None:
    operation.setdefault("parameters", []).append(_KNOWN)
    operation["responses"]["200"].setdefault("headers", {})["ETag"] = _TAG
    operation["responses"]["304"] = {"description": _NOT_CHANGED, "headers": {"ETag": _TAG}}


def _add_examples(responses: Json, route: APIRoute) -> None:
    """The example that the route gives, or else that of its model; with what is null in it."""
    for status, response in responses.items():
        content = response.get("content", {}).get(_JSON)
        if content is None:
            continue
        given = route.responses.get(int(status), {})
        model = given.get("model", route.response_model)
        if "example" in given.get("content", {}).get(_JSON, {}):
            content["example"] = given["content"][_JSON]["example"]
        elif model is not None:
            schema = TypeAdapter(model).json_schema(mode="serialization")
            with suppress(LookupError):
                content["example"] = example_of(schema, schema.get("$defs", {}))


def example_of(schema: Json, definitions: Mapping[str, Json]) -> Any:
    """The example that a schema gives, or else made of those that its parts give. Raises LookupError."""
    if "example" in schema:
        return schema["example"]
    for choices in ("examples", "enum"):
        if choices in schema:
            return schema[choices][0]
    if "const" in schema:
        return schema["const"]
    if "$ref" in schema:
        return example_of(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], definitions)
    if schema["type"] == "array":
        return [example_of(schema["items"], definitions)]
    if schema["type"] == "object":
        return {name: example_of(part, definitions) for name, part in schema["properties"].items()}
    return {"null": None}[schema["type"]]
