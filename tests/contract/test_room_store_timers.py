"""What every room store promises of timers and of the outbox, tried on each adapter."""

import pytest

from app.rooms.store import (
    FIRING_MS,
    OUTAGE_MS,
    Committed,
    Conflict,
    DueRoom,
    FinishedGame,
    RoomNotFound,
    RoomStore,
    Stored,
)
from tests.contract.conftest import Stores
from tests.contract.samples import CODE, after, finish, game_of, make_room, next_commit

NOW = 1_700_000_000_000


async def timed(store: RoomStore, code: str, due: int | None) -> Stored:
    """A new room with a timer."""
    stored = await store.create(make_room(code))
    commit = next_commit(stored, due=due)
    await store.commit(commit)
    return after(stored, commit)


async def test_rooms_are_due_from_their_instant_on_those_that_wait_longest_first(store: RoomStore) -> None:
    for number, code in enumerate(("THIRD", "SECOND", "FIRST", "LATER")):
        await timed(store, code, NOW + 1_000 - 100 * number + 10_000 * (code == "LATER"))
    await timed(store, "NEVER", None)
    assert await store.due(NOW + 799, 9) == []
    assert await store.due(NOW + 1_000, 2) == [DueRoom("FIRST", NOW + 800), DueRoom("SECOND", NOW + 900)]
    assert await store.due(NOW + 1_000, 9) == [DueRoom("THIRD", NOW + 1_000)]


async def test_a_due_room_is_handed_out_to_one_worker_for_two_seconds(store: RoomStore) -> None:
    await timed(store, CODE, NOW)
    assert await store.due(NOW, 9) == [DueRoom(CODE, NOW)]
    assert await store.due(NOW + FIRING_MS - 1, 9) == []
    assert await store.due(NOW + FIRING_MS, 9) == [DueRoom(CODE, NOW)]


async def test_a_step_replaces_the_timer_and_one_without_clears_it(store: RoomStore) -> None:
    stored = await timed(store, CODE, NOW)
    commit = next_commit(stored, due=NOW + 500)
    await store.commit(commit)
    assert await store.due(NOW + 499, 9) == []
    assert await store.due(NOW + 500, 9) == [DueRoom(CODE, NOW + 500)]
    await store.commit(next_commit(after(stored, commit)))
    assert await store.due(NOW + FIRING_MS + 500, 9) == []


async def test_a_refused_step_leaves_the_timer_as_it_was(store: RoomStore) -> None:
    stored = await timed(store, CODE, NOW)
    with pytest.raises(Conflict):
        await store.commit(next_commit(Stored(stored.room, 0, stored.epoch), "late"))
    assert await store.commit(next_commit(stored, "request 1")) == Committed(1, is_duplicate=True)
    assert await store.due(NOW, 9) == [DueRoom(CODE, NOW)]


async def test_a_timer_is_dropped_only_while_it_is_that_one(store: RoomStore) -> None:
    await timed(store, CODE, NOW)
    await store.drop_timer(CODE, NOW - 1)
    await store.drop_timer("NOBODY", NOW)
    assert await store.due(NOW, 9) == [DueRoom(CODE, NOW)]
    await store.drop_timer(CODE, NOW)
    assert await store.due(NOW + FIRING_MS, 9) == []


async def test_after_an_outage_every_timer_that_ran_is_told_how_long_it_was(store: RoomStore) -> None:
    running = await timed(store, "RUNNING", NOW + 60_000)
    await timed(store, "PASSED", NOW + 3_000)
    await timed(store, "BEFORE", NOW - 1)
    assert await store.due(NOW, 9) == [DueRoom("BEFORE", NOW - 1)]
    back = NOW + 5_000
    expected = [
        DueRoom("BEFORE", NOW - 1),
        DueRoom("PASSED", NOW + 3_000, outage_ms=5_000),
        DueRoom("RUNNING", NOW + 60_000, outage_ms=5_000),
    ]
    assert await store.due(back, 9) == expected
    # A step that leaves the timer alone doesn't hide the outage; the postponing one ends it.
    commit = next_commit(running, due=NOW + 60_000)
    await store.commit(commit)
    assert expected[2] in await store.due(back + FIRING_MS, 9)
    await store.commit(next_commit(after(running, commit), due=NOW + 65_000))
    assert [room.code for room in await store.due(back + 2 * FIRING_MS, 9)] == ["BEFORE", "PASSED"]


async def test_a_pause_of_two_seconds_is_no_outage_nor_is_a_time_without_timers(store: RoomStore) -> None:
    stored = await timed(store, CODE, NOW + 60_000)
    assert await store.due(NOW, 9) == []
    assert await store.due(NOW + OUTAGE_MS, 9) == []
    commit = next_commit(stored)
    await store.commit(commit)
    assert await store.due(NOW + 90_000, 9) == []
    await store.commit(next_commit(after(stored, commit), due=NOW + 120_000))
    assert await store.due(NOW + 100_000, 9) == []


async def test_timers_outlive_a_restart(stores: Stores, store: RoomStore) -> None:
    await timed(store, CODE, NOW)
    await timed(store, "DROPPED", NOW)
    await store.drop_timer("DROPPED", NOW)
    assert await (await stores.restart()).due(NOW, 9) == [DueRoom(CODE, NOW)]


async def test_a_rematch_before_its_game_is_recorded_loses_nothing(stores: Stores, store: RoomStore) -> None:
    finished = await finish(store, CODE)
    commit = next_commit(finished, events=[b"of game 2"], game_id="game-2")
    await store.commit(commit)
    assert await store.finished(CODE, "game-1") == (finished.room, [b"all of KOCKA"])
    await store.commit(next_commit(after(finished, commit), events=[b"more"], ends=True))
    store = await stores.restart()
    games = [game_of(CODE), FinishedGame(CODE, "game-2")]
    assert await store.unrecorded(9) == games
    assert await store.finished(CODE, "game-1") == (finished.room, [b"all of KOCKA"])
    assert (await store.finished(CODE, "game-2"))[1] == [b"of game 2", b"more"]
    await store.mark_recorded(CODE, "game-1")
    with pytest.raises(RoomNotFound):
        await store.finished(CODE, "game-1")
    assert await store.unrecorded(9) == games[1:]
    assert await store.log(CODE) == [b"of game 2", b"more"]


async def test_a_finished_game_is_kept_as_it_was_when_it_finished(store: RoomStore) -> None:
    finished = await finish(store, CODE)
    commit = next_commit(finished, events=[b"a word after the end"], ends=True)
    await store.commit(commit)
    assert await store.finished(CODE, "game-1") == (finished.room, [b"all of KOCKA"])


async def test_another_epoch_than_expected_is_a_conflict(store: RoomStore) -> None:
    stored = await store.create(make_room())
    for epoch, is_made in (("another", False), (stored.epoch, True)):
        commit = next_commit(Stored(stored.room, 0, epoch), f"by {epoch}", epoch=epoch)
        if is_made:
            assert await store.commit(commit) == Committed(1)
        else:
            with pytest.raises(Conflict) as conflict:
                await store.commit(commit)
            assert conflict.value.stored == stored


async def test_what_was_seen_last_of_a_room_is_known_without_asking(store: RoomStore) -> None:
    store.watch(CODE)
    stored = await store.create(make_room())
    assert await store.recent(CODE) == stored
    commit = next_commit(stored)
    await store.commit(commit)
    assert await store.recent(CODE) == after(stored, commit)
    store.unwatch(CODE)
    assert await store.recent(CODE) == after(stored, commit)


async def test_an_answer_is_found_by_its_request_alone(store: RoomStore) -> None:
    stored = await timed(store, CODE, None)
    assert await store.answered(CODE, "request 1") == Committed(1, is_duplicate=True)
    assert await store.answered(CODE, "request 2") is None
    assert await store.load(CODE) == stored
