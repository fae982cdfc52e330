"""Room stores that are broken on purpose, in one way each."""

import asyncio
import base64
import json
import re
import secrets
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import Room
from app.rooms.store import (
    Commit,
    Committed,
    Conflict,
    FinishedGame,
    RoomStore,
    Stored,
    StoreUnavailable,
    Watcher,
)
from app.rules.fairness import draw_next, game_key
from tests.around_store import AroundStore
from tests.values import replace

_LATER_SECONDS = 0.5
_WRITE_SECONDS = 0.3
_NOW_AND_THEN = 5


class BrokenStore(AroundStore):
    """Another store in that file, or the one given, and whole as yet."""

    def __init__(self, path: Path, inner: RoomStore | None) -> None:
        super().__init__(path, inner=inner)
        self._times = 0

    def _is_now(self) -> bool:
        """Whether it is time again to be broken."""
        self._times += 1
        return self._times % _NOW_AND_THEN == 0


class AcknowledgesFirst(BrokenStore):
    """Answers when a step is in a scratch file; only some time later it is where a restart looks for it."""

    def __init__(self, path: Path, inner: RoomStore | None) -> None:
        self._kept = path
        self._scratch = path.with_name("scratch.db")
        super().__init__(self._scratch, inner)

    async def open(self, watcher: Watcher) -> None:
        for left in self._scratch.parent.glob("scratch.db*"):
            left.unlink()
        self._kept.with_suffix(".new").unlink(missing_ok=True)
        if self._kept.exists():
            shutil.copy(self._kept, self._scratch)
        await super().open(watcher)
        self._keeping = asyncio.create_task(self._keep())

    async def close(self) -> None:
        self._keeping.cancel()
        await asyncio.wait([self._keeping])
        self._copy()
        self._copy()
        await super().close()

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(_LATER_SECONDS)
            self._copy()

    def _copy(self) -> None:
        """Keep the copy of the last time, and make another: so what was just written is never kept."""
        made = self._kept.with_suffix(".new")
        if made.exists():
            made.replace(self._kept)
        with closing(sqlite3.connect(self._scratch)) as source, closing(sqlite3.connect(made)) as target:
            source.backup(target)


class NeverSyncs(BrokenStore):
    """Leaves it to the system when what it acknowledged comes to the disk."""

    async def open(self, watcher: Watcher) -> None:
        with patch.object(sqlite3, "connect", partial(sqlite3.connect, factory=_CarelessConnection)):
            await super().open(watcher)


class _CarelessConnection(sqlite3.Connection):
    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        return super().execute(re.sub(r"synchronous\s*=\s*\w+", "synchronous = OFF", sql), parameters)


class ForgetsRequests(BrokenStore):
    """Every request is a new one to it."""

    async def commit(self, commit: Commit) -> Committed:
        return await super().commit(replace(commit, request=secrets.token_hex(8)))

    async def answered(self, code: str, request: str) -> Committed | None:  # noqa: ARG002 - it looks at none
        return None


class RefusesWhatItDid(BrokenStore):
    """Now and then makes a step, keeps no answer to its request, and says that it was too late."""

    async def commit(self, commit: Commit) -> Committed:
        if not self._is_now():
            return await super().commit(commit)
        await super().commit(replace(commit, request=secrets.token_hex(8)))
        raise RoomRefusal(RefusalCode.STALE, "too late")


class PublishesFirst(BrokenStore):
    """Tells everybody of a step, and then writes it."""

    async def open(self, watcher: Watcher) -> None:
        self._told = watcher
        await super().open(watcher)

    async def commit(self, commit: Commit) -> Committed:
        if (await self.load(commit.room.code)).version == commit.expected_version:
            self._told.updated(commit.room.code, commit.expected_version + 1, commit.update)
            await asyncio.sleep(_WRITE_SECONDS)
        return await super().commit(commit)


class _Between:
    """A watcher before another one."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def updated(self, code: str, version: int, update: bytes) -> None:
        self._watcher.updated(code, version, update)

    def relayed(self, code: str, message: bytes) -> None:
        self._watcher.relayed(code, message)

    def resynced(self) -> None:
        self._watcher.resynced()


class _Deaf(_Between):
    def updated(self, code: str, version: int, update: bytes) -> None:
        if version % _NOW_AND_THEN:
            super().updated(code, version, update)


class _Mishearing(_Between):
    def updated(self, code: str, version: int, update: bytes) -> None:
        super().updated(code, version, update if version % _NOW_AND_THEN else update[:-1] + b" }")


class SkipsUpdates(BrokenStore):
    """Doesn't tell of every fifth step, and can't be asked afterwards whether there was one."""

    async def open(self, watcher: Watcher) -> None:
        await super().open(_Deaf(watcher))

    async def versions(self, codes: Sequence[str]) -> dict[str, tuple[str, int] | None]:
        raise StoreUnavailable(f"nobody knows the versions of {len(codes)} rooms")


class ChangesUpdates(BrokenStore):
    """Tells of every fifth step in other bytes than it keeps."""

    async def open(self, watcher: Watcher) -> None:
        await super().open(_Mishearing(watcher))


class DropsEvents(BrokenStore):
    """Leaves the events of a step out of the log now and then."""

    async def commit(self, commit: Commit) -> Committed:
        return await super().commit(replace(commit, events=()) if self._is_now() else commit)


class NeverRecords(BrokenStore):
    """Hands no finished game out to be recorded."""

    async def unrecorded(self, limit: int) -> list[FinishedGame]:  # noqa: ARG002 - it has none
        return []


class LosesTheOutbox(BrokenStore):
    """Takes a game for recorded as soon as it is handed out."""

    async def finished(self, code: str, game_id: str) -> tuple[Room, list[bytes]]:
        found = await super().finished(code, game_id)
        await self.mark_recorded(code, game_id)
        return found


class KeepsTheEpoch(BrokenStore):
    """Doesn't say by another epoch that Redis may have lost something."""

    async def create(self, room: Room, keep_ms: int | None = None) -> Stored:
        return _of_one_epoch(await super().create(room, keep_ms))

    async def load(self, code: str) -> Stored:
        return _of_one_epoch(await super().load(code))

    async def recent(self, code: str) -> Stored:
        return _of_one_epoch(await super().recent(code))

    async def commit(self, commit: Commit) -> Committed:
        try:
            return await super().commit(replace(commit, epoch=""))
        except Conflict as conflict:
            stored = conflict.stored
        raise Conflict(_of_one_epoch(stored))

    async def versions(self, codes: Sequence[str]) -> dict[str, tuple[str, int] | None]:
        found = await super().versions(codes)
        return {code: at and (at[0].partition("-")[0], at[1]) for code, at in found.items()}


def _of_one_epoch(stored: Stored) -> Stored:
    return replace(stored, epoch=stored.epoch.partition("-")[0])


class TellsTheKey(BrokenStore):
    """Has the game key in the detail of a refusal, as one leaves it there who looks for a fault."""

    async def answered(self, code: str, request: str) -> Committed | None:
        answered = await super().answered(code, request)
        if answered is None:
            key = base64.b32encode(_key((await self.load(code)).room)).decode()
            raise RoomRefusal(RefusalCode.STALE, "that was meant for another moment", {"state": key})
        return answered


class TellsTheSecret(BrokenStore):
    """Has the secret in a notice, as base64 after other bytes."""

    async def commit(self, commit: Commit) -> Committed:
        committed = await super().commit(commit)
        if self._is_now():
            mark = base64.urlsafe_b64encode(b"v1" + commit.room.secret).decode()
            notice = {"type": "notice", "code": "restarting", "mark": mark}
            await self.relay(commit.room.code, b"\n" + json.dumps(notice).encode())
        return committed


class TellsTheNextRoll(BrokenStore):
    """Has the faces of the next roll in an update, where nobody plays by them."""

    async def commit(self, commit: Commit) -> Committed:
        game = commit.room.game
        if game is None or not self._is_now():
            return await super().commit(commit)
        coming = draw_next(_key(commit.room), game)
        return await super().commit(
            replace(commit, update=commit.update[:-1] + b',"seed":%a}' % list(coming))
        )


def _key(room: Room) -> bytes:
    return game_key(room.secret, [seat.text for seat in room.seats], room.game_id)
