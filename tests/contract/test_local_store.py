"""What the local store promises beyond the contract: about its file, its process and its disk."""

import asyncio
import resource
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from fastapi import APIRouter, FastAPI
from httpx import ASGITransport, AsyncClient

from app.accounts.identity import Identity
from app.health import make_health_router
from app.problems import install_problem_handlers
from app.rooms.journal import BYTES_TO_FOLD
from app.rooms.journal_file import Found
from app.rooms.journal_reading import read
from app.rooms.local_store import COMING_BACK_MS, LocalStore
from app.rooms.service import RoomService
from app.rooms.store import (
    KEPT_REQUESTS,
    KEPT_UPDATES,
    Committed,
    DueRoom,
    Lease,
    RoomNotFound,
    Stored,
    StoreUnavailable,
)
from tests.contract.listener import Listener
from tests.contract.samples import CODE, advance, after, finish, make_lobby, make_room, next_commit, update_of
from tests.patience import PATIENCE_SECONDS
from tests.servers import ROOT
from tests.values import replace

HOUR = 3600.0
ASKED_OF_A_STORE: dict[str, Callable[[LocalStore], Awaitable[object]]] = {
    "create": lambda store: store.create(make_room("NEW")),
    "load": lambda store: store.load(CODE),
    "recent": lambda store: store.recent(CODE),
    "commit": lambda store: store.commit(next_commit(Stored(make_room(), 0, ""))),
    "updates_since": lambda store: store.updates_since(CODE, 0),
    "log": lambda store: store.log(CODE),
    "relay": lambda store: store.relay(CODE, b""),
    "unrecorded": lambda store: store.unrecorded(1),
    "mark_recorded": lambda store: store.mark_recorded(CODE, "game-1"),
    "finished": lambda store: store.finished(CODE, "game-1"),
    "answered": lambda store: store.answered(CODE, "request 1"),
    "due": lambda store: store.due(0, 1),
    "drop_timer": lambda store: store.drop_timer(CODE, 0),
    "renew": lambda store: store.renew([Lease(CODE, "ana", "1", is_away=False)], 0),
    "release": lambda store: store.release(CODE, "1", 0),
    "leases_of": lambda store: store.leases_of([CODE], 0),
    "versions": lambda store: store.versions([CODE]),
    "census": lambda store: store.census(),
    "ping": lambda store: store.ping(),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "rooms.db"


@contextmanager
def committing_process(path: Path, rooms: int, *, folds: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A real process that commits, and folds all the time or never; killed at the end, if it lives."""
    module, bytes_to_fold = "tests.contract.committing", 0 if folds else BYTES_TO_FOLD
    command = [sys.executable, "-m", module, str(path), str(rooms), str(bytes_to_fold)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def acknowledged_lines(process: subprocess.Popen[str], count: int) -> Iterator[str]:
    """So many acknowledgements, then, after SIGKILL, those that were on their way."""
    assert process.stdout is not None
    for _ in range(count):
        yield process.stdout.readline()
    process.kill()
    yield from process.stdout


@pytest.mark.parametrize("folds", [False, True])
@pytest.mark.parametrize("rooms", [1, 12])
async def test_after_kill_9_every_acknowledged_step_is_there(path: Path, rooms: int, *, folds: bool) -> None:
    acknowledged: dict[str, int] = {}
    with committing_process(path, rooms, folds=folds) as process:
        for line in acknowledged_lines(process, 40 * rooms):
            if line.endswith("\n"):
                code, number = line.split()
                acknowledged[code] = int(number)
    store = LocalStore(path)
    await store.open(Listener())
    assert len(acknowledged) == rooms
    for code, version in acknowledged.items():
        stored = await store.load(code)
        assert version <= stored.version <= version + 1  # the last step may have lost its acknowledgement
        expected = [(n, update_of(n, f"request {n}")) for n in range(1, stored.version + 1)]
        assert await store.updates_since(code, 0) == expected
        assert stored.version == 0 or stored.room.host == f"host {stored.version}"
        again = next_commit(Stored(stored.room, stored.version - 1, stored.epoch))
        assert stored.version == 0 or (await store.commit(again)).is_duplicate
        assert await store.commit(next_commit(stored)) == Committed(stored.version + 1)
    await store.close()


async def test_a_file_in_use_by_another_process_is_refused_in_one_sentence(path: Path) -> None:
    with committing_process(path, 1) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ROOM0 0\n"
        with pytest.raises(
            StoreUnavailable, match=r"rooms\.db is in use by another process; .* through Redis$"
        ):
            await LocalStore(path).open(Listener())


async def test_a_file_is_free_again_once_its_store_is_closed(path: Path) -> None:
    for _ in range(2):
        store = LocalStore(path)
        await store.open(Listener())
        await store.close()


@contextmanager
def full_disk(path: Path) -> Iterator[None]:
    """No file of this process may grow beyond the journal as it is now."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = path.with_name(f"{path.name}-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_full_disk_is_told_and_changes_nothing(path: Path) -> None:
    store, listener = LocalStore(path), Listener()
    await store.open(listener)
    store.watch(CODE)
    stored = await advance(store, await store.create(make_room()), 2)
    commit = next_commit(stored, "refused", [b"1"], ends=True)
    with full_disk(path):
        with pytest.raises(StoreUnavailable, match="can't be written"):
            await store.commit(commit)
        with pytest.raises(StoreUnavailable, match="can't be written"):
            await store.create(make_room("NEW"))
        with pytest.raises(StoreUnavailable, match="can't be written"):
            await store.ping()
        assert await store.load(CODE) == stored
        assert (await store.log(CODE), await store.unrecorded(1)) == ([], [])
    await store.ping()  # which finds out by itself
    with pytest.raises(RoomNotFound):
        await store.load("NEW")
    assert await store.commit(commit) == Committed(3)
    await store.create(make_room("NEW"))
    await store.close()
    assert [version for version, _ in listener.updates[CODE]] == [1, 2, 3]

    store = LocalStore(path)
    await store.open(Listener())
    assert await store.load(CODE) == after(stored, commit)
    await store.close()


async def test_a_full_disk_is_one_line_of_the_log_and_one_when_it_is_over(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = LocalStore(path)
    await store.open(Listener())
    service = RoomService(store, now=lambda: 1, draw=secrets.token_bytes, on_finished=lambda: None)
    ana = Identity("pana", "Ana")
    await service.create(ana, "papir", 2)
    caplog.set_level("WARNING")
    health = APIClient(make_health_router({"room store": store.ping}))
    assert await health.status("/readyz") == 200
    with full_disk(path):
        for _ in range(5):
            with pytest.raises(StoreUnavailable):
                await service.create(ana, "papir", 2)
        assert await health.status("/readyz") == 503
    assert await health.status("/readyz") == 200
    for _ in range(2):
        await service.create(ana, "papir", 2)
    told = [record.message for record in caplog.records if record.name == "app.rooms.service"]
    assert len(told) == 2
    assert told[0].startswith("the room store takes no steps: ")
    assert told[1] == "the room store takes steps again"
    await store.close()


class APIClient:
    """Asks a router, without a server."""

    def __init__(self, router: APIRouter) -> None:
        self._app = FastAPI()
        install_problem_handlers(self._app, [StoreUnavailable])
        self._app.include_router(router)

    async def status(self, path: str) -> int:
        async with AsyncClient(transport=ASGITransport(self._app), base_url="http://test") as client:
            return (await client.get(path)).status_code


async def test_what_no_file_can_hold_is_told_and_holds_up_nothing(path: Path) -> None:
    store = LocalStore(path)
    await store.open(Listener())
    stored = await store.create(make_room())
    async with asyncio.timeout(PATIENCE_SECONDS):
        with pytest.raises(StoreUnavailable, match="can't be written"):
            await store.commit(replace(next_commit(stored), request="\ud800"))
        assert (await advance(store, stored, 1)).version == 1
    await store.close()


@pytest.mark.parametrize("asked", ASKED_OF_A_STORE)
async def test_a_closed_store_is_unavailable(path: Path, asked: str) -> None:
    store = LocalStore(path)
    await store.open(Listener())
    await store.create(make_room())
    await store.close()
    with pytest.raises(StoreUnavailable, match="is closed"):
        await ASKED_OF_A_STORE[asked](store)


async def test_closing_finishes_what_was_begun(path: Path) -> None:
    store = LocalStore(path)
    await store.open(Listener())
    rooms = [await store.create(make_room(f"ROOM{n}")) for n in range(5)]
    commits = [store.commit(next_commit(stored)) for stored in rooms]
    *committed, _ = await asyncio.gather(*commits, store.close())
    assert committed == [Committed(1)] * 5


def write_text(path: Path) -> None:
    path.write_text("a letter to a friend, much longer than the header of a database file. " * 20)


def write_other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE letters (text)")


def write_later_format(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA application_id = 1499557218; PRAGMA user_version = 99")
        connection.execute("CREATE TABLE room (something_new)")


@pytest.mark.parametrize(
    ("write", "reason"),
    [
        (write_text, "file is not a database"),
        (write_other_database, "another program's database"),
        (write_later_format, "its format is 99, this version reads 4"),
        (Path.mkdir, "unable to open database file"),
    ],
)
async def test_a_foreign_file_is_refused_and_left_as_it_is(
    tmp_path: Path, write: Callable[[Path], None], reason: str
) -> None:
    path = tmp_path / "rooms.db"
    write(path)
    before = None if path.is_dir() else path.read_bytes()
    with pytest.raises(StoreUnavailable, match=rf"rooms\.db can't be used for rooms: .*{reason}"):
        await LocalStore(path).open(Listener())
    assert path.is_dir() or path.read_bytes() == before


def in_file(path: Path) -> Found:
    with closing(sqlite3.connect(path)) as connection:
        return read(connection)


async def test_the_file_keeps_no_more_steps_than_are_asked_for(path: Path) -> None:
    store = LocalStore(path, bytes_to_fold=0)
    await store.open(Listener())
    stored = await advance(store, await store.create(make_room()), KEPT_REQUESTS + 20)
    found = in_file(path)
    assert found.written - found.dropped < 60  # of 277 batches
    await store.close()
    store = LocalStore(path)
    await store.open(Listener())
    assert await store.load(CODE) == stored
    assert await store.answered(CODE, "request 20") is None
    assert await store.answered(CODE, "request 21") == Committed(21, is_duplicate=True)
    assert await store.updates_since(CODE, stored.version - KEPT_UPDATES - 1) is None
    updates = await store.updates_since(CODE, stored.version - KEPT_UPDATES)
    assert updates is not None
    assert updates[-1] == (stored.version, update_of(stored.version, f"request {stored.version}"))
    await store.close()


async def test_rooms_that_are_forgotten_vanish_from_the_file_also_when_nobody_plays(path: Path) -> None:
    now = 1_700_000_000.0
    store = LocalStore(path, clock=lambda: now, bytes_to_fold=4096)
    await store.open(Listener())
    for number in range(40):
        await store.create(make_room(f"ROOM{number}"), 1000)
    await store.commit(next_commit(await store.create(make_room()), due=int(now * 1000) + 40_000))
    asked = int(now * 1000)
    now += 1
    while (found := in_file(path)).rooms.keys() != {CODE} or found.size > 4096:
        asked += 100
        await store.due(asked, 1)
        await asyncio.sleep(0.001)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM room WHERE code != ?", [CODE]).fetchone() == (0,)
    assert found.asked_at is not None
    assert asked - found.asked_at <= 1000
    await store.close()


class DefectiveWatcher(Listener):
    def updated(self, code: str, version: int, update: bytes) -> None:
        raise LookupError(code, version, update)


async def test_a_defect_of_who_is_told_keeps_nobody_from_an_answer(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = LocalStore(path)
    await store.open(DefectiveWatcher())
    rooms = [await store.create(make_room(f"ROOM{n}")) for n in range(3)]
    store.watch("ROOM0")
    async with asyncio.timeout(PATIENCE_SECONDS):
        committed = await asyncio.gather(*(store.commit(next_commit(stored)) for stored in rooms))
    assert committed == [Committed(1)] * 3
    assert (await advance(store, await store.load("ROOM0"), 1)).version == 2
    assert "what follows from something written failed" in caplog.text
    await store.close()


async def test_the_file_can_be_backed_up_while_it_is_in_use(path: Path, tmp_path: Path) -> None:
    store = LocalStore(path)
    await store.open(Listener())
    stored = await advance(store, await store.create(make_room()), 3)
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    await advance(store, stored, 1)
    await store.close()
    restored = LocalStore(copy)
    await restored.open(Listener())
    assert replace(await restored.load(CODE), epoch=stored.epoch) == stored
    await restored.close()


async def test_a_room_is_forgotten_at_the_end_of_its_life_and_not_while_a_game_of_it_waits(
    path: Path,
) -> None:
    now = 1_700_000_000.0
    hour_ms = int(HOUR * 1000)
    store = LocalStore(path, clock=lambda: now)
    await store.open(Listener())
    for code in ("EARLY", "LATE", "WAITING"):
        await finish(store, code, keep_ms=2 * hour_ms)
    await store.mark_recorded("EARLY", "game-1")
    await store.create(make_room("NEW"), 4 * hour_ms)
    now += HOUR
    await store.mark_recorded("LATE", "game-1")
    now += HOUR - 1
    assert (await store.load("EARLY")).version == 1
    now += 1
    with pytest.raises(RoomNotFound):
        await store.load("EARLY")
    assert await store.create(make_room("EARLY")) == await store.load("EARLY")
    await store.close()

    now += HOUR
    store = LocalStore(path, clock=lambda: now)
    await store.open(Listener())
    now += COMING_BACK_MS / 1000
    with pytest.raises(RoomNotFound):
        await store.load("LATE")
    for code in ("NEW", "EARLY", "WAITING"):
        await store.load(code)
    assert await store.updates_since("EARLY", 0) == []
    now += HOUR
    assert await store.due(0, 1) == []
    await store.close()
    assert in_file(path).rooms.keys() == {"EARLY", "WAITING"}


async def test_a_renewed_lobby_lives_on_over_a_restart(path: Path) -> None:
    now = 1_700_000_000.0
    hour_ms = int(HOUR * 1000)
    store = LocalStore(path, clock=lambda: now)
    await store.open(Listener())
    await store.create(make_lobby(), hour_ms)
    now += HOUR / 2
    await store.renew([Lease(CODE, "ana", "1", is_away=False)], int(now * 1000))
    await store.close()
    now += HOUR * 3 / 4
    store = LocalStore(path, clock=lambda: now)
    await store.open(Listener())
    await store.load(CODE)
    now += HOUR / 4
    with pytest.raises(RoomNotFound):
        await store.load(CODE)
    await store.close()


async def test_after_a_restart_the_timers_know_how_long_nobody_was_there(path: Path) -> None:
    store = LocalStore(path)
    await store.open(Listener())
    await store.commit(next_commit(await store.create(make_room()), due=40_000))
    assert await store.due(10_000, 9) == []
    await store.close()
    store = LocalStore(path)
    await store.open(Listener())
    assert await store.due(25_000, 9) == [DueRoom(CODE, 40_000, outage_ms=15_000)]
    await store.close()
