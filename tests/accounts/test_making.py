"""How many guests, rooms and variants a player and an address may make in an hour, over several servers."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from httpx import AsyncClient, Response

from app.accounts.identity import Identity
from app.accounts.making import GUEST, ROOM, VARIANT, Making
from app.config import Settings
from app.db import Database
from app.problems import Problem
from tests.accounts.apps import NOW, Clock, count, make_app, open_client, problem_of

HOUR = 3_600_000
LIJA, MEDO = Identity("p1", "Lija"), Identity("p2", "Medo")

MakeMaking = Callable[..., Making]


@pytest.fixture
def making(file: Database, clock: Clock) -> MakeMaking:
    """What bounds by those settings."""
    return lambda **bounds: Making(file, Settings(**bounds), now=clock)


@pytest.fixture
async def few(database: Database, clock: Clock) -> AsyncIterator[Callable[[str], AsyncClient]]:
    """Opens clients at an address, of an application that lets each address make three guests."""
    app = make_app(database, clock, guests_per_address=3)
    opened: list[AsyncClient] = []

    def open_at(address: str) -> AsyncClient:
        opened.append(open_client(app, address))
        return opened[-1]

    yield open_at
    for client in opened:
        await client.aclose()


def guest(client: AsyncClient) -> asyncio.Task[Response]:
    """Somebody new at that client."""
    return asyncio.ensure_future(client.post("/api/guests", json={"name": "Lija"}))


async def test_an_address_makes_so_many_guests_an_hour_and_others_as_many(
    few: Callable[[str], AsyncClient], database: Database, clock: Clock
) -> None:
    one, other = few("192.0.2.7"), few("192.0.2.8")
    assert [(await guest(one)).status_code for _ in range(3)] == [201] * 3
    clock.now += 60_000

    refused = await guest(one)

    assert "3540 s" in problem_of(refused, 429, "too_many_guests")["detail"]
    assert refused.headers["retry-after"] == str(59 * 60)
    assert "set-cookie" not in refused.headers
    assert await count(database, "players") == 3
    assert (await guest(other)).status_code == 201
    clock.now = NOW + HOUR
    assert (await guest(one)).status_code == 201


async def test_of_guests_that_come_at_once_no_more_are_let_in(few: Callable[[str], AsyncClient]) -> None:
    one = few("192.0.2.7")
    answers = await asyncio.gather(*(guest(one) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 5


async def test_a_name_that_is_none_is_not_counted(few: Callable[[str], AsyncClient]) -> None:
    one = few("192.0.2.7")
    for _ in range(5):
        assert (await one.post("/api/guests", json={"name": ""})).status_code == 422
    assert (await guest(one)).status_code == 201


async def made(making: Making, who: Identity, address: str, times: int) -> int:
    """How many of so many rooms are let through."""
    done = 0
    for _ in range(times):
        try:
            await making.begin(ROOM, player=who.player, address=address)
        except Problem:
            continue
        done += 1
    return done


async def test_rooms_are_bounded_by_player_and_by_address(making: MakeMaking) -> None:
    rooms = making(rooms_per_player=3, rooms_per_address=5)
    assert await made(rooms, LIJA, "A", 4) == 3
    assert await made(rooms, MEDO, "A", 4) == 2, "the address has had five"
    assert await made(rooms, LIJA, "B", 4) == 0, "the player has had three, wherever she is"
    assert await made(rooms, MEDO, "B", 4) == 1, "what was refused counts for none"


async def test_a_bound_of_nought_is_none(making: MakeMaking, file: Database) -> None:
    unbounded = making(guests_per_address=0, rooms_per_player=0, rooms_per_address=0, variants_per_address=0)
    for what in (GUEST, ROOM, VARIANT):
        for _ in range(3):
            await unbounded.begin(what, player="p1", address="A")
    assert await count(file, "attempts") == 0


async def test_what_is_made_is_counted_by_kind(making: MakeMaking) -> None:
    one_each = making(guests_per_address=1, rooms_per_address=1, variants_per_address=1)
    for what in (GUEST, ROOM, VARIANT):
        await one_each.begin(what, player="p1", address="A")
    for what in (GUEST, ROOM, VARIANT):
        with pytest.raises(Problem) as refused:
            await one_each.begin(what, player="p1", address="A")
        assert refused.value.code == f"too_many_{what}s"


def test_friends_behind_one_address_never_meet_the_usual_bounds() -> None:
    usual = Settings()
    school = 400
    assert usual.guests_per_address >= school
    assert usual.sockets_per_address >= 2 * school
    assert usual.rooms_per_address >= school
    assert usual.rooms_per_player >= 60
    assert usual.sockets_per_player >= 20
