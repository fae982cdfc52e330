"""Rooms over REST."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.rooms.player import at_table
from tests.rooms.serving import Rooms
from tests.rooms.tables import player_of

LIJA = {"authorization": "Bearer Lija"}


@pytest.fixture
async def http(rooms: Rooms) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the server."""
    async with httpx.AsyncClient(base_url=rooms.base_url) as client:
        yield client


def problem(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a problem document."""
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


async def test_who_makes_a_room_is_its_host(rooms: Rooms, http: httpx.AsyncClient) -> None:
    made = await http.post("/api/rooms", json={"variant": "papir", "max_seats": 3}, headers=LIJA)
    assert made.status_code == 201
    stored = await rooms.service.load(made.json()["code"])
    assert (stored.room.host, stored.room.variant.id, stored.room.max_seats) == (
        player_of("Lija"),
        "papir",
        3,
    )


async def test_a_room_is_made_by_somebody_signed_in(http: httpx.AsyncClient) -> None:
    assert problem(await http.post("/api/rooms", json={"variant": "papir"})) == (401, "not_signed_in")


async def test_pages_of_other_sites_make_no_rooms(http: httpx.AsyncClient) -> None:
    headers = LIJA | {"origin": "https://evil.example"}
    answer = await http.post("/api/rooms", json={"variant": "papir"}, headers=headers)
    assert problem(answer) == (403, "forbidden_origin")


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"variant": None},
        {"variant": "papir", "max_seats": 0},
        {"variant": "papir", "max_seats": 9},
        {"variant": "papir", "max_seats": "4"},
        {"variant": "papir", "max_seats": True},
        {"variant": "papir", "colour": "red"},
        {"variant": "x" * 10_000},
        {"variant": "a\u0000"},
    ],
    ids=str,
)
async def test_a_wrong_body_is_invalid(http: httpx.AsyncClient, body: Any) -> None:
    assert problem(await http.post("/api/rooms", json=body, headers=LIJA)) == (422, "invalid")


async def test_an_unknown_variant_is_refused_by_its_own_code(http: httpx.AsyncClient) -> None:
    answer = await http.post("/api/rooms", json={"variant": "poker"}, headers=LIJA)
    assert problem(answer) == (422, "unknown_variant")


async def test_a_room_is_made_with_chosen_columns(rooms: Rooms, http: httpx.AsyncClient) -> None:
    wanted = {"variant": "swedish-5", "columns": ["hand", "down", "up"]}
    made = await http.post("/api/rooms", json=wanted, headers=LIJA)
    stored = await rooms.service.load(made.json()["code"])
    assert [column.kind.value for column in stored.room.variant.columns] == ["down", "up", "hand"]


@pytest.mark.parametrize(
    "columns", [[], ["final"], ["down", "down"], ["notification", "down"], ["both_ends"]]
)
async def test_columns_that_the_variant_can_not_have_are_refused_by_their_own_code(
    http: httpx.AsyncClient, columns: list[str]
) -> None:
    answer = await http.post("/api/rooms", json={"variant": "papir", "columns": columns}, headers=LIJA)
    assert problem(answer) == (422, "unknown_columns")
    assert answer.json()["detail"].startswith("columns: ")


async def test_a_room_can_be_looked_at_before_one_sits_down(rooms: Rooms, http: httpx.AsyncClient) -> None:
    code = await rooms.make("papir", 5)
    async with at_table(rooms, "Medo", code) as medo:
        await medo.must("join", text="x")
    for typed in (code, code.lower(), f"{code[:3]} {code[3:]}", f"{code[:3]}-{code[3:]}", f"{code}."):
        answer = await http.get(f"/api/rooms/{typed}")
        assert answer.json() == {
            "code": code,
            "phase": "lobby",
            "variant": "papir",
            "seats": 1,
            "max_seats": 5,
        }


@pytest.mark.parametrize(
    "path",
    [*(f"/api/rooms/NOWHER{of}" for of in ("", "/panel", "/replay", "/qr.svg")), "/api/rooms/%F0%9F%8E%B2"],
)
async def test_a_room_that_is_not_there_is_not_found(http: httpx.AsyncClient, path: str) -> None:
    assert problem(await http.get(path)) == (404, "room_not_found")


async def test_the_link_of_a_room_comes_as_a_picture(rooms: Rooms, http: httpx.AsyncClient) -> None:
    answer = await http.get(f"/api/rooms/{await rooms.make()}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert b"<svg" in answer.content
    assert b"style" not in answer.content


async def test_the_score_panel_is_that_of_the_newest_version(rooms: Rooms, http: httpx.AsyncClient) -> None:
    code = await rooms.make("classic-5x4", 1)
    async with at_table(rooms, "Lija", code) as lija:
        await lija.must("join", text="x")
        assert (await http.get(f"/api/rooms/{code}/panel")).json() == {"version": lija.version, "panels": []}
        await lija.must("ready", ready=True)
        await lija.must("start")
        await lija.act("roll", hold=[])
        score = lija.turn["legal"]["scores"]["max"]
        await lija.act("fill", column="free", row="max")
        answer = (await http.get(f"/api/rooms/{code}/panel")).json()
    assert answer["version"] == lija.version
    [panel] = answer["panels"]
    assert panel["seat"] == 0
    assert panel["perfect"] == {"upper": 540, "middle": 500, "lower": 1128, "total": 2168}
    assert panel["upper"] == {"now": 0, "now_share": 0, "attainable": 540, "attainable_share": 1}
    middle = 500 - 5 * (30 - score)
    assert panel["middle"] == {
        "now": 0,
        "now_share": 0,
        "attainable": middle,
        "attainable_share": middle / 500,
    }
    assert panel["total"]["attainable"] == 2168 - (500 - middle)


async def test_a_store_that_does_not_answer_is_said_so(own_rooms: Rooms) -> None:
    await own_rooms.store.close()
    async with httpx.AsyncClient(base_url=own_rooms.base_url, headers=LIJA) as http:
        assert problem(await http.get("/api/rooms/KAFANA")) == (503, "unavailable")
        assert problem(await http.get("/api/rooms/KAFANA/panel")) == (503, "unavailable")
        assert problem(await http.post("/api/rooms", json={"variant": "papir"})) == (503, "unavailable")


async def test_a_link_too_long_for_a_picture_is_refused(rooms: Rooms, http: httpx.AsyncClient) -> None:
    code = await rooms.make()
    answer = await http.get(f"/api/rooms/{code}/qr.svg", headers={"host": "a" * 3000})
    assert problem(answer) == (400, "bad_request")
