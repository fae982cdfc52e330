"""What the OpenAPI description says beyond the routes: examples of answers, how public reads are kept, and
which operations need a session.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts
from pydantic import TypeAdapter

from app.problems import MEDIA_TYPE, FieldError, Problem, problem_responses
from app.public_reads import is_public_path
from app.shares import too_many_misses, too_many_requests

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
_SESSION: list[Json] = [{"cookie": []}, {"bearer": []}]
_NO_SESSION_ASKED = frozenset(("sign_in", "recover"))
"""Operations whose 401 is about a password or a recovery code."""
_SESSION_IF_GIVEN = frozenset(("who_am_i", "register", "leaderboard"))

_INTERFACE = "/api/"
_UNKNOWN_PARAMETER = Problem(
    422,
    "invalid",
    "perod: this address takes no parameters",
    errors=[FieldError(field="perod", sentence="this address takes no parameters")],
)
_USUAL_REFUSALS = (_UNKNOWN_PARAMETER, too_many_requests(3), too_many_misses(6))
_COOKIE: Json = {
    "type": "apiKey",
    "in": "cookie",
    "description": "how a browser keeps its session",
}
_BEARER: Json = {
    "type": "http",
    "scheme": "bearer",
    "description": "how a program sends the value of that cookie",
}


def serve_description(app: FastAPI) -> None:
    """Answer `/api/openapi.json`. Made with the first request, and kept: it is always the same."""
    made: list[bytes] = []

    async def description() -> Response:
        if not made:
            made.append(bytes(JSONResponse(app.openapi()).body))
        return Response(made[0], media_type=_JSON)

    app.add_api_route("/api/openapi.json", description, methods=["GET"], include_in_schema=False)


def complete_description(app: FastAPI, *, cookie: str) -> None:
    """Make the description of the application whole, once it is asked for; `cookie`: the session's name."""
    describe = app.openapi

    def openapi() -> Json:
        is_new = app.openapi_schema is None
        description = describe()
        if is_new:
            _complete(description, iter_route_contexts(app.routes))
            schemes = {"cookie": _COOKIE | {"name": cookie}, "bearer": _BEARER}
            description["components"]["securitySchemes"] = schemes
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
            operation["security"] = _security_of(operation)
            if path.startswith(_INTERFACE):
                _describe_usual_refusals(operation["responses"])
            _add_examples(operation["responses"], route)
    description["servers"] = [{"url": "/", "description": "the server that this description is from"}]
    for schema in description["components"]["schemas"].values():
        # They have lost what is null in them.
        schema.pop("example", None)


def _security_of(operation: Json) -> list[Json]:
    """Which of the schemes an operation needs: any of them, any or none, or none."""
    name = operation["operationId"]
    if name in _SESSION_IF_GIVEN:
        return [{}, *_SESSION]
    return _SESSION if "401" in operation["responses"] and name not in _NO_SESSION_ASKED else []


def _describe_usual_refusals(responses: Json) -> None:
    """What every operation may answer, beside what its route says of itself."""
    for status, usual in problem_responses(*_USUAL_REFUSALS).items():
        given = responses.setdefault(str(status), usual)
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            examples = usual["content"][MEDIA_TYPE]["examples"]
            given["content"][MEDIA_TYPE].setdefault("examples", {}).update(examples)


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
