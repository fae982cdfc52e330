"""A file that an earlier version of the local store wrote is read, and is of the present format then."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.rooms.journal_file import read
from app.rooms.local_store import LocalStore
from app.rooms.room import Phase
from app.rooms.store import KEPT_UPDATES, Committed, DueRoom, RoomNotFound, StoreUnavailable
from tests.contract.listener import Listener
from tests.contract.samples import game_of, next_commit, update_of

FORMAT_1 = Path(__file__).with_name("format_1.sql")
FORMAT_2 = Path(__file__).with_name("format_2.sql")
THEN = 1_700_000_000.0  # when it was written
HOUR = 3600.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of format 1."""
    path = tmp_path / "rooms.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FORMAT_1.read_text())
    return path


async def opened(path: Path, now: float) -> LocalStore:
    store = LocalStore(path, clock=lambda: now)
    await store.open(Listener())
    return store


@pytest.mark.parametrize("times", [1, 2])
async def test_everything_in_a_file_of_format_1_is_there(path: Path, times: int) -> None:
    for _ in range(times):
        store = await opened(path, THEN + HOUR)
        playing = await store.load("PLAYING")
        assert (playing.version, playing.room.host) == (2, "host 2")
        assert await store.log("PLAYING") == [b'"1"', b'"2"', b'"3"']
        assert await store.updates_since("PLAYING", 0) == [(n, update_of(n, f"request {n}")) for n in (1, 2)]
        assert await store.answered("PLAYING", "request 1") == Committed(1, is_duplicate=True)
        assert await store.log("SECOND") == [b'"new"']
        assert await store.unrecorded(9) == [game_of("WAITING")]
        room, log = await store.finished("WAITING", "game-1")
        assert (room.phase, log) == (Phase.FINISHED, [b'"all"'])
        await store.close()


async def test_a_game_recorded_in_format_1_is_not_recorded_again_and_its_room_ends_when_it_would_have(
    path: Path,
) -> None:
    store = await opened(path, THEN + 47 * HOUR)
    await store.commit(next_commit(await store.load("DONE"), ends=True))
    assert await store.unrecorded(9) == [game_of("WAITING")]
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert read(connection).rooms["DONE"].row.expires_at is None  # the step says nothing of a life


async def test_a_room_that_was_over_in_format_1_is_gone_after_its_two_days(path: Path) -> None:
    store = await opened(path, THEN + 48 * HOUR)
    with pytest.raises(RoomNotFound):
        await store.load("DONE")
    await store.load("PLAYING")
    await store.close()


async def test_an_upgraded_file_plays_on(path: Path) -> None:
    store = await opened(path, THEN)
    stored = await store.load("WAITING")
    await store.commit(next_commit(stored, events=[b"next"], game_id="game-2", due=5_000))
    assert await store.due(5_000, 9) != []
    await store.mark_recorded("WAITING", "game-1")
    await store.close()
    store = await opened(path, THEN)
    assert await store.unrecorded(9) == []
    assert await store.log("WAITING") == [b"next"]
    await store.close()


@pytest.fixture
def path_2(tmp_path: Path) -> Path:
    """A file of format 2."""
    path = tmp_path / "rooms.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FORMAT_2.read_text())
    return path


@pytest.mark.parametrize("times", [1, 2])
async def test_everything_in_a_file_of_format_2_is_there(path_2: Path, times: int) -> None:
    for _ in range(times):
        store = await opened(path_2, THEN + HOUR / 4)
        playing = await store.load("PLAYING")
        assert (playing.version, playing.room.host) == (2, "host 2")
        assert await store.log("PLAYING") == [b'"1"', b'"2"', b'"3"']
        assert await store.updates_since("PLAYING", 0) == [(n, update_of(n, f"request {n}")) for n in (1, 2)]
        assert await store.answered("PLAYING", "request 1") == Committed(1, is_duplicate=True)
        assert await store.log("WAITING") == [b'"new"']
        assert await store.unrecorded(9) == [game_of("WAITING")]
        room, log = await store.finished("WAITING", "game-1")
        assert (room.phase, room.host, log) == (Phase.FINISHED, "host 2", [b'"old"', b'"end"'])
        assert (await store.load("LOBBY")).room.phase is Phase.LOBBY
        await store.close()


async def test_a_file_of_format_2_goes_on_with_its_timers_lives_and_outbox(path_2: Path) -> None:
    store = await opened(path_2, THEN + HOUR)
    with pytest.raises(RoomNotFound):
        await store.load("LOBBY")
    asked = int(THEN * 1000) + 15_000
    assert await store.due(asked, 9) == [DueRoom("PLAYING", asked + 25_000, outage_ms=15_000)]
    await store.commit(next_commit(await store.load("DONE"), ends=True))
    await store.mark_recorded("WAITING", "game-1")
    assert await store.unrecorded(9) == []  # what was recorded isn't recorded again
    await store.close()
    store = await opened(path_2, THEN + 48 * HOUR)
    with pytest.raises(RoomNotFound):
        await store.load("PLAYING")
    assert await store.unrecorded(9) == []
    await store.close()


async def test_the_last_steps_of_format_2_are_kept_and_no_more(path_2: Path) -> None:
    with closing(sqlite3.connect(path_2)) as connection, connection:
        connection.execute("DELETE FROM step WHERE code = 'DONE'")
        connection.execute(
            "WITH RECURSIVE n(v) AS (VALUES (45) UNION ALL SELECT v + 1 FROM n WHERE v < 300) "
            "INSERT INTO step SELECT 'DONE', v % 256, v, 'request ' || v, x'00' FROM n"
        )
        connection.execute("UPDATE room SET version = 300 WHERE code = 'DONE'")
    store = await opened(path_2, THEN)
    assert await store.answered("DONE", "request 45") == Committed(45, is_duplicate=True)
    updates = await store.updates_since("DONE", 300 - KEPT_UPDATES)
    assert updates == [(version, b"\0") for version in range(301 - KEPT_UPDATES, 301)]
    await store.close()


async def test_an_upgrade_that_fails_leaves_the_file_as_it_was(path_2: Path) -> None:
    with closing(sqlite3.connect(path_2)) as connection, connection:
        connection.execute("DROP TABLE event")
    before = dump(path_2)
    with pytest.raises(StoreUnavailable, match="can't be used for rooms: no such table: event"):
        await opened(path_2, THEN)
    assert dump(path_2) == before


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())
