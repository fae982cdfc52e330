"""Every error of the application is a problem document."""

from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from starlette.exceptions import HTTPException

from app.health import make_health_router
from app.problems import MEDIA_TYPE, Problem, install_problem_handlers, problem_responses
from app.requests import RequestId


async def _answer() -> None:
    """A check that passes."""


async def _break() -> None:
    raise ConnectionError("postgresql://yamb:geheim@nowhere")


def make_app(*, is_ready: bool = True) -> FastAPI:
    app = FastAPI()
    install_problem_handlers(app, [ConnectionError])
    app.include_router(make_health_router({"database": _answer, "rooms": _answer if is_ready else _break}))

    @app.get("/number/{number}", responses=problem_responses(404))
    async def number(number: int) -> int:
        if number == 0:
            raise Problem(404, "number_not_found", "there is no 0")
        if number == 1:
            raise HTTPException(409, "taken")
        if number == 2:
            raise ConnectionError
        return 10 // (number - 3)

    return app


async def ask(path: str, method: str = "GET", *, is_ready: bool = True) -> tuple[int, str, dict[str, Any]]:
    transport = ASGITransport(make_app(is_ready=is_ready), raise_app_exceptions=False)
    async with AsyncClient(transport=transport, base_url="http://test") as client:
        answer = await client.request(method, path)
    return answer.status_code, answer.headers["content-type"], answer.json()


@pytest.mark.parametrize(
    ("path", "method", "status", "code"),
    [
        ("/number/0", "GET", 404, "number_not_found"),
        ("/number/1", "GET", 409, "conflict"),
        ("/number/2", "GET", 503, "unavailable"),
        ("/number/3", "GET", 500, "internal_error"),
        ("/number/x", "GET", 422, "invalid"),
        ("/number/4", "POST", 405, "method_not_allowed"),
        ("/nowhere", "GET", 404, "not_found"),
    ],
)
async def test_an_error_is_a_problem_document(path: str, method: str, status: int, code: str) -> None:
    answered, media_type, problem = await ask(path, method)

    assert (answered, media_type) == (status, "application/problem+json")
    assert (problem["type"], problem["status"], problem["code"]) == ("about:blank", status, code)
    assert problem["title"]
    assert problem["detail"]


async def test_a_defect_says_nothing_of_the_inside() -> None:
    _, _, problem = await ask("/number/3")

    assert problem["detail"] == "something went wrong on the server"


async def test_a_defect_names_the_request_by_which_the_logs_tell_more() -> None:
    app = make_app()
    app.add_middleware(RequestId)
    transport = ASGITransport(app, raise_app_exceptions=False)
    async with AsyncClient(transport=transport, base_url="http://test") as client:
        answer = await client.get("/number/3", headers={"X-Request-ID": "abc"})

    assert answer.headers["x-request-id"] == "abc"
    assert answer.json()["detail"] == "something went wrong on the server, in request abc"


async def test_a_wrong_field_is_named() -> None:
    _, _, problem = await ask("/number/x")

    assert problem["errors"] == [
        {
            "field": "number",
            "sentence": "Input should be a valid integer, unable to parse string as an integer",
        }
    ]


async def test_problems_are_in_the_description() -> None:
    _, _, description = await ask("/openapi.json")

    responses = description["paths"]["/number/{number}"]["get"]["responses"]
    assert {status for status in responses if responses[status]["content"].keys() == {MEDIA_TYPE}} == {
        "404",
        "422",
    }
    assert {"ProblemDocument", "FieldError"} <= description["components"]["schemas"].keys()
    assert "ValidationError" not in str(description)


async def test_a_server_that_misses_something_is_alive_but_not_ready() -> None:
    assert (await ask("/healthz", is_ready=False))[0] == 200
    status, _, problem = await ask("/readyz", is_ready=False)

    assert (status, problem["detail"]) == (503, "no answer from: rooms")
    assert (await ask("/readyz"))[0] == 200
