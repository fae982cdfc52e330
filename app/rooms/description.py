"""The protocol described for programs, made from the message types: JSON Schema, and AsyncAPI 3 around it.

docs/protocol.md is the description for people.
"""

from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Any, get_args

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from app.accounts.identity import COOKIE
from app.rooms.messages import PROTOCOL, ClientMessage
from app.rooms.server_messages import Ok, Refused, ServerMessage

Document = dict[str, Any]
Models = tuple[type[BaseModel], ...]

CLIENT_MODELS: Models = get_args(ClientMessage)
COMMAND_MODELS: Models = tuple(model for model in CLIENT_MODELS if "request" in model.model_fields)
SERVER_MODELS: Models = get_args(get_args(ServerMessage)[0])
_ANSWERS: Models = (Ok, Refused)

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MODE: JsonSchemaMode = "validation"
_PAGE = "The messages of one socket at one table; docs/protocol.md explains them."


def make_router(cookie: str = COOKIE) -> APIRouter:
    """Where programs find the descriptions; `cookie`: the session's name."""
    router = APIRouter(prefix="/api", include_in_schema=False)
    router.add_api_route("/protocol.schema.json", _kept(protocol_schema), methods=["GET"])
    router.add_api_route("/asyncapi.json", _kept(lambda: asyncapi(cookie)), methods=["GET"])
    return router


def _kept(describe: Callable[[], Document]) -> Callable[[], Awaitable[Response]]:
    """A route that writes its description once, with the first request."""
    made: list[bytes] = []

    async def description() -> Response:
        if not made:
            made.append(bytes(JSONResponse(describe()).body))
        return Response(made[0], media_type="application/json")

    return description


@cache
def protocol_schema() -> Document:
    """One JSON Schema: a text frame of a table is a ClientMessage or a ServerMessage of its `$defs`."""
    unions = {
        "ClientMessage": {"oneOf": _references(CLIENT_MODELS, "#/$defs")},
        "ServerMessage": {"oneOf": _references(SERVER_MODELS, "#/$defs")},
    }
    return {
        "$schema": _DIALECT,
        "title": f"The protocol of a Yamb table, version {PROTOCOL}",
        "description": _PAGE,
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in unions],
        "$defs": unions | _schemas("#/$defs"),
    }


@cache
def asyncapi(cookie: str = COOKIE) -> Document:
    """The socket of a table as an AsyncAPI document, told from the server's side: it receives commands."""
    others = tuple(model for model in CLIENT_MODELS if model not in COMMAND_MODELS)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "A Yamb table", "version": str(PROTOCOL), "description": _PAGE},
        "defaultContentType": "application/json",
        "channels": {
            "table": {
                "address": "/ws/rooms/{code}",
                "parameters": {"code": {"description": "The room's code."}},
                "messages": {
                    model.__name__: {"$ref": f"#/components/messages/{model.__name__}"}
                    for model in (*CLIENT_MODELS, *SERVER_MODELS)
                },
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            "receiveCommand": {
                **_operation("receive", "Commands, each answered once.", COMMAND_MODELS),
                "reply": {"channel": {"$ref": "#/channels/table"}, "messages": _of_channel(_ANSWERS)},
            },
            "receiveOther": _operation("receive", "What is no command.", others),
            "send": _operation("send", "What the server says.", SERVER_MODELS),
        },
        "components": {
            "messages": {model.__name__: _message(model) for model in (*CLIENT_MODELS, *SERVER_MODELS)},
            "schemas": _schemas("#/components/schemas"),
            "securitySchemes": {
                "session": {"type": "httpApiKey", "in": "cookie", "name": cookie},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _operation(action: str, summary: str, models: Models) -> Document:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": "#/channels/table"},
        "messages": _of_channel(models),
        "security": [{"$ref": f"#/components/securitySchemes/{name}"} for name in ("session", "bearer")],
    }


def _of_channel(models: Models) -> list[Document]:
    return _references(models, "#/channels/table/messages")


def _message(model: type[BaseModel]) -> Document:
    return {
        "name": get_args(model.model_fields["type"].annotation)[0],
        "summary": " ".join((model.__doc__ or "").split()),
        "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
    }


def _references(models: Iterable[type[BaseModel]], where: str) -> list[Document]:
    return [{"$ref": f"{where}/{model.__name__}"} for model in models]


def _schemas(where: str) -> Document:
    """Every model of a message, and of a part of one, by its name."""
    unions: list[tuple[str, Any]] = [("client", ClientMessage), ("server", ServerMessage)]
    _, made = TypeAdapter.json_schemas(
        [(name, _MODE, TypeAdapter(union)) for name, union in unions], ref_template=f"{where}/{{model}}"
    )
    schemas: Document = _without_discriminators(made["$defs"])
    return schemas


def _without_discriminators(schema: Any) -> Any:
    """OpenAPI's `discriminator` is nothing to JSON Schema, and something else to AsyncAPI."""
    if isinstance(schema, list):
        return [_without_discriminators(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    is_openapi = isinstance(schema.get("discriminator"), dict) and "oneOf" in schema
    return {
        name: _without_discriminators(part)
        for name, part in schema.items()
        if not (is_openapi and name == "discriminator")
    }
