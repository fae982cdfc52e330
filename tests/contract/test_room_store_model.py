"""Any sequence of calls, on each store beside a model that is too simple to be wrong."""

import asyncio
import tempfile
from collections.abc import Coroutine
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from redis import Redis

from app.rooms.local_store import LocalStore
from app.rooms.redis_store import RedisStore
from app.rooms.room import Room
from app.rooms.store import (
    FIRING_MS,
    OUTAGE_MS,
    Commit,
    Committed,
    Conflict,
    DueRoom,
    FinishedGame,
    RoomExists,
    RoomNotFound,
    Stored,
)
from tests.contract.conftest import Stores
from tests.contract.listener import Listener
from tests.contract.samples import after, make_room, next_commit

T = TypeVar("T")
EFFORT = settings(max_examples=15, stateful_step_count=30)
CODES = ("FIRST", "SECOND", "THIRD")
codes = st.sampled_from(CODES)
waits = st.none() | st.sampled_from([500, 2500, 4000])
events = st.lists(st.binary(max_size=20), max_size=3)


class Model:
    """One room as it must be."""

    def __init__(self, stored: Stored) -> None:
        self.stored = stored
        self.updates: list[tuple[int, bytes]] = []
        self.commits: list[Commit] = []
        self.log: list[bytes] = []

    def advance(self, commit: Commit) -> None:
        if commit.room.game_id != self.stored.room.game_id:
            self.log = []
        self.stored = after(self.stored, commit)
        self.updates.append((self.stored.version, commit.update))
        self.commits.append(commit)
        self.log += commit.events


class ModelTimers:
    """The timers as they must be handed out."""

    def __init__(self) -> None:
        self.due_at: dict[str, int] = {}
        self.look_at: dict[str, int] = {}
        self.outage: dict[str, int] = {}
        self.asked: int | None = None

    def set(self, code: str, due: int | None) -> None:
        if due is None:
            self.due_at.pop(code, None)
        elif self.due_at.get(code) != due:
            self.due_at[code] = self.look_at[code] = due
            self.outage[code] = 0
        if not self.due_at:
            self.asked = None

    def due(self, now: int, limit: int) -> list[DueRoom]:
        if self.asked is not None and now - self.asked > OUTAGE_MS:
            for code in self.due_at:
                if self.due_at[code] > self.asked:
                    self.outage[code] += now - self.asked
                    self.look_at[code] = min(self.due_at[code], now)
        self.asked = now if self.due_at else None
        ready = [code for code in self.due_at if self.look_at[code] <= now]
        chosen = sorted(ready, key=lambda code: (self.look_at[code], code))[:limit]
        for code in chosen:
            self.look_at[code] = now + FIRING_MS
        rooms = [DueRoom(code, self.due_at[code], self.outage[code]) for code in chosen]
        return sorted(rooms, key=lambda room: room.due_at)

    def restarted(self) -> None:
        """Those who were to fire them are gone with the process: all are handed out again."""
        self.look_at = dict(self.due_at)
        self.outage = dict.fromkeys(self.due_at, 0)


class StoreMachine(RuleBasedStateMachine):
    """Calls of a store and what must come of them. `is_one_process`: its users are restarted with it."""

    is_one_process = False

    def make_stores(self) -> Stores:
        """Stores without rooms."""
        raise NotImplementedError

    def __init__(self) -> None:
        super().__init__()
        # Not the loop of the other tests, which these calls, made from outside of it, can't share.
        self.runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self.stores = self.make_stores()
        self.listener = Listener()
        self.store = self.run(self.stores.open(self.listener))
        self.rooms: dict[str, Model] = {}
        self.outbox: dict[FinishedGame, tuple[Room, list[bytes]]] = {}
        self.recorded: set[FinishedGame] = set()
        self.timers = ModelTimers()
        self.now = 1_700_000_000_000
        self.requests = 0

    def run(self, calling: Coroutine[None, None, T]) -> T:
        return self.runner.run(calling)

    @rule(code=codes)
    def create(self, code: str) -> None:
        if code in self.rooms:
            with pytest.raises(RoomExists):
                self.run(self.store.create(make_room(code)))
        else:
            self.store.watch(code)
            self.rooms[code] = Model(self.run(self.store.create(make_room(code))))

    @rule(code=codes, events=events, ends=st.booleans(), is_next_game=st.booleans(), wait=waits)
    def commit(
        self, code: str, events: list[bytes], *, ends: bool, is_next_game: bool, wait: int | None
    ) -> None:
        room = self.rooms.get(code)
        self.requests += 1
        request = f"request {self.requests}"
        game_id = f"game of {request}" if is_next_game else ""
        if room is None:
            commit = next_commit(Stored(make_room(code), 0, ""), request)
            with pytest.raises(RoomNotFound):
                self.run(self.store.commit(commit))
            return
        due = None if wait is None else self.now + wait
        commit = next_commit(room.stored, request, events, game_id=game_id, ends=ends, due=due)
        room.advance(commit)
        assert self.run(self.store.commit(commit)) == Committed(room.stored.version)
        game = FinishedGame(code, game_id or room.stored.room.game_id)
        if ends and game not in self.outbox and game not in self.recorded:
            self.outbox[game] = (room.stored.room, list(room.log))
        self.timers.set(code, due)

    @rule(code=codes, off=st.sampled_from([-2, -1, 1, 2]))
    def commit_on_another_version(self, code: str, off: int) -> None:
        if (room := self.rooms.get(code)) is None:
            return
        stored = Stored(room.stored.room, room.stored.version + off, room.stored.epoch)
        with pytest.raises(Conflict) as conflict:
            self.run(self.store.commit(next_commit(stored, f"never made {off}")))
        assert conflict.value.stored == room.stored

    @rule(code=codes, data=st.data())
    def commit_again(self, code: str, data: st.DataObject) -> None:
        room = self.rooms.get(code)
        if room is None or not room.commits:
            return
        commit = data.draw(st.sampled_from(room.commits))
        assert self.run(self.store.answered(code, "never made")) is None
        assert self.run(self.store.answered(code, commit.request)) == Committed(
            commit.expected_version + 1, is_duplicate=True
        )
        assert self.run(self.store.commit(commit)) == Committed(
            commit.expected_version + 1, is_duplicate=True
        )

    @rule(data=st.data())
    def mark_recorded(self, data: st.DataObject) -> None:
        game = data.draw(
            st.sampled_from([*self.outbox, *sorted(self.recorded), FinishedGame("FIRST", "none")])
        )
        self.run(self.store.mark_recorded(game.code, game.game_id))
        if self.outbox.pop(game, None) is not None:
            self.recorded.add(game)
        with pytest.raises(RoomNotFound):
            self.run(self.store.finished(game.code, game.game_id))

    @rule(passed=st.sampled_from([0, 500, 2000, 2500, 10_000]), limit=st.integers(1, 3))
    def fire(self, passed: int, limit: int) -> None:
        self.now += passed
        assert self.run(self.store.due(self.now, limit)) == self.timers.due(self.now, limit)

    @rule(code=codes, off=st.sampled_from([0, 1]))
    def drop_timer(self, code: str, off: int) -> None:
        due_at = self.timers.due_at.get(code, 0) + off
        self.run(self.store.drop_timer(code, due_at))
        if self.timers.due_at.get(code) == due_at:
            self.timers.set(code, None)

    @rule()
    def restart(self) -> None:
        self.all_was_heard()
        self.run(self.stores.close())
        self.listener = Listener()
        self.store = self.run(self.stores.open(self.listener))
        if self.is_one_process:
            self.timers.restarted()
        for code, room in self.rooms.items():
            self.store.watch(code)
            self.listener.updates[code] += room.updates

    @rule(code=codes, version=st.integers(-1, 12))
    def updates_since(self, code: str, version: int) -> None:
        if (room := self.rooms.get(code)) is not None:
            is_known = 0 <= version <= room.stored.version
            expected = room.updates[version:] if is_known else None
            assert self.run(self.store.updates_since(code, version)) == expected

    @invariant()
    def the_store_is_as_the_model(self) -> None:
        for code, room in self.rooms.items():
            assert self.run(self.store.load(code)) == room.stored
            assert self.run(self.store.log(code)) == room.log
        assert self.run(self.store.unrecorded(99)) == list(self.outbox)
        for game, (stored_room, log) in self.outbox.items():
            assert self.run(self.store.finished(game.code, game.game_id)) == (stored_room, log)

    def all_was_heard(self) -> None:
        for code, room in self.rooms.items():
            if room.updates:
                self.run(self.listener.until_version(code, room.stored.version))
            assert self.listener.updates[code] == room.updates

    def teardown(self) -> None:
        self.all_was_heard()
        self.run(self.stores.close())
        self.runner.close()


def test_any_sequence_of_calls_on_the_local_store() -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = (Path(folder) / f"{number}.db" for number in count())

        class LocalMachine(StoreMachine):
            is_one_process = True

            def make_stores(self) -> Stores:
                path = next(paths)
                return Stores(lambda: LocalStore(path))

        run_state_machine_as_test(LocalMachine, settings=EFFORT)


def test_any_sequence_of_calls_on_the_redis_store(redis_url: str) -> None:
    class RedisMachine(StoreMachine):
        def make_stores(self) -> Stores:
            with Redis.from_url(redis_url) as client:
                client.flushdb()
            return Stores(lambda: RedisStore(redis_url))

    run_state_machine_as_test(RedisMachine, settings=EFFORT)
