"""Errors of the REST side as problem documents (RFC 9457), the same for the whole application."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException

from app.methods import allowed_methods

MEDIA_TYPE = "application/problem+json"
REQUEST_ID = "app.request_id"
"""Where a request's scope has its id."""


class FieldError(BaseModel):
    """One field of the request that can't be used, and why."""

    field: str
    sentence: str


class ProblemDocument(BaseModel):
    """An error. `code` is for programs, `detail` for people; `errors` names the fields of a 422."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "about:blank",
                "title": "Not Found",
                "status": 404,
                "detail": "no room has the code KAFANA",
                "code": "room_not_found",
            }
        }
    )

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldError] | None = None


class Problem(Exception):
    """Ends a request with this problem document."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Sequence[FieldError] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.headers = headers


def install_problem_handlers(app: FastAPI, unavailable: Sequence[type[Exception]] = ()) -> None:
    """Make every error of the application a problem document; `unavailable`: those that are a 503."""
    app.add_exception_handler(Problem, _answer_problem)
    app.add_exception_handler(HTTPException, _answer_http_exception)
    app.add_exception_handler(RequestValidationError, _answer_validation_error)
    for error in unavailable:
        app.add_exception_handler(error, _answer_unavailable)
    app.add_exception_handler(Exception, _answer_defect)
    _describe_problems(app)


def problem_responses(*problems: int | Problem) -> dict[int | str, dict[str, Any]]:
    """For `responses=` of a route: the problems it may answer with, for OpenAPI, each with an example.

    A status alone means the usual problem with that status.
    """
    described: dict[int | str, dict[str, Any]] = {}
    for each in problems:
        problem = _usual(each) if isinstance(each, int) else each
        response = described.setdefault(problem.status, _described(problem.status))
        shown = {"summary": problem.detail, "value": _document(problem)}
        response["content"][MEDIA_TYPE]["examples"][problem.code] = shown
    return described


def problem_response(problem: Problem) -> JSONResponse:
    """The problem as a response."""
    return JSONResponse(
        _document(problem), status_code=problem.status, headers=problem.headers, media_type=MEDIA_TYPE
    )


def _document(problem: Problem) -> dict[str, Any]:
    document = ProblemDocument(
        title=HTTPStatus(problem.status).phrase,
        status=problem.status,
        detail=problem.detail,
        code=problem.code,
        errors=list(problem.errors) or None,
    )
    return document.model_dump(exclude_none=True)


async def _answer_problem(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)  # noqa: S101 - registered for this type
    return problem_response(error)


async def _answer_http_exception(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101
    if error.status_code == HTTPStatus.BAD_REQUEST and error.__cause__ is not None:
        # What FastAPI couldn't read, such as bytes that are no text.
        return problem_response(_unreadable())
    status = HTTPStatus(error.status_code)
    code = status.name.lower()
    is_plain = error.detail == status.phrase
    detail = _DETAILS.get(status, "{phrase}") if is_plain else "{given}"
    text = detail.format(
        phrase=status.phrase, given=error.detail, method=request.method, path=request.url.path
    )
    headers = dict(error.headers or {})
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        # The route that was found knows its own methods alone.
        headers["Allow"] = ", ".join(allowed_methods(request.app, request.url.path))
    return problem_response(Problem(status, code, text, headers=headers))


def _described(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/ProblemDocument"}
    described = {
        "description": HTTPStatus(status).phrase,
        "content": {MEDIA_TYPE: {"schema": schema, "examples": {}}},
    }
    headers = {name: {"schema": {"type": "string"}} for name in _HEADERS.get(status, ())}
    return described | ({"headers": headers} if headers else {})


def _describe_problems(app: FastAPI) -> None:
    """Put the problem document into the OpenAPI description, also in the place of FastAPI's own 422.

    Whatever takes a body may find it too big.
    """
    describe = app.openapi

    def openapi() -> dict[str, Any]:
        description = describe()
        for operations in description["paths"].values():
            for operation in operations.values():
                responses = operation.get("responses", {})
                if "HTTPValidationError" in str(responses.get("422")):
                    responses["422"] = problem_responses(422)[422]
                if "requestBody" in operation:
                    responses.setdefault("413", problem_responses(413)[413])
        schemas = description.setdefault("components", {}).setdefault("schemas", {})
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        _, definitions = models_json_schema([(ProblemDocument, "serialization")], ref_template=_REF)
        schemas.update(definitions["$defs"])
        return description

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI has it extended


def _usual(status: int) -> Problem:
    named = HTTPStatus(status)
    return _USUAL.get(status) or Problem(status, named.name.lower(), named.phrase)


_HEADERS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}
_USUAL = {
    problem.status: problem
    for problem in (
        Problem(401, "not_signed_in", "there is no valid session: become a guest first"),
        Problem(403, "forbidden_origin", "pages of another site may not change anything here"),
        Problem(413, "too_big", "a body has at most 65536 bytes"),
        Problem(
            422,
            "invalid",
            "name: a name needs a visible character",
            errors=[FieldError(field="name", sentence="a name needs a visible character")],
        ),
        Problem(503, "unavailable", "something this server needs did not answer; try again"),
    )
}
_REF = "#/components/schemas/{model}"
_NOT_JSON = "the body is not JSON"
_DETAILS = {
    HTTPStatus.NOT_FOUND: "there is nothing at {path}",
    HTTPStatus.METHOD_NOT_ALLOWED: "{path} can't be asked by {method}",
}


async def _answer_validation_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    errors = [FieldError(field=_field(each["loc"]), sentence=_sentence(each)) for each in error.errors()]
    detail = "; ".join(f"{each.field}: {each.sentence}" for each in errors[:5])
    return problem_response(Problem(422, "invalid", detail, errors=errors))


def _unreadable() -> Problem:
    error = FieldError(field="body", sentence=_NOT_JSON)
    return Problem(422, "invalid", f"body: {_NOT_JSON}", errors=[error])


def _field(location: Sequence[str | int]) -> str:
    """The field's own name: where in the request it stands is clear from the operation."""
    if location[0] == "body" and (len(location) == 1 or isinstance(location[1], int)):
        return "body"
    return ".".join(str(part) for part in location[1:] or location)


def _sentence(error: Mapping[str, Any]) -> str:
    if error["type"] == "json_invalid":
        return _NOT_JSON
    return str(error["msg"]).removeprefix("Value error, ")


async def _answer_unavailable(_request: Request, _error: Exception) -> JSONResponse:
    detail = "something this server needs did not answer; try again"
    return problem_response(Problem(503, "unavailable", detail, headers={"Retry-After": "2"}))


async def _answer_defect(request: Request, _error: Exception) -> JSONResponse:
    """Sent from outside of what gives other answers their id."""
    request_id = request.scope.get(REQUEST_ID)
    if request_id is None:
        return problem_response(Problem(500, "internal_error", "something went wrong on the server"))
    detail = f"something went wrong on the server, in request {request_id}"
    headers = {"X-Request-ID": request_id}
    return problem_response(Problem(500, "internal_error", detail, headers=headers))
