"""Rooms in Redis 7 or newer, one or a cluster, for several workers. One Lua script per step.

What is published is a hint. Nothing that was sent to Redis is cut off when its caller goes away: a step is
made or not. Nothing is sent twice either.
"""

import logging
import secrets
from collections import Counter
from collections.abc import Sequence
from typing import Any

from app.rooms.codec import decode_room
from app.rooms.leases import KEPT_PLAYERS, worth_keeping
from app.rooms.redis_answers import commit_call, create_call, due_room, epoch_of, lease, pairs, stored
from app.rooms.redis_keys import SHARD_KEYS, game_keys, keys_of, shard_of
from app.rooms.redis_line import Call, Line
from app.rooms.redis_rounds import Rounds
from app.rooms.redis_scripts import ANSWERED, COMMIT, CREATE, LOAD, LOG, MARK_RECORDED, UPDATES_SINCE
from app.rooms.redis_shard_scripts import (
    CENSUS,
    DROP_TIMER,
    LOOK_AT_TIMERS,
    OLDEST,
    RELEASE,
    RENEW,
    TAKE_TIMERS,
)
from app.rooms.redis_subscription import Subscriptions
from app.rooms.room import Phase, Room
from app.rooms.store import (
    FIRING_MS,
    LEASE_MS,
    OUTAGE_MS,
    Commit,
    Committed,
    Conflict,
    DueRoom,
    FinishedGame,
    Lease,
    RoomExists,
    RoomNotFound,
    SeenLease,
    Stored,
    Watcher,
)

_log = logging.getLogger(__name__)


class RedisStore:
    """The room store of any number of workers."""

    def __init__(self, url: str) -> None:
        self._line = Line(url)
        self._rounds = Rounds()
        self._recent = _Recent(self._rounds)
        self._subscriptions: Subscriptions | None = None

    async def open(self, watcher: Watcher) -> None:
        await self._line.open()
        self._recent.watcher = watcher
        recent = self._recent
        self._subscriptions = Subscriptions(self._line, recent, recent.watched, self._stepped)
        await self._subscriptions.open()

    async def close(self) -> None:
        if self._subscriptions is not None:
            await self._subscriptions.close()
        await self._line.close()

    async def create(self, room: Room, keep_ms: int | None = None) -> Stored:
        epoch = secrets.token_hex(8)
        answer = await self._line.run(CREATE, create_call(room, epoch, keep_ms))
        if answer is None:
            raise RoomExists(f"there is a room {room.code} already")
        return Stored(room, 0, epoch_of(epoch.encode(), answer[0]))

    async def load(self, code: str) -> Stored:
        shard = shard_of(code)
        found = await self._line.run(LOAD, Call(shard, (keys_of(code).room, SHARD_KEYS[shard].loss)))
        if found is None:
            raise _not_found(code)
        return self._recent.take(_readable(code, found))

    async def recent(self, code: str) -> Stored:
        return self._recent.rooms.get(code) or await self.load(code)

    async def commit(self, commit: Commit) -> Committed:
        answer, *values = await self._line.run(COMMIT, commit_call(commit))
        match answer:
            case b"done":
                version, epoch, loss = values
                version = int(version)
                self._stepped(commit.room.code)
                self._recent.take(Stored(commit.room, version, commit.epoch or epoch_of(epoch, loss)))
                return Committed(version)
            case b"again":
                return Committed(int(values[0]), is_duplicate=True)
            case b"conflict":
                seen = _readable(commit.room.code, values)
                raise Conflict(self._recent.take(seen))
            case _:
                raise _not_found(commit.room.code)

    async def answered(self, code: str, request: str) -> Committed | None:
        answer = await self._line.run(ANSWERED, Call(shard_of(code), keys_of(code), (request,)))
        if answer is None:
            raise _not_found(code)
        is_answered, *version = answer
        return Committed(int(version[0]), is_duplicate=True) if is_answered else None

    async def updates_since(self, code: str, version: int) -> list[tuple[int, bytes]] | None:
        answer = await self._line.run(UPDATES_SINCE, Call(shard_of(code), keys_of(code), (version,)))
        if answer is None:
            raise _not_found(code)
        is_complete, *updates = answer
        return list(enumerate(updates, start=version + 1)) if is_complete else None

    async def log(self, code: str) -> list[bytes]:
        events: list[bytes] | None = await self._line.run(LOG, Call(shard_of(code), keys_of(code)))
        if events is None:
            raise _not_found(code)
        return events

    async def relay(self, code: str, message: bytes) -> None:
        shard = shard_of(code)
        told = b"relayed %s %s" % (code.encode(), message)
        await self._line.ask(shard, "SPUBLISH", SHARD_KEYS[shard].channel, told)

    def watch(self, code: str) -> None:
        self._recent.watched.add(code)

    def unwatch(self, code: str) -> None:
        self._recent.forget(code)

    async def due(self, now: int, limit: int) -> list[DueRoom]:
        waiting = await self._look_at_timers(now, limit)
        by_shard: dict[int, list[bytes]] = {}
        for _, code in waiting[:limit]:
            by_shard.setdefault(shard_of(code.decode()), []).append(code)
        take = [
            Call(shard, _timer_keys(shard), (now, FIRING_MS, *codes)) for shard, codes in by_shard.items()
        ]
        taken = await self._line.run_all(TAKE_TIMERS, take)
        due = [due_room(code, timer) for answer in taken for code, timer in pairs(answer)]
        return sorted(due, key=lambda room: room.due_at)

    async def drop_timer(self, code: str, due_at: int) -> None:
        shard = shard_of(code)
        shared = SHARD_KEYS[shard]
        await self._line.run(DROP_TIMER, Call(shard, (shared.timers, shared.timer), (code, due_at)))

    async def unrecorded(self, limit: int) -> list[FinishedGame]:
        calls = [
            Call(shard, (shared.outbox, shared.old_outbox, shared.loss), (limit,))
            for shard, shared in enumerate(SHARD_KEYS)
        ]
        answers = await self._line.run_all(OLDEST, calls)
        oldest = sorted((int(at), game.decode()) for answer in answers for game, at in pairs(answer))
        return [FinishedGame(*game.split(" ", 1)) for _, game in oldest[:limit]]

    async def finished(self, code: str, game_id: str) -> tuple[Room, list[bytes]]:
        keys, shard = game_keys(code, game_id), shard_of(code)
        questions = [(shard, ("GET", keys.room)), (shard, ("LRANGE", keys.log, 0, -1))]
        room, log = await self._line.ask_all(questions)
        if room is None:
            raise RoomNotFound(f"room {code} has no game {game_id} to be recorded")
        return decode_room(room), log

    async def mark_recorded(self, code: str, game_id: str) -> None:
        shard = shard_of(code)
        shared = SHARD_KEYS[shard]
        keys = (*keys_of(code), shared.rooms, shared.outbox, *game_keys(code, game_id))
        await self._line.run(MARK_RECORDED, Call(shard, keys, (code, game_id)))

    async def renew(self, leases: Sequence[Lease], now: int) -> None:
        by_code: dict[str, list[str]] = {}
        for one in leases:
            told = (one.connection, f"{now + LEASE_MS} {one.is_away:d} {one.player}")
            by_code.setdefault(one.code, []).extend(told)
        calls = [
            Call(
                shard_of(code),
                (*keys_of(code), SHARD_KEYS[shard_of(code)].rooms),
                (code, now, KEPT_PLAYERS, *told),
            )
            for code, told in by_code.items()
        ]
        await self._line.run_all(RENEW, calls)

    async def release(self, code: str, connection: str, now: int) -> None:
        arguments = (connection, now, KEPT_PLAYERS)
        await self._line.run(RELEASE, Call(shard_of(code), (keys_of(code).leases,), arguments))

    async def leases_of(self, codes: Sequence[str], now: int) -> dict[str, list[SeenLease]]:
        questions = [(shard_of(code), ("HGETALL", keys_of(code).leases)) for code in codes]
        answers = await self._line.ask_all(questions)
        return {
            code: worth_keeping((lease(connection, told) for connection, told in pairs(answer)), now)
            for code, answer in zip(codes, answers, strict=True)
            if answer
        }

    async def versions(self, codes: Sequence[str]) -> dict[str, tuple[str, int] | None]:
        rooms = [(shard_of(code), ("HMGET", keys_of(code).room, "epoch", "version")) for code in codes]
        shards = list({shard_of(code) for code in codes})
        loss = [(shard, ("GET", SHARD_KEYS[shard].loss)) for shard in shards]
        answers = await self._line.ask_all([*rooms, *loss])
        lost = dict(zip(shards, answers[len(codes) :], strict=True))
        return {
            code: None if version is None else (epoch_of(epoch, lost[shard_of(code)]), int(version))
            for code, (epoch, version) in zip(codes, answers[: len(codes)], strict=True)
        }

    async def census(self) -> dict[Phase, int]:
        calls = [Call(shard, (shared.rooms,)) for shard, shared in enumerate(SHARD_KEYS)]
        counted: Counter[str] = Counter()
        for answer in await self._line.run_all(CENSUS, calls):
            counted.update({phase.decode(): int(number) for phase, number in pairs(answer)})
        return {phase: counted[phase] for phase in Phase}

    async def ping(self) -> None:
        await self._line.probe()

    def _stepped(self, code: str) -> None:
        """A step was made by whichever worker, which may have set a timer."""
        self._rounds.stir(shard_of(code))

    async def _look_at_timers(self, now: int, limit: int) -> list[tuple[int, bytes]]:
        """The instants and rooms of timers that are due, where there may be any; the earliest first."""
        shards = self._rounds.begin(now)
        look = [Call(shard, _timer_keys(shard), (now, limit, OUTAGE_MS)) for shard in shards]
        try:
            answers = await self._line.run_all(LOOK_AT_TIMERS, look)
        except BaseException:
            self._rounds.stir_all()
            raise
        waiting: list[tuple[int, bytes]] = []
        for shard, answer in zip(shards, answers, strict=True):
            earliest, *due = answer or (None,)
            self._rounds.answered(shard, now, None if earliest is None else int(earliest))
            waiting += ((int(at), code) for code, at in pairs(due))
        return sorted(waiting)


class _Recent:
    """The watched rooms as they were seen last. It hears what the watcher does, before he does."""

    def __init__(self, rounds: Rounds) -> None:
        self._rounds = rounds
        self.watched: set[str] = set()
        self.rooms: dict[str, Stored] = {}
        self.watcher: Watcher | None = None

    def take(self, seen: Stored) -> Stored:
        """Keep a state, as long as its room is watched."""
        if seen.room.code in self.watched:
            self.rooms[seen.room.code] = seen
        return seen

    def forget(self, code: str) -> None:
        """No longer watch a room."""
        self.watched.discard(code)
        self.rooms.pop(code, None)

    def updated(self, code: str, version: int, update: bytes) -> None:
        """A step that another worker made leaves nothing to keep."""
        known = self.rooms.get(code)
        if known is not None and known.version < version:
            del self.rooms[code]
        if self.watcher is not None:
            self.watcher.updated(code, version, update)

    def relayed(self, code: str, message: bytes) -> None:
        """Pass it on."""
        if self.watcher is not None:
            self.watcher.relayed(code, message)

    def resynced(self) -> None:
        """What is kept may be old."""
        self.rooms.clear()
        self._rounds.stir_all()
        if self.watcher is not None:
            self.watcher.resynced()


def _readable(code: str, found: Sequence[Any]) -> Stored:
    """The room; one that can't be read is as good as none, and no trouble of the others'."""
    try:
        return stored(*found)
    except (ValueError, LookupError, TypeError) as error:
        _log.error("room %s can't be read: %r", code, error, extra={"room": code})
        raise RoomNotFound(f"room {code} can't be read") from error


def _timer_keys(shard: int) -> tuple[str, str]:
    return SHARD_KEYS[shard].timers, SHARD_KEYS[shard].timer


def _not_found(code: str) -> RoomNotFound:
    return RoomNotFound(f"there is no room {code}")
