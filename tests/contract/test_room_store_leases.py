"""What every room store promises of who is there, of lives and of numbers, tried on each adapter."""

import asyncio

from app.rooms.leases import KEPT_PLAYERS
from app.rooms.room import Phase
from app.rooms.store import LEASE_MS, Lease, RoomStore, SeenLease
from tests.contract.samples import CODE, advance, finish, make_lobby, make_room
from tests.contract.waiting import until_gone

NOW = 1_700_000_000_000


def lease(player: str, connection: str, *, is_away: bool = False, code: str = CODE) -> Lease:
    return Lease(code, player, connection, is_away)


async def seen(store: RoomStore, now: int, code: str = CODE) -> list[SeenLease]:
    """The leases of a room, by connection."""
    leases = (await store.leases_of([code], now)).get(code, [])
    return sorted(leases, key=lambda one: one.connection)


async def test_a_renewed_lease_is_alive_for_thirty_seconds_more(store: RoomStore) -> None:
    await store.create(make_room())
    await store.renew([lease("ana", "1"), lease("žak ž", "2", is_away=True)], NOW)
    await store.renew([lease("ana", "1", is_away=True)], NOW + 10_000)
    assert await seen(store, NOW) == [
        SeenLease("ana", "1", True, NOW + 10_000 + LEASE_MS),
        SeenLease("žak ž", "2", True, NOW + LEASE_MS),
    ]


async def test_two_tabs_one_closed_leave_one_alive(store: RoomStore) -> None:
    await store.create(make_room())
    await store.renew([lease("ana", "1"), lease("ana", "2")], NOW)
    await store.release(CODE, "1", NOW + 1)
    await store.release(CODE, "1", NOW + 2)
    await store.release(CODE, "nobody", NOW + 2)
    assert await seen(store, NOW + 3) == [
        SeenLease("ana", "1", False, NOW + 1),
        SeenLease("ana", "2", False, NOW + LEASE_MS),
    ]


async def test_of_the_leases_of_a_player_that_ended_the_last_is_known(store: RoomStore) -> None:
    await store.create(make_room())
    for number in range(4):
        await store.renew([lease("ana", f"{number}")], NOW + number)
        await store.release(CODE, f"{number}", NOW + 10 * (number + 1))
    await store.renew([lease("žak", "lapsed")], NOW)
    assert await seen(store, NOW + LEASE_MS) == [
        SeenLease("ana", "3", False, NOW + 40),
        SeenLease("žak", "lapsed", False, NOW + LEASE_MS),
    ]


async def test_of_many_who_came_and_went_the_last_are_known(store: RoomStore) -> None:
    await store.create(make_room())
    players = [f"guest {number:03}" for number in range(KEPT_PLAYERS + 10)]
    await store.renew([lease(player, player) for player in players], NOW)
    await asyncio.gather(
        *(store.release(CODE, player, NOW + number + 1) for number, player in enumerate(players))
    )
    assert [one.player for one in await seen(store, NOW + LEASE_MS)] == players[10:]


async def test_leases_of_a_room_that_is_gone_are_passed_over(store: RoomStore) -> None:
    await store.create(make_room())
    await store.renew([lease("ana", "1", code="GONE"), lease("ana", "2")], NOW)
    await store.release("GONE", "1", NOW)
    assert set(await store.leases_of([CODE, "GONE"], NOW)) == {CODE}
    assert await store.leases_of([], NOW) == {}


async def test_a_room_is_gone_at_the_end_of_its_life_with_all_that_was_of_it(store: RoomStore) -> None:
    await store.create(make_room(), 60)
    await store.renew([lease("ana", "1")], NOW)
    await until_gone(store, CODE)
    assert await store.versions([CODE]) == {CODE: None}
    assert await seen(store, NOW) == []
    assert (await store.census())[Phase.PLAYING] == 0
    again = await store.create(make_room())
    assert await store.updates_since(CODE, 0) == []
    assert again.version == 0


async def test_a_step_gives_a_room_another_life(store: RoomStore) -> None:
    stored = await store.create(make_room(), 300)
    await advance(store, stored, 1)  # for ever
    await store.create(make_room("SHORT"), 300)
    await until_gone(store, "SHORT")
    assert (await store.load(CODE)).version == 1


async def test_a_renewed_lobby_lives_on_and_a_game_does_not(store: RoomStore) -> None:
    await store.create(make_lobby("LOBBY"), 1000)
    await store.create(make_room("GAME"), 1000)
    await asyncio.sleep(0.5)  # half of a life, so that the lobby's next one outlasts the game
    await store.renew([lease("ana", "1", code=code) for code in ("LOBBY", "GAME")], NOW)
    await until_gone(store, "GAME")
    assert (await store.load("LOBBY")).version == 0


async def test_versions_are_told_for_many_rooms_at_once(store: RoomStore) -> None:
    first = await advance(store, await store.create(make_room("FIRST")), 3)
    second = await store.create(make_room("SECOND"))
    assert await store.versions(["FIRST", "SECOND", "NOBODY"]) == {
        "FIRST": (first.epoch, 3),
        "SECOND": (second.epoch, 0),
        "NOBODY": None,
    }
    assert await store.versions([]) == {}


async def test_the_census_counts_rooms_by_phase(store: RoomStore) -> None:
    for code in ("A", "B"):
        await store.create(make_lobby(code))
    await advance(store, await store.create(make_lobby("PLAYING")), 2)
    await finish(store, "OVER")
    assert await store.census() == {Phase.LOBBY: 2, Phase.PLAYING: 1, Phase.FINISHED: 1}
