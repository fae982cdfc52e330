"""A file that an earlier version of the local store wrote is read, and is of the present format then."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.rooms.local_store import LocalStore
from app.rooms.room import Phase
from app.rooms.store import Committed, RoomNotFound
from tests.contract.listener import Listener
from tests.contract.samples import game_of, next_commit, update_of

FORMAT_1 = Path(__file__).with_name("format_1.sql")
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
    with closing(sqlite3.connect(path)) as connection, connection:
        ends = connection.execute("SELECT expires_at FROM room WHERE code = 'DONE'").fetchone()
    assert ends == (None,)  # the step says nothing of a life


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
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM event WHERE code = 'WAITING'").fetchone() == (1,)
