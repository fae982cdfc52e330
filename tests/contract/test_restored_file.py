"""A backup in the place of the local store's file is noticed; a file that a killed process left is none."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from app.rooms.journal_reading import read
from app.rooms.local_store import LocalStore
from app.rooms.store import RoomExists, Stored
from tests.contract.listener import Listener
from tests.contract.samples import CODE, advance, make_room
from tests.contract.test_local_store import acknowledged_lines, committing_process

SEEN = "rooms.db.seen"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "rooms.db"


async def played(path: Path, steps: int) -> Stored:
    """Play so many steps, and end in order; the room as it was then."""
    store = LocalStore(path)
    await store.open(Listener())
    try:
        with suppress(RoomExists):
            await store.create(make_room())
        return await advance(store, await store.load(CODE), steps)
    finally:
        await store.close()


async def opened(path: Path) -> Stored:
    store = LocalStore(path)
    await store.open(Listener())
    stored = await store.load(CODE)
    await store.close()
    return stored


def back_up(path: Path, copy: Path) -> None:
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def put_in_place(copy: Path, path: Path) -> None:
    """Another file under the name, as `mv` leaves it."""
    shutil.copy(copy, path.with_name("copy"))
    path.with_name("copy").replace(path)


def write_over(copy: Path, path: Path) -> None:
    """The same file with other contents, as `cp` leaves it."""
    path.write_bytes(copy.read_bytes())


def restore_folder(copy: Path, path: Path) -> None:
    """A folder without anything but the backup."""
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    shutil.copy(copy, path)


@pytest.mark.parametrize("restore", [put_in_place, write_over, restore_folder])
async def test_a_restored_file_has_another_epoch_and_keeps_it(
    path: Path, tmp_path: Path, restore: Callable[[Path, Path], None]
) -> None:
    before = await played(path, 3)
    back_up(path, tmp_path / "backup")
    lost = await played(path, 2)
    assert (lost.version, lost.epoch) == (5, before.epoch)
    restore(tmp_path / "backup", path)
    restored = await opened(path)
    assert (restored.version, restored.room) == (before.version, before.room)
    assert restored.epoch != before.epoch
    assert await opened(path) == restored


async def test_a_backup_of_a_future_that_was_given_up_is_noticed_too(path: Path, tmp_path: Path) -> None:
    await played(path, 1)
    back_up(path, tmp_path / "early")
    future = await played(path, 9)
    back_up(path, tmp_path / "late")
    write_over(tmp_path / "early", path)
    other = await played(path, 2)
    write_over(tmp_path / "late", path)
    restored = await opened(path)
    assert restored.version == future.version
    assert restored.epoch not in {future.epoch, other.epoch}


@pytest.mark.parametrize("folds", [False, True])
async def test_a_killed_process_gives_no_other_epoch(
    path: Path, caplog: pytest.LogCaptureFixture, *, folds: bool
) -> None:
    with committing_process(path, 1, folds=folds) as process:
        assert process.stdout is not None
        process.stdout.readline()
        epoch = epoch_in(path)
        list(acknowledged_lines(process, 200))
    store = LocalStore(path)
    await store.open(Listener())
    assert (await store.load("ROOM0")).epoch == epoch
    assert "app.rooms.journal" not in {record.name[:17] for record in caplog.records}
    await store.close()


async def test_what_is_acknowledged_right_before_a_kill_is_missed_in_a_restored_file(
    path: Path, tmp_path: Path
) -> None:
    with committing_process(path, 1) as process:
        assert process.stdout is not None
        process.stdout.readline()
        back_up(path, tmp_path / "backup")
        list(acknowledged_lines(process, 20))
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    before = epoch_in(tmp_path / "backup")
    write_over(tmp_path / "backup", path)
    store = LocalStore(path)
    await store.open(Listener())
    assert (await store.load("ROOM0")).epoch != before
    await store.close()


def epoch_in(copy: Path) -> str:
    with closing(sqlite3.connect(copy)) as connection:
        return read(connection).rooms["ROOM0"].row.epoch


async def test_the_files_are_for_nobody_else_also_those_that_are_there(path: Path) -> None:
    before = os.umask(0)
    try:
        await played(path, 1)
        assert path.parent.stat().st_mode & 0o777 == 0o700
        for name in (path.name, f"{path.name}.lock", SEEN):
            path.with_name(name).chmod(0o644)
        path.parent.chmod(0o755)
        store = LocalStore(path)
        await store.open(Listener())
        await advance(store, await store.load(CODE), 1)
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
        await store.close()
    finally:
        os.umask(before)
    assert f"{path.name}-wal" in modes
    assert set(modes.values()) == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o755  # as its owner wants it
