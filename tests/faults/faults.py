"""What goes wrong in a fault run, as two tables: with the servers, and on a player's way to them.

Each fault is over when its function returns: what it stopped runs again.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from redis.asyncio import Redis

from tests.faults.proxy import Line
from tests.faults.site import Site
from tests.servers import AppServer


@dataclass(frozen=True, slots=True)
class Severity:
    """How long what is away stays away, in seconds."""

    frozen_worker: float = 10.0
    frozen_redis: float = 5.0
    database_away: float = 30.0
    client: float = 4.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Where faults strike."""

    site: Site
    severity: Severity
    chance: random.Random

    @property
    def some_worker(self) -> AppServer:
        """Any of the workers."""
        return self.chance.choice(self.site.workers)


ServerFault = Callable[[Scene], Awaitable[None]]
LineFault = Callable[[Line, Severity], Awaitable[None]]


async def _kill_worker(scene: Scene) -> None:
    worker = scene.some_worker
    await scene.site.switch(worker.kill, worker.start)


async def _freeze_worker(scene: Scene) -> None:
    await scene.site.freeze(scene.some_worker, scene.severity.frozen_worker)


async def _restart_worker(scene: Scene) -> None:
    await scene.site.switch(scene.some_worker.restart)


async def _restart_redis(scene: Scene) -> None:
    if scene.site.redis is not None:
        await scene.site.switch(scene.site.redis.stop, scene.site.redis.start)


async def _kill_redis(scene: Scene) -> None:
    if scene.site.redis is not None:
        await scene.site.switch(scene.site.redis.kill, scene.site.redis.start)


async def _freeze_redis(scene: Scene) -> None:
    if scene.site.redis is not None:
        await scene.site.freeze(scene.site.redis, scene.severity.frozen_redis)


async def _cut_subscriptions(scene: Scene) -> None:
    if scene.site.redis is not None:
        async with Redis.from_url(scene.site.redis.url) as redis:
            await redis.client_kill_filter(_type="pubsub")


async def _stop_database(scene: Scene) -> None:
    if scene.site.postgres is not None:
        await scene.site.switch(scene.site.postgres.stop)
        await asyncio.sleep(scene.severity.database_away)
        await scene.site.switch(scene.site.postgres.start)


async def _crash_machine(scene: Scene) -> None:
    await scene.site.crash()


async def _cut(line: Line, _severity: Severity) -> None:
    line.cut()


async def _cut_within_a_command(line: Line, _severity: Severity) -> None:
    line.doom_the_next_command(0.5)


async def _cut_before_the_answer(line: Line, _severity: Severity) -> None:
    line.doom_the_next_command(1.0)


async def _half_open(line: Line, _severity: Severity) -> None:
    line.go_silent()


async def _stop_reading(line: Line, severity: Severity) -> None:
    line.stop_reading()
    await asyncio.sleep(severity.client)
    line.read_again()


SERVER_FAULTS: Mapping[str, ServerFault] = {
    "worker killed": _kill_worker,
    "worker frozen": _freeze_worker,
    "worker restarted": _restart_worker,
    "Redis restarted": _restart_redis,
    "Redis killed": _kill_redis,
    "Redis frozen": _freeze_redis,
    "machine crashed": _crash_machine,
    "subscriptions cut": _cut_subscriptions,
    "database stopped": _stop_database,
}
LINE_FAULTS: Mapping[str, LineFault] = {
    "client cut": _cut,
    "client cut within a command": _cut_within_a_command,
    "client cut before the answer": _cut_before_the_answer,
    "client half-open": _half_open,
    "client stops reading": _stop_reading,
}
