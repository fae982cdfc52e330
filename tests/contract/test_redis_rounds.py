"""Which shards are asked for timers, and that none is late by it: on one Redis and on a cluster."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest
import redis

from app.rooms.redis_keys import SHARDS, shard_of
from app.rooms.redis_rounds import EMPTY_MS, WITH_TIMERS_MS, Rounds
from app.rooms.redis_store import RedisStore
from app.rooms.store import DueRoom, RoomStore
from tests.contract.listener import Listener
from tests.contract.samples import CODE, after, make_room, next_commit
from tests.contract.test_room_store_timers import timed
from tests.patience import PATIENCE_SECONDS
from tests.redis_cluster import RedisCluster

NOW = 1_700_000_000_000
POLL_MS = 250


@pytest.fixture(params=["redis_url", "redis_cluster"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of one Redis, and of a cluster."""
    found = request.getfixturevalue(request.param)
    return found.url if isinstance(found, RedisCluster) else str(found)


@pytest.fixture
async def workers(url: str) -> AsyncIterator[Sequence[RedisStore]]:
    """Two workers over the same rooms."""
    opened = [RedisStore(url), RedisStore(url)]
    for store in opened:
        await store.open(Listener())
    yield opened
    for store in opened:
        await store.close()


async def until_due(store: RoomStore, now: int) -> list[DueRoom]:
    """What is due at that instant, as soon as it is found."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            if due := await store.due(now, 9):
                return due
            await asyncio.sleep(0.01)


async def test_a_timer_that_another_worker_sets_is_heard_of(workers: Sequence[RedisStore]) -> None:
    here, there = workers
    assert await here.due(NOW, 9) == []
    await timed(there, CODE, NOW)
    assert await until_due(here, NOW) == [DueRoom(CODE, NOW)]


async def test_a_timer_is_put_forward_by_another_worker(workers: Sequence[RedisStore]) -> None:
    here, there = workers
    stored = await timed(there, CODE, NOW + WITH_TIMERS_MS)
    assert await here.due(NOW, 9) == []
    await there.commit(next_commit(stored, due=NOW + 1))
    assert await until_due(here, NOW + 1) == [DueRoom(CODE, NOW + 1)]


async def test_a_timer_whose_hint_was_lost_is_found(redis_url: str) -> None:
    """Who has subscribed to nothing hears nothing."""
    deaf, setting = RedisStore(redis_url), RedisStore(redis_url)
    assert await deaf.due(NOW, 9) == []
    await timed(setting, CODE, NOW)
    assert await deaf.due(NOW + EMPTY_MS - 1, 9) == []
    assert await deaf.due(NOW + EMPTY_MS, 9) == [DueRoom(CODE, NOW)]
    await deaf.close()
    await setting.close()


async def test_own_timers_are_found_at_their_instant(workers: Sequence[RedisStore]) -> None:
    here, _ = workers
    stored = await timed(here, CODE, NOW + 3_001)
    for now in range(NOW, NOW + 3_001, POLL_MS):
        assert await here.due(now, 9) == []
    assert await here.due(NOW + 3_001, 9) == [DueRoom(CODE, NOW + 3_001)]
    commit = next_commit(stored, due=NOW + 3_002)
    await here.commit(commit)
    assert await here.due(NOW + 3_002, 9) == [DueRoom(CODE, NOW + 3_002)]
    await here.commit(next_commit(after(stored, commit)))
    assert await here.due(NOW + 60_000, 9) == []


def scripts_run(url: str) -> int:
    """How many scripts that Redis has run."""
    with redis.Redis.from_url(url) as client:
        stats: dict[str, dict[str, int]] = client.info("commandstats")
    return sum(stats.get(f"cmdstat_{name}", {}).get("calls", 0) for name in ("eval", "evalsha"))


async def test_an_idle_redis_is_asked_little(redis_url: str) -> None:
    store = RedisStore(redis_url)
    await store.open(Listener())
    await store.create(make_room(CODE))
    before = scripts_run(redis_url)
    for now in range(NOW, NOW + 10_000, POLL_MS):
        await store.due(now, 64)
    # The subscription begins and the room is made meanwhile: of both it is heard, and shards are asked again.
    assert scripts_run(redis_url) - before <= (10_000 // EMPTY_MS + 2) * SHARDS < 10_000 // POLL_MS * SHARDS
    await store.close()


def test_a_shard_that_stirs_while_it_is_asked_is_asked_again() -> None:
    rounds = Rounds()
    assert rounds.begin(NOW) == list(range(SHARDS))
    rounds.stir(7)
    for shard in range(SHARDS):
        rounds.answered(shard, NOW, None)
    assert rounds.begin(NOW) == [7]


@pytest.mark.parametrize(
    ("earliest", "asked_at"),
    [
        (NOW - 1, NOW),
        (NOW, NOW),
        (NOW + 1, NOW + 1),
        (NOW + 60_000, NOW + WITH_TIMERS_MS),
        (None, NOW + EMPTY_MS),
    ],
)
def test_a_shard_is_asked_when_its_earliest_timer_is_due_or_after_a_while(
    earliest: int | None, asked_at: int
) -> None:
    rounds = Rounds()
    rounds.begin(NOW)
    for shard in range(SHARDS):
        rounds.answered(shard, NOW, earliest)
    assert rounds.begin(asked_at - 1) == [] or asked_at == NOW
    assert rounds.begin(asked_at) == list(range(SHARDS))


def test_a_clock_that_was_wrong_and_is_set_back_makes_nothing_late() -> None:
    rounds = Rounds()
    rounds.begin(NOW + 3_600_000)
    for shard in range(SHARDS):
        rounds.answered(shard, NOW + 3_600_000, None)
    assert len(rounds.begin(NOW)) == SHARDS


def test_every_shard_is_asked_again_when_steps_may_have_been_missed() -> None:
    rounds = Rounds()
    rounds.begin(NOW)
    rounds.answered(shard_of(CODE), NOW, None)
    rounds.stir_all()
    assert len(rounds.begin(NOW)) == SHARDS
