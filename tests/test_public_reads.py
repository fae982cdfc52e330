"""What is public is sent once and may be read by pages of other sites; nothing else may."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI, Response
from httpx import ASGITransport, AsyncClient

from app.problems import Problem, install_problem_handlers
from app.public_reads import PublicReads

FOREIGN = {"origin": "https://elsewhere.example"}


def make_app() -> FastAPI:
    app = FastAPI()
    install_problem_handlers(app)
    app.add_middleware(PublicReads)

    @app.get("/api/games/{game}")
    async def game(game: str) -> dict[str, str]:
        if game == "none":
            raise Problem(404, "game_not_found", "no such game")
        return {"game": game}

    @app.get("/api/leaderboards/{variant}")
    async def board(variant: str, response: Response, *, hidden: bool = False) -> str:
        if hidden:
            response.headers["Cache-Control"] = "private, no-cache"
        return variant

    @app.get("/api/me")
    async def me() -> str:
        return "Lija"

    @app.post("/api/variants")
    async def make() -> str:
        return "made"

    return app


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    async with AsyncClient(transport=ASGITransport(make_app()), base_url="http://test") as opened:
        yield opened


async def test_an_answer_that_is_known_is_not_sent_again(client: AsyncClient) -> None:
    first = await client.get("/api/games/g1")
    tag = first.headers["etag"]

    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await client.get("/api/games/g1", headers={"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["cache-control"] == "no-cache"
        assert again.headers["access-control-allow-origin"] == "*"
        assert "content-length" not in again.headers


async def test_an_answer_that_has_changed_is_sent(client: AsyncClient) -> None:
    tag = (await client.get("/api/games/g1")).headers["etag"]
    other = await client.get("/api/games/g2", headers={"if-none-match": tag})
    assert (other.status_code, other.json()) == (200, {"game": "g2"})
    assert other.headers["etag"] != tag


async def test_every_site_may_read_what_is_public_but_not_with_a_session(client: AsyncClient) -> None:
    for path in ("/api/games/g1", "/api/games/none", "/api/leaderboards/papir"):
        answer = await client.get(path, headers=FOREIGN)
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers


async def test_a_problem_has_no_tag(client: AsyncClient) -> None:
    answer = await client.get("/api/games/none", headers={"if-none-match": "*"})
    assert answer.status_code == 404
    assert "etag" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/me"),
        ("POST", "/api/variants"),
        ("GET", "/api/leaderboards/papir?player=me"),
        ("GET", "/api/leaderboards/papir?player="),
        ("GET", "/api/leaderboards/papir?hidden=true"),
        ("GET", "/api/gamesomething"),
    ],
)
async def test_no_other_site_may_read_the_rest(client: AsyncClient, method: str, path: str) -> None:
    answer = await client.request(method, path, headers=FOREIGN)
    assert "access-control-allow-origin" not in answer.headers


async def test_a_page_that_asks_first_is_told_that_it_may_read_and_nothing_else(client: AsyncClient) -> None:
    asked = FOREIGN | {"access-control-request-method": "POST"}
    for method in ("GET", "POST"):
        of_method = FOREIGN | {"access-control-request-method": method}
        answer = await client.options("/api/variants", headers=of_method)
        assert answer.status_code == 204
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["access-control-allow-methods"] == "GET, HEAD"
    assert (await client.options("/api/me", headers=asked)).status_code == 405
