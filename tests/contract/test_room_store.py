"""What every room store promises (app/rooms/store.py), tried on each adapter."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from app.rooms.store import (
    KEPT_REQUESTS,
    KEPT_UPDATES,
    Committed,
    Conflict,
    FinishedGame,
    RoomExists,
    RoomNotFound,
    RoomStore,
    Stored,
    StoreError,
)
from tests.contract.conftest import Stores
from tests.contract.listener import Listener
from tests.contract.samples import CODE, advance, after, finish, game_of, make_room, next_commit, update_of

ASKED_OF_A_ROOM: dict[str, Callable[[RoomStore], Awaitable[object]]] = {
    "load": lambda store: store.load(CODE),
    "recent": lambda store: store.recent(CODE),
    "commit": lambda store: store.commit(next_commit(Stored(make_room(), 0, ""))),
    "updates_since": lambda store: store.updates_since(CODE, 0),
    "log": lambda store: store.log(CODE),
    "answered": lambda store: store.answered(CODE, "request 1"),
    "finished": lambda store: store.finished(CODE, "game-1"),
}

CALLERS = 24  # at once, and few enough to be answered in time on a busy machine


async def test_a_new_room_is_at_version_0_as_it_was_made(store: RoomStore) -> None:
    stored = await store.create(make_room())
    assert (stored.room, stored.version) == (make_room(), 0)
    assert stored.epoch
    assert await store.load(CODE) == stored


async def test_a_taken_code_is_refused_and_the_room_that_has_it_stays(store: RoomStore) -> None:
    stored = await advance(store, await store.create(make_room()), 1)
    with pytest.raises(RoomExists):
        await store.create(make_room(game_id="another"))
    assert await store.load(CODE) == stored


async def test_of_rooms_made_at_once_with_one_code_one_is_made(store: RoomStore) -> None:
    rooms = [make_room(game_id=f"game-{n}") for n in range(10)]
    made = await asyncio.gather(*map(store.create, rooms), return_exceptions=True)
    (stored,) = [one for one in made if isinstance(one, Stored)]
    assert sum(isinstance(one, RoomExists) for one in made) == len(rooms) - 1
    assert await store.load(CODE) == stored


@pytest.mark.parametrize("asked", ASKED_OF_A_ROOM)
async def test_a_room_that_is_not_there_is_not_found(store: RoomStore, asked: str) -> None:
    await store.create(make_room("OTHER"))
    with pytest.raises(RoomNotFound):
        await ASKED_OF_A_ROOM[asked](store)


async def test_a_commit_advances_the_room_by_one(store: RoomStore) -> None:
    stored = await store.create(make_room())
    commit = next_commit(stored)
    assert await store.commit(commit) == Committed(1)
    assert await store.load(CODE) == after(stored, commit)


async def test_a_request_that_comes_again_gets_its_first_answer_and_changes_nothing(store: RoomStore) -> None:
    stored = await store.create(make_room())
    commit = next_commit(stored, "first", [b"1"])
    await store.commit(commit)
    newest = await advance(store, after(stored, commit), 2)
    assert await store.commit(commit) == Committed(1, is_duplicate=True)
    assert await store.commit(next_commit(newest, "first", [b"2"])) == Committed(1, is_duplicate=True)
    assert await store.load(CODE) == newest
    assert await store.log(CODE) == [b"1"]


async def test_a_request_sent_many_times_at_once_makes_one_step(store: RoomStore) -> None:
    stored = await store.create(make_room())
    commit = next_commit(stored, "once", [b"1"])
    answers = await asyncio.gather(*(store.commit(commit) for _ in range(20)))
    assert {answer.version for answer in answers} == {1}
    assert sum(not answer.is_duplicate for answer in answers) == 1
    assert await store.log(CODE) == [b"1"]


async def test_a_request_is_remembered_over_so_many_others_and_not_more(store: RoomStore) -> None:
    stored = await store.create(make_room())
    first = next_commit(stored, "first")
    await store.commit(first)
    newest = await advance(store, after(stored, first), KEPT_REQUESTS - 1)
    assert await store.commit(first) == Committed(1, is_duplicate=True)
    newest = await advance(store, newest, 1)
    with pytest.raises(Conflict):
        await store.commit(first)
    assert await store.commit(next_commit(newest, "first")) == Committed(newest.version + 1)


async def test_the_same_request_id_in_two_rooms_is_two_requests(store: RoomStore) -> None:
    for code in ("FIRST", "SECOND"):
        stored = await store.create(make_room(code))
        assert await store.commit(next_commit(stored, "same")) == Committed(1)


@pytest.mark.parametrize("expected", [0, 1, 3, 12])
async def test_another_version_than_expected_is_a_conflict_with_the_newest_state(
    store: RoomStore, expected: int
) -> None:
    stored = await store.create(make_room())
    newest = await advance(store, stored, 2)
    with pytest.raises(Conflict) as conflict:
        await store.commit(next_commit(Stored(stored.room, expected, stored.epoch), "late"))
    assert conflict.value.stored == newest
    assert await store.load(CODE) == newest
    assert await store.commit(next_commit(newest, "late")) == Committed(3)


async def test_of_many_commits_at_once_on_one_version_one_is_made(store: RoomStore) -> None:
    stored = await store.create(make_room())
    commits = [next_commit(stored, f"player {n}", [b"%d" % n]) for n in range(CALLERS)]
    made = await asyncio.gather(*map(store.commit, commits), return_exceptions=True)
    (winner,) = [commit for commit, one in zip(commits, made, strict=True) if one == Committed(1)]
    conflicts = [one for one in made if isinstance(one, Conflict)]
    assert [conflict.stored for conflict in conflicts] == [after(stored, winner)] * (CALLERS - 1)
    assert await store.log(CODE) == list(winner.events)


async def test_many_rooms_at_once_all_get_their_answer(store: RoomStore) -> None:
    rooms = await asyncio.gather(*(store.create(make_room(f"ROOM{n}")) for n in range(120)))
    advanced = await asyncio.gather(*(advance(store, stored, 5) for stored in rooms))
    assert await asyncio.gather(*(store.load(stored.room.code) for stored in advanced)) == advanced


async def test_a_commit_is_made_once_when_its_caller_goes_away(store: RoomStore) -> None:
    stored = await store.create(make_room())
    commit = next_commit(stored, "gone", [b"1"])
    for _ in range(5):
        caller = asyncio.create_task(store.commit(commit))
        asyncio.get_running_loop().call_soon(caller.cancel)
        with suppress(asyncio.CancelledError):
            await caller
    assert (await store.commit(commit)).version == 1
    assert await store.log(CODE) == [b"1"]


async def test_updates_are_given_from_any_version_that_is_kept(store: RoomStore) -> None:
    newest = await advance(store, await store.create(make_room()), KEPT_UPDATES + 2)
    updates = [(n, update_of(n, f"request {n}")) for n in range(1, newest.version + 1)]
    for version in (2, 3, 77, newest.version - 1):
        assert await store.updates_since(CODE, version) == updates[version:]
    assert await store.updates_since(CODE, newest.version) == []


async def test_there_are_no_updates_from_a_version_that_is_not_kept(store: RoomStore) -> None:
    newest = await advance(store, await store.create(make_room()), KEPT_UPDATES + 2)
    for version in (-1, 0, 1, newest.version + 1, 10_000):
        assert await store.updates_since(CODE, version) is None


async def test_a_new_room_has_no_updates_and_no_log(store: RoomStore) -> None:
    await store.create(make_room())
    assert await store.updates_since(CODE, 0) == []
    assert await store.log(CODE) == []


async def test_the_log_holds_every_event_of_the_game_in_order(store: RoomStore) -> None:
    stored = await store.create(make_room())
    written: list[bytes] = []
    for step in range(12):
        events = [b'{"step": %d,\n "place": %d}' % (step, place) for place in range(step % 3)]
        commit = next_commit(stored, events=events)
        await store.commit(commit)
        stored = after(stored, commit)
        written += events
    assert await store.log(CODE) == written


async def test_the_next_game_of_a_room_has_a_log_of_its_own(stores: Stores, store: RoomStore) -> None:
    stored = await store.create(make_room())
    for game_id, event in (("game-1", b"of game 1"), ("game-2", b"of game 2"), ("game-2", b"more of it")):
        commit = next_commit(stored, events=[event], game_id=game_id)
        await store.commit(commit)
        stored = after(stored, commit)
    assert await store.log(CODE) == [b"of game 2", b"more of it"]
    assert await (await stores.restart()).log(CODE) == [b"of game 2", b"more of it"]


async def test_a_watched_room_is_heard_in_the_order_of_its_versions(
    store: RoomStore, listener: Listener
) -> None:
    codes = ["FIRST", "SECOND", "THIRD"]
    for code in codes:
        store.watch(code)
    rooms = [await store.create(make_room(code)) for code in codes]
    await asyncio.gather(*(advance(store, stored, 40) for stored in rooms))
    await listener.until(lambda: all(len(listener.updates[code]) == 40 for code in codes))
    for code in codes:
        assert listener.updates[code] == await store.updates_since(code, 0)


async def test_a_room_is_heard_only_while_it_is_watched(store: RoomStore, listener: Listener) -> None:
    stored = await store.create(make_room())
    stored = await speak(store, listener, stored, "before")
    store.watch(CODE)
    stored = await speak(store, listener, stored, "watched")
    store.unwatch(CODE)
    stored = await speak(store, listener, stored, "not watched")
    store.watch(CODE)
    await speak(store, listener, stored, "watched again")
    assert listener.relays[CODE] == [b"watched", b"watched again"]
    assert [version for version, _ in listener.updates[CODE]] == [2, 4]


async def speak(store: RoomStore, listener: Listener, stored: Stored, message: str) -> Stored:
    """One step and one message in the room; return when both have arrived wherever they do."""
    stored = await advance(store, stored, 1)
    await store.relay(CODE, message.encode())
    store.watch("MARK")
    await store.relay("MARK", b"")
    await listener.until_relayed("MARK", stored.version)
    return stored


async def test_a_refused_or_repeated_commit_is_not_heard(store: RoomStore, listener: Listener) -> None:
    store.watch(CODE)
    stored = await store.create(make_room())
    commit = next_commit(stored, "first")
    for request in ("first", "first", "second"):
        with suppress(StoreError):
            await store.commit(next_commit(stored, request))
    await store.relay(CODE, b"the end")
    await listener.until_relayed(CODE)
    assert listener.updates[CODE] == [(1, commit.update)]


async def test_what_is_relayed_arrives_byte_by_byte(store: RoomStore, listener: Listener) -> None:
    message = bytes(range(256)) + b" with spaces\r\nand lines"
    store.watch(CODE)
    await store.relay(CODE, message)
    await listener.until_relayed(CODE)
    assert listener.relays[CODE] == [message]


async def test_finished_games_wait_to_be_recorded_oldest_first(store: RoomStore) -> None:
    games = [game_of(f"ROOM{n}") for n in range(8)]
    for game in games:
        await finish(store, game.code)
    assert await store.unrecorded(100) == games
    assert await store.unrecorded(3) == games[:3]
    await store.mark_recorded("ROOM1", "game-1")
    await store.mark_recorded("ROOM1", "game-1")
    await store.mark_recorded("NOBODY", "game-1")
    assert await store.unrecorded(3) == [games[0], *games[2:4]]


async def test_a_room_that_finishes_again_while_it_waits_keeps_its_place(store: RoomStore) -> None:
    first = await finish(store, "FIRST")
    await finish(store, "SECOND")
    await store.commit(next_commit(first, ends=True))
    assert await store.unrecorded(10) == [game_of("FIRST"), game_of("SECOND")]


async def test_a_game_that_goes_on_does_not_wait_to_be_recorded(store: RoomStore) -> None:
    await advance(store, await store.create(make_room()), 3)
    assert await store.unrecorded(10) == []


async def test_a_finishing_request_that_comes_again_is_not_recorded_again(store: RoomStore) -> None:
    stored = await store.create(make_room())
    commit = next_commit(stored, "last", ends=True)
    await asyncio.gather(store.commit(commit), store.commit(commit))
    assert await store.unrecorded(10) == [game_of(CODE)]
    await store.mark_recorded(CODE, "game-1")
    assert await store.commit(commit) == Committed(1, is_duplicate=True)
    assert await store.unrecorded(10) == []


async def test_a_recorded_room_can_still_be_read_and_play_on(store: RoomStore) -> None:
    stored = await finish(store, CODE)
    await store.mark_recorded(CODE, "game-1")
    assert await store.load(CODE) == stored
    commit = next_commit(stored, ends=True)
    await store.commit(commit)
    assert await store.unrecorded(10) == []
    await store.commit(next_commit(after(stored, commit), game_id="game-2", ends=True))
    assert await store.unrecorded(10) == [FinishedGame(CODE, "game-2")]


async def test_a_restart_brings_everything_back(stores: Stores, store: RoomStore) -> None:
    stored = await store.create(make_room())
    first = next_commit(stored, "first", [b"1", b"2"])
    await store.commit(first)
    newest = await advance(store, after(stored, first), KEPT_UPDATES + 10)
    await finish(store, "OVER")
    await finish(store, "DONE")
    await store.mark_recorded("DONE", "game-1")
    updates = await store.updates_since(CODE, 11)

    store = await stores.restart()
    assert await store.load(CODE) == newest
    assert await store.updates_since(CODE, 11) == updates
    assert await store.updates_since(CODE, 10) is None
    assert await store.log(CODE) == [b"1", b"2"]
    assert await store.unrecorded(10) == [game_of("OVER")]
    assert await store.commit(first) == Committed(1, is_duplicate=True)
    assert await store.commit(next_commit(newest)) == Committed(newest.version + 1)
    await store.mark_recorded("OVER", "game-1")
    assert await (await stores.restart()).unrecorded(10) == []


async def test_a_store_that_is_there_answers(store: RoomStore) -> None:
    await store.ping()
