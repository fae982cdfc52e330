"""What the Redis store promises beyond the contract: several workers, failing servers, lost subscriptions."""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from math import ceil
from time import monotonic

import pytest
from redis import Redis
from redis.crc import key_slot

from app.rooms.redis_keys import SHARD_KEYS, SHARDS, game_keys, keys_of, shard_of
from app.rooms.redis_nodes import Nodes
from app.rooms.redis_recovery import recover
from app.rooms.redis_store import RedisStore
from app.rooms.redis_wire import Wire
from app.rooms.room import Phase
from app.rooms.store import Committed, Conflict, RoomExists, RoomNotFound, RoomStore, StoreUnavailable
from tests.contract.conftest import Stores
from tests.contract.listener import Listener
from tests.contract.samples import CODE, advance, after, finish, game_of, make_room, next_commit
from tests.contract.silence import SilentPath
from tests.contract.waiting import until_gone, when_available
from tests.servers import RedisServer, free_port
from tests.values import replace

CALLERS = 40


@pytest.fixture
async def stores(redis_url: str) -> AsyncIterator[Stores]:
    opened = Stores(lambda: RedisStore(redis_url))
    yield opened
    await opened.close()


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A Redis that a test may freeze and kill without harm to others."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def redis(redis_url: str) -> Iterator[Redis]:
    """Redis itself."""
    with Redis.from_url(redis_url) as client:
        yield client


async def test_two_workers_see_and_hear_each_others_steps(stores: Stores) -> None:
    listeners = [Listener(), Listener()]
    workers = [await stores.open(listener) for listener in listeners]
    for worker in workers:
        worker.watch(CODE)
    stored = await workers[0].create(make_room())
    for step in range(10):
        stored = await advance(workers[step % 2], stored, 1)
        assert await workers[(step + 1) % 2].load(CODE) == stored
    await workers[0].relay(CODE, b"from the first")
    for listener in listeners:
        await listener.until_relayed(CODE)
        assert listener.updates[CODE] == await workers[0].updates_since(CODE, 0)


async def test_of_two_workers_at_once_one_makes_the_step(stores: Stores) -> None:
    workers = [await stores.open(Listener()) for _ in range(2)]
    stored = await workers[0].create(make_room())
    for _ in range(10):
        commits = [next_commit(stored, f"{stored.version} by {n}") for n in range(20)]
        made = await asyncio.gather(
            *(workers[n % 2].commit(commit) for n, commit in enumerate(commits)), return_exceptions=True
        )
        assert sum(isinstance(one, Conflict) for one in made) == len(commits) - 1
        stored = await workers[0].load(CODE)
    assert stored.version == 10


@pytest.mark.parametrize("policy", ["always", "everysec"])
async def test_a_killed_redis_is_unavailable_and_then_everything_goes_on(
    own_redis: RedisServer, policy: str
) -> None:
    listener = Listener()
    store = RedisStore(own_redis.url)
    with Redis.from_url(own_redis.url) as client:
        client.config_set("appendfsync", policy)
    await store.open(listener)
    store.watch(CODE)
    stored = await advance(store, await store.create(make_room()), 20)

    own_redis.kill()
    commit = next_commit(stored)
    for _ in range(40):
        with pytest.raises(StoreUnavailable, match=r"127\.0\.0\.1"):
            await store.commit(commit)
    own_redis.start()
    await when_available(store)
    await listener.until_resynced(1)
    again = await store.load(CODE)
    assert (again.room, again.version) == (stored.room, stored.version)
    assert again.epoch != stored.epoch  # something may have been lost, and nobody can know
    assert await store.commit(commit) == Committed(21)
    await listener.until_version(CODE, 21)
    await store.close()


async def test_a_redis_that_lost_data_gives_rooms_another_epoch_in_which_lower_versions_are_right(
    own_redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    store, worker = RedisStore(own_redis.url), RedisStore(own_redis.url)
    await store.open(Listener())
    store.watch(CODE)
    early = await advance(store, await store.create(make_room()), 2)
    shutil.copytree(own_redis.folder / "appendonlydir", own_redis.folder / "kept")
    late = await advance(store, early, 3)

    epochs = {early.epoch}
    for _ in range(2):  # the second time it has forgotten the first too
        own_redis.kill()
        shutil.rmtree(own_redis.folder / "appendonlydir")
        shutil.copytree(own_redis.folder / "kept", own_redis.folder / "appendonlydir")
        own_redis.start()
        await when_available(store)
        again = await store.load(CODE)
        assert (again.room, again.version) == (early.room, 2)
        epochs.add(again.epoch)
    assert len(epochs) == 3
    assert "may be lost; the rooms of 64 of 64 shards have another epoch" in caplog.text

    await worker.open(Listener())
    newest = await advance(worker, await worker.load(CODE), 3)
    # The version is the same, and yet not what the step was decided on.
    with pytest.raises(Conflict) as conflict:
        await store.commit(replace(next_commit(late, "too late"), epoch=late.epoch))
    assert conflict.value.stored == newest
    for one in (store, worker):
        await one.close()


async def test_more_questions_than_can_wait_are_unavailable_at_once(redis_url: str) -> None:
    nodes = Nodes(redis_url)
    place = next(iter(nodes.shards_by_place()))
    wire = Wire(nodes.connector(place), "Redis", recover, most=3)
    # Asked together, as timers of many shards are: those before the one too many are still waited for.
    asked = [wire.ask("PING") for _ in range(4)]
    with pytest.raises(StoreUnavailable, match="Redis is asked more than it answers"):
        await asked.pop()
    assert await asyncio.gather(*asked) == [b"PONG"] * 3
    assert await wire.ask("PING") == b"PONG"
    await wire.close()


async def test_a_redis_that_became_a_replica_is_connected_to_anew(own_redis: RedisServer) -> None:
    """As behind a name that leads to whichever Redis is the leader."""
    store = RedisStore(own_redis.url)
    await store.open(Listener())
    stored = await store.create(make_room())
    with Redis.from_url(own_redis.url) as client:
        old = {one["id"] for one in client.client_list(_type="normal")}
        client.replicaof("127.0.0.1", str(free_port()))
        with pytest.raises(StoreUnavailable, match=r"doesn't answer|refuses"):
            await store.commit(next_commit(stored))
        client.replicaof("NO", "ONE")
        await when_available(store)
        new = {one["id"] for one in client.client_list(_type="normal")} - old
    assert len(new) == 1
    await advance(store, stored, 1)
    await store.close()


async def test_a_frozen_redis_is_unavailable_and_a_step_begun_then_is_made_once(
    own_redis: RedisServer,
) -> None:
    store = RedisStore(own_redis.url)
    await store.open(Listener())
    stored = await store.create(make_room())
    commit = next_commit(stored, "frozen", [b"1"])
    os.kill(own_redis.pid, signal.SIGSTOP)
    begun = monotonic()
    answers = await asyncio.gather(*(store.commit(commit) for _ in range(50)), return_exceptions=True)
    assert monotonic() - begun < 3
    assert all(isinstance(answer, StoreUnavailable) for answer in answers)
    os.kill(own_redis.pid, signal.SIGCONT)
    await when_available(store)
    assert (await store.commit(commit)).version == 1
    assert await store.load(CODE) == after(stored, commit)
    assert await store.log(CODE) == [b"1"]
    await store.close()


async def test_a_redis_that_forgot_the_scripts_is_given_them_again(store: RoomStore, redis: Redis) -> None:
    stored = await store.create(make_room())
    redis.script_flush()
    stored = await advance(store, stored, 1)
    redis.script_flush()
    assert await store.updates_since(CODE, 1) == []
    assert await store.load(CODE) == stored


async def test_timers_are_handed_out_by_a_redis_that_has_just_forgotten_the_scripts(
    store: RoomStore, redis: Redis
) -> None:
    for number in range(9):
        stored = await store.create(make_room(f"ROOM{number}"))
        await store.commit(next_commit(stored, due=number))
    redis.script_flush()
    assert [room.due_at for room in await store.due(10, 5)] == [0, 1, 2, 3, 4]
    redis.script_flush()
    assert [room.due_at for room in await store.due(10, 5)] == [5, 6, 7, 8]


async def test_a_cut_subscription_is_made_anew_and_what_was_missed_can_be_asked_for(
    store: RoomStore, listener: Listener, redis: Redis
) -> None:
    store.watch(CODE)
    stored = await store.create(make_room())
    for times in (1, 2):
        redis.client_kill_filter(_type="pubsub")
        await listener.until_resynced(times)
        stored = await advance(store, stored, 1)
        await listener.until_version(CODE, stored.version)
    assert listener.updates[CODE] == await store.updates_since(CODE, 0)


async def test_a_subscription_stays_while_it_beats_and_is_made_anew_when_it_goes_silent(
    redis_url: str,
) -> None:
    listener = Listener()
    async with SilentPath(redis_url).open() as path:
        store = RedisStore(path.url)
        await store.open(listener)
        store.watch(CODE)
        stored = await store.create(make_room())
        await path.until_answered(b"$4\r\nbeat", 5)  # longer than a silence may last
        assert listener.resyncs == 0
        path.go_silent()
        await listener.until_resynced(1)
        await when_available(store)
        await advance(store, stored, 1)
        await listener.until_version(CODE, 1)
        await store.close()


async def test_a_watcher_that_fails_is_told_to_ask_again(stores: Stores) -> None:
    class Failing(Listener):
        def updated(self, code: str, version: int, update: bytes) -> None:
            super().updated(code, version, update)
            if version == 1:
                raise ZeroDivisionError

    listener = Failing()
    store = await stores.open(listener)
    store.watch(CODE)
    stored = await advance(store, await store.create(make_room()), 1)
    await listener.until_resynced(1)
    await advance(store, stored, 1)
    await listener.until_version(CODE, 2)


async def test_callers_who_give_up_leave_the_store_as_good_as_before(store: RoomStore) -> None:
    stored = await store.create(make_room())
    for _ in range(4):
        callers = [asyncio.create_task(store.load(CODE)) for _ in range(CALLERS)]
        await store.ping()
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)
    loaded = await asyncio.gather(*(store.load(CODE) for _ in range(CALLERS)))
    assert loaded == [stored] * CALLERS


async def test_a_redis_that_is_not_there_is_told_without_its_password() -> None:
    port = free_port()
    store = RedisStore(f"redis://user:hidden@127.0.0.1:{port}/0")
    with pytest.raises(StoreUnavailable, match=f"Redis at 127.0.0.1:{port} doesn't answer") as unavailable:
        await store.open(Listener())
    assert "hidden" not in str(unavailable.value)
    await store.close()


async def test_a_room_lives_as_long_as_its_last_step_says_and_for_ever_while_its_game_waits(
    store: RoomStore, redis: Redis
) -> None:
    stored = await store.create(make_room(), 40_000)
    assert lifetimes(redis) == {40}
    for keep_ms, seconds in ((60_000, 60), (None, -1), (50_000, 50)):
        commit = next_commit(stored, events=[b"1"], keep_ms=keep_ms)
        await store.commit(commit)
        stored = after(stored, commit)
        assert lifetimes(redis) == {seconds}
    for ends in (True, False):  # a word after the end
        commit = next_commit(stored, ends=ends, keep_ms=70_000)
        commit = replace(commit, room=replace(commit.room, phase=Phase.FINISHED))
        await store.commit(commit)
        stored = after(stored, commit)
        assert lifetimes(redis) == {-1}
    await store.mark_recorded(CODE, "game-1")
    assert lifetimes(redis) == {70}
    assert not redis.exists(*game_keys(CODE, "game-1"))


async def test_a_room_that_plays_on_keeps_the_life_of_its_last_step(store: RoomStore, redis: Redis) -> None:
    stored = await finish(store, CODE, keep_ms=40_000)
    await store.commit(next_commit(stored, game_id="game-2", keep_ms=60_000))
    await store.mark_recorded(CODE, "game-1")
    assert lifetimes(redis) == {60}


async def test_rooms_whose_life_has_ended_are_listed_no_more_though_nobody_counts_them(
    store: RoomStore, redis: Redis
) -> None:
    listed = SHARD_KEYS[shard_of(CODE)].rooms
    others = (f"{CODE}{number}" for number in range(1_000))
    neighbour = next(code for code in others if shard_of(code) == shard_of(CODE))
    await store.create(make_room(), 1)
    await until_gone(store, CODE)
    await store.create(make_room(neighbour), 60_000)
    assert redis.zrange(listed, 0, -1) == [f"playing {neighbour}".encode()]


async def test_what_an_earlier_version_left_in_its_outbox_is_found(store: RoomStore, redis: Redis) -> None:
    """It had the code alone, by the microsecond in which the game finished."""
    made = {code: await finish(store, code) for code in ("FIRST", "SECOND", "GONE")}
    for code in made:
        await store.mark_recorded(code, "game-1")
        redis.zadd(SHARD_KEYS[shard_of(code)].old_outbox, {code: 1_700_000_000_000_000 + len(code)})
    redis.delete(keys_of("GONE").room)
    assert await store.unrecorded(9) == [game_of("FIRST"), game_of("SECOND")]
    assert await store.finished("SECOND", "game-1") == (
        made["SECOND"].room,
        [b"all of SECOND"],
    )
    await store.mark_recorded("FIRST", "game-1")
    assert await store.unrecorded(9) == [game_of("SECOND")]


def lifetimes(redis: Redis, code: str = CODE) -> set[int]:
    """Seconds to live of all keys of a room that are there, rounded up; -1 is for ever."""
    keys = [key for key in keys_of(code) if redis.exists(key)]
    assert keys
    left = [int(redis.pttl(key)) for key in keys]
    return {ceil(one / 1000) if one >= 0 else -1 for one in left}


def test_everything_of_a_room_lies_in_one_slot() -> None:
    for code in (f"ROOM{n}" for n in range(200)):
        keys = (*keys_of(code), *SHARD_KEYS[shard_of(code)], *game_keys(code, "game-1"))
        assert len({key_slot(key.encode()) for key in keys}) == 1


def test_rooms_lie_in_all_shards_and_a_room_never_moves() -> None:
    assert {shard_of(f"ROOM{n}") for n in range(1000)} == set(range(SHARDS))
    assert keys_of(CODE).room == "yamb:{s63}:room:KOCKA"


async def test_a_full_redis_is_told_and_makes_no_rooms(own_redis: RedisServer) -> None:
    store = RedisStore(own_redis.url)
    await store.open(Listener())
    stored = await store.create(make_room())
    with Redis.from_url(own_redis.url) as redis:
        redis.config_set("maxmemory", "1")
        for asked in (store.create(make_room("NEW")), store.commit(next_commit(stored)), store.ping()):
            with pytest.raises(StoreUnavailable, match="used memory"):
                await asked
        assert await store.load(CODE) == stored
        redis.config_set("maxmemory", "0")
    await store.ping()
    assert await store.versions(["NEW"]) == {"NEW": None}
    assert await store.commit(next_commit(stored)) == Committed(1)
    await store.close()


async def test_a_full_redis_that_was_started_anew_is_read(own_redis: RedisServer) -> None:
    with Redis.from_url(own_redis.url) as redis:
        store = RedisStore(own_redis.url)
        await store.open(Listener())
        stored = await store.create(make_room())
        await store.close()
        for shard in SHARD_KEYS:
            redis.set(shard.server, "another")
        redis.config_set("maxmemory", "1")
        store = RedisStore(own_redis.url)
        await store.open(Listener())
        assert (await store.load(CODE)).epoch != stored.epoch
        await store.close()


async def test_a_room_that_cannot_be_read_is_named_and_troubles_no_other(
    stores: Stores, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    store = await stores.open(Listener())
    broken, sound = await store.create(make_room()), await store.create(make_room("SOUND"))
    redis.hset(keys_of(CODE).room, "room", b"\xff no room")
    with pytest.raises(RoomNotFound, match="KOCKA can't be read"):
        await store.load(CODE)
    with pytest.raises(RoomNotFound, match="KOCKA can't be read"):
        await store.commit(replace(next_commit(broken), expected_version=7))
    assert "room KOCKA can't be read" in caplog.text
    assert await store.load("SOUND") == sound
    assert len(await store.versions([CODE, "SOUND"])) == 2
    with pytest.raises(RoomExists):
        await store.create(make_room())
