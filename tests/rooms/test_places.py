"""How many sockets a player and an address may hold at one server."""

from pathlib import Path

import pytest

from app.rooms.closing import Close, CloseCode
from app.rooms.limits import Limits
from app.rooms.places import Places
from tests.rooms.player import at_table, connected
from tests.rooms.serving import serving


def test_so_many_places_and_no_more_until_one_is_given_back() -> None:
    places = Places(2)
    for name in ("Lija", "Lija", "Medo"):
        places.take(name)
    with pytest.raises(Close) as refused:
        places.take("Lija")
    assert refused.value.code is CloseCode.TOO_MANY_SOCKETS
    places.give_back("Lija")
    places.take("Lija")


def test_a_bound_of_nought_is_none() -> None:
    places = Places(0)
    for _ in range(1000):
        places.take("Lija")
    assert len(places) == 1


def test_nobody_is_remembered_who_has_no_place() -> None:
    places = Places(1)
    for number in range(1000):
        places.take(f"p{number}")
        places.give_back(f"p{number}")
    places.take("Lija")
    with pytest.raises(Close):
        places.take("Lija")
    assert len(places) == 1


async def test_a_player_with_too_many_sockets_is_closed_with_4431_and_the_others_stay(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=Limits(sockets_per_player=2)) as rooms:
        code = await rooms.make()
        async with at_table(rooms, "Lija", code) as one, at_table(rooms, "Medo", code):
            async with at_table(rooms, "Lija", code), connected(rooms, "Lija", code) as third:
                assert await third.closed() == 4431
            await one.must("join", text="x")
            async with at_table(rooms, "Lija", code) as again:
                await again.sees(Lija="here", spectators=1)


async def test_an_address_with_too_many_sockets_is_closed_before_anything_is_asked_of_it(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, limits=Limits(sockets_per_address=2)) as rooms:
        code = await rooms.make()
        async with at_table(rooms, "Lija", code), connected(rooms, "Medo", code) as silent:
            async with connected(rooms, None, "NOWHER") as third:
                assert await third.closed() == 4431
            await silent.hello()
        async with at_table(rooms, "Zec", code) as later:
            await later.must("join", text="x")
