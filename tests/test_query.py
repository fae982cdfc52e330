"""Requests that an operation can't mean: unknown parameters, other methods, a session that is missing."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from app.config import Settings
from app.db import Database
from app.main import create_app
from app.schema import migrate

DESCRIPTION = create_app(Settings(data_dir=Path("unused"))).openapi()
OPERATIONS = [
    (path, method, operation)
    for path, operations in DESCRIPTION["paths"].items()
    for method, operation in operations.items()
]
# What a body must have before it is asked who sends it.
BODIES = {
    "register": {"user_name": "lija", "password": "five words of nonsense here"},
    "change_me": {"name": "Lija"},
    "delete_me": {},
    "change_password": {"password": "five words of nonsense", "new_password": "five more words of it"},
    "renew_recovery_code": {"password": "five words of nonsense"},
    "make_room": {"variant": "papir"},
    "make_variant": {"dice": 5},
}


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AsyncClient]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("queries"))
    database = Database(settings.database_url)
    await migrate(database)
    await database.dispose()
    transport = ASGITransport(create_app(settings))
    async with AsyncClient(transport=transport, base_url="http://test") as opened:
        yield opened


def address(path: str) -> str:
    return path.replace("{variant}", "papir").replace("{", "").replace("}", "")


@pytest.mark.parametrize(
    ("path", "method"), [(path, method) for path, method, _ in OPERATIONS if path.startswith("/api/")]
)
async def test_no_operation_takes_a_parameter_that_it_does_not_have(
    client: AsyncClient, path: str, method: str
) -> None:
    answer = await client.request(method, f"{address(path)}?perod=month")
    assert answer.status_code == 422
    assert "perod" in [error["field"] for error in answer.json()["errors"]]


async def test_the_refusal_says_what_is_known(client: AsyncClient) -> None:
    answer = (await client.get("/api/leaderboards/papir?perod=month")).json()
    assert answer["detail"].startswith("perod: is no parameter here; known are period, mode, limit")


async def test_a_parameter_given_twice_is_refused(client: AsyncClient) -> None:
    answer = await client.get("/api/leaderboards/papir?period=month&period=all")
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"field": "period", "sentence": "is given more than once"}]


async def test_a_long_wrong_query_is_answered_shortly(client: AsyncClient) -> None:
    answer = await client.get("/api/variants?" + "&".join(f"{'x' * 200}{number}" for number in range(20)))
    assert (answer.status_code, len(answer.json()["errors"])) == (422, 5)
    assert len(answer.content) < 2_000


@pytest.mark.parametrize(
    ("path", "method", "allowed"),
    [
        ("/api/me", "PUT", "DELETE, GET, HEAD, PATCH"),
        ("/api/variants", "DELETE", "GET, HEAD, POST"),
        ("/api/sessions", "GET", "DELETE, POST"),
        ("/api/games/g1", "POST", "GET, HEAD"),
        ("/rules", "POST", "GET, HEAD"),
        ("/healthz", "POST", "GET, HEAD"),
        ("/api/openapi.json", "POST", "GET, HEAD"),
    ],
)
async def test_another_method_is_told_all_methods_of_the_address(
    client: AsyncClient, path: str, method: str, allowed: str
) -> None:
    answer = await client.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
async def test_an_operation_asks_for_a_session_just_where_its_description_says_so(
    client: AsyncClient, path: str, method: str, operation: dict[str, object]
) -> None:
    client.cookies.clear()
    answer = await client.request(method, address(path), json=BODIES.get(str(operation["operationId"])))
    is_asked = operation["security"] == [{"cookie": []}, {"bearer": []}]
    assert (answer.status_code == 401) is is_asked, answer.text


def test_the_description_says_how_a_session_is_given_and_where_the_server_is() -> None:
    assert set(DESCRIPTION["components"]["securitySchemes"]) == {"cookie", "bearer"}
    assert DESCRIPTION["servers"][0]["url"] == "/"
