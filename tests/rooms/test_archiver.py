"""Finished games reach the books: once the database is back, and whatever else can't be recorded."""

import asyncio
import json
import logging
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.rooms.archiver import Archiver, make_record
from app.rooms.event_views import event as shown
from app.rooms.events import TableEvent
from app.rooms.local_store import LocalStore
from app.rooms.meters import Meters
from app.rooms.room import Room
from app.rooms.store import Commit, FinishedGame, RoomNotFound, RoomStore
from app.rules.record import Record, verify
from tests.around_store import AroundStore
from tests.patience import PATIENCE_SECONDS
from tests.rooms.serving import make_rooms
from tests.rooms.tables import NAMES, seated, started, steps
from tests.values import replace


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[LocalStore]:
    """An open store."""
    store = LocalStore(tmp_path / "rooms.db")
    await store.open(make_rooms(store).hub)
    yield store
    await store.close()


async def finish_game(store: RoomStore, code: str = "KAFANA") -> None:
    """Put a room whose game has just ended into the store, its whole game as one step."""
    room = replace(started(NAMES[:2]), code=code, game_id=f"g-{code}")
    await store.create(room)
    log: list[bytes] = []
    for _, after_step, happened in steps(room, random.Random(code)):
        room = after_step
        events = (event for event in happened if not isinstance(event, TableEvent))
        log.extend(json.dumps(shown(event)).encode() for event in events)
    await store.commit(
        Commit(room=room, expected_version=0, request="r", update=b"{}", events=log, is_finished=True)
    )


class Books:
    """Where games are recorded; may be away for some time, and refuses some for good."""

    def __init__(self, failures: int = 0, refused: str = "") -> None:
        self.records: list[Record] = []
        self.failures = failures
        self.refused = refused
        self.recorded = asyncio.Event()

    async def record_game(self, record: Record) -> None:
        if self.failures > 0 or (self.refused and record.game_id.startswith(self.refused)):
            self.failures -= 1
            raise ConnectionError("the database is away")
        self.records.append(record)
        self.recorded.set()


async def test_a_finished_game_is_recorded_and_taken_out_of_the_outbox(store: LocalStore) -> None:
    books = Books()
    await finish_game(store)
    assert await Archiver(store, books.record_game).record_all()
    assert await store.unrecorded(1) == []
    [record] = books.records
    assert [seat.name for seat in record.seats] == list(NAMES[:2])
    verify(record)


async def test_what_cannot_be_recorded_stays_in_the_outbox_and_does_not_hold_up_the_rest(
    store: LocalStore, caplog: pytest.LogCaptureFixture
) -> None:
    books = Books(refused="g-FIRST")
    for code in ("FIRST", "SECOND"):
        await finish_game(store, code)
    with caplog.at_level(logging.WARNING):
        assert not await Archiver(store, books.record_game).record_all()
    assert [record.game_id for record in books.records] == ["g-SECOND"]
    assert await store.unrecorded(5) == [FinishedGame("FIRST", "g-FIRST")]
    assert "FIRST" in caplog.text


async def test_a_game_is_recorded_when_the_database_is_back(store: LocalStore) -> None:
    books, clock = Books(failures=2), Clock()
    archiver = Archiver(store, books.record_game, clock=clock)
    await finish_game(store)
    tries = []
    for seconds in (0, 1, 1, 1, 3):
        clock.seconds += seconds
        await archiver.record_all()
        tries.append((2 - books.failures, len(books.records)))
    # At once, after two seconds, and after four more.
    assert tries == [(1, 0), (1, 0), (2, 0), (2, 0), (2, 1)]


class Clock:
    """Time as a test wants it."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def test_games_that_can_never_be_recorded_do_not_hold_up_those_behind_them(store: LocalStore) -> None:
    books, clock = Books(refused="g-BAD"), Clock()
    for at in range(25):
        await finish_game(store, f"BAD{at}")
    await finish_game(store, "GOOD")
    archiver = Archiver(store, books.record_game, clock=clock)
    for _ in range(10):
        await archiver.record_all()
    assert [record.game_id for record in books.records] == ["g-GOOD"]
    assert len(await store.unrecorded(100)) == 25


class ForgetfulStore(AroundStore):
    """A store whose outbox lists a game that it doesn't have."""

    asked = 0

    async def finished(self, code: str, game_id: str) -> tuple[Room, list[bytes]]:
        self.asked += 1
        raise RoomNotFound(f"{code} {game_id}")


async def test_a_game_that_is_listed_and_not_there_is_asked_for_with_pauses(tmp_path: Path) -> None:
    store = ForgetfulStore(tmp_path / "rooms.db")
    await store.open(make_rooms(store).hub)
    await finish_game(store)
    archiver = Archiver(store, Books().record_game, clock=Clock())
    for _ in range(3):
        await archiver.record_all()
    assert store.asked == 1
    await store.close()


async def test_while_the_books_are_away_few_games_are_tried_at_once(store: LocalStore) -> None:
    books = Books(failures=10**6)
    for at in range(10):
        await finish_game(store, f"ROOM{at}")
    await Archiver(store, books.record_game).record_all()
    assert 10**6 - books.failures == 3


async def test_recordings_are_counted_by_their_outcome(store: LocalStore) -> None:
    books, meters = Books(refused="g-B"), Meters()
    for code in ("A", "B", "C"):
        await finish_game(store, code)
    await Archiver(store, books.record_game, meters=meters).record_all()
    assert meters.recordings == {"recorded": 2, "failed": 1}


async def test_a_game_that_has_just_ended_is_recorded_at_once(store: LocalStore) -> None:
    books = Books()
    archiver = Archiver(store, books.record_game)
    running = asyncio.create_task(archiver.run())
    await finish_game(store)
    archiver.wake()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await books.recorded.wait()
    running.cancel()


async def test_a_store_that_is_away_does_not_end_the_archiver(store: LocalStore) -> None:
    await store.close()
    assert not await Archiver(store, Books().record_game).record_all()


def test_a_game_that_is_not_over_has_no_record() -> None:
    with pytest.raises(ValueError, match="isn't over"):
        make_record(seated(), [])
