"""Games that nobody plays any more but bots, over a death of their server and between two of them."""

import asyncio
import json
import subprocess
import sys
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from app.rooms.hub import Viewer
from app.rooms.redis_store import RedisStore
from app.rooms.room import Pace, Phase
from app.rules.record import Record, verify
from tests.patience import PATIENCE_SECONDS
from tests.rooms.bots_until_killed import begin, begin_and_leave, make_quick_rooms, make_quick_store
from tests.rooms.outboxes import next_of
from tests.rooms.serving import Rooms
from tests.rooms.tables import identity
from tests.servers import ROOT


def versions_until_killed(path: Path, count: int) -> list[tuple[str, int]]:
    """Code and version of so many steps of a process that is killed then, and of those on their way."""
    command = [sys.executable, "-m", "tests.rooms.bots_until_killed", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            lines = [process.stdout.readline() for _ in range(count)]
        finally:
            process.kill()
        lines += process.stdout
    return [(line.split()[0], int(line.split()[1])) for line in lines if line.endswith("\n")]


async def recorded(*workers: Rooms) -> Record:
    """The one record that the workers make of the game, once it is over."""
    waiting = [asyncio.create_task(worker.has_recorded.wait()) for worker in workers]
    done, others = await asyncio.wait(waiting, timeout=PATIENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    assert done, "the game isn't over yet"
    for task in others:
        task.cancel()
    records = [record for worker in workers for record in worker.recorded.values()]
    assert len({record.game_id for record in records}) == 1
    return records[0]


async def test_a_game_left_by_all_its_people_is_played_to_its_end_by_bots_after_the_server_was_killed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "rooms.db"
    steps = versions_until_killed(path, 20)
    code, version = steps[-1]
    rooms = make_quick_rooms(make_quick_store(path))
    async with rooms.worker.running():
        stored = await rooms.store.load(code)
        assert stored.version >= version
        assert stored.room.phase is Phase.PLAYING
        record = await recorded(rooms)
    verify(record)
    assert [seat.ended for seat in record.seats] == ["bot_from_turn_1", "bot_from_turn_2"]


async def test_bot_turns_of_two_workers_on_one_redis_happen_once(redis_url: str) -> None:
    async with AsyncExitStack() as running:
        workers = [make_quick_rooms(RedisStore(redis_url)) for _ in range(2)]
        for worker in workers:
            await running.enter_async_context(worker.worker.running())
        code = await begin_and_leave(workers[0])
        before = (await workers[0].store.load(code)).version
        record = await recorded(*workers)
        verify(record)
        stored = await workers[0].store.load(code)
        updates = await workers[0].store.updates_since(code, before)
        assert updates is not None
        assert [version for version, _ in updates] == list(range(before + 1, stored.version + 1))
        # Every step is one action: nothing was done twice, and no step was empty.
        moves = [_moves(update) for _, update in updates]
        assert set(moves) == {1}


async def test_two_workers_call_a_late_turn_out_once(redis_url: str) -> None:
    async with AsyncExitStack() as running:
        workers = [make_quick_rooms(RedisStore(redis_url)) for _ in range(2)]
        for worker in workers:
            await running.enter_async_context(worker.worker.running())
        code = await begin(workers[0], Pace.BRISK)
        viewer = Viewer(code, identity("Zec"))
        workers[1].hub.attach(viewer)
        await workers[1].hub.bring_up_to_date(viewer)
        kinds: list[str] = []
        async with asyncio.timeout(PATIENCE_SECONDS):
            while "called_out" not in kinds:
                kinds += _kinds(await next_of(viewer.outbox))
            # A second time would come within two polls of the other worker.
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    while True:
                        kinds += _kinds(await next_of(viewer.outbox))
        assert kinds.count("called_out") == 1
        workers[1].hub.detach(viewer)


def _kinds(message: str | None) -> list[str]:
    return [event["type"] for event in json.loads(message or "{}").get("events", ())]


def _moves(update: bytes) -> int:
    kinds = [event["type"] for event in json.loads(update)["events"]]
    return sum(kind in ("rolled", "announced", "filled") for kind in kinds)
