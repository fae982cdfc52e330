"""What the Redis store promises on a cluster beyond the contract: shards that move, servers that are away."""

from collections.abc import AsyncIterator

import pytest
from redis.crc import key_slot

from app.rooms.redis_keys import keys_of
from app.rooms.redis_store import RedisStore
from app.rooms.store import FIRING_MS, RoomStore, StoreUnavailable
from tests.contract.conftest import Stores
from tests.contract.listener import Listener
from tests.contract.samples import CODE, advance, make_room, next_commit
from tests.contract.waiting import when_available
from tests.redis_cluster import RedisCluster
from tests.servers import HOST, free_port


@pytest.fixture
async def stores(redis_cluster: RedisCluster) -> AsyncIterator[Stores]:
    opened = Stores(lambda: RedisStore(redis_cluster.url))
    yield opened
    await opened.close()


def slot_of(code: str) -> int:
    return key_slot(keys_of(code).room.encode())


async def test_rooms_of_all_servers_are_heard_by_every_worker(
    stores: Stores, redis_cluster: RedisCluster
) -> None:
    codes = [f"ROOM{n}" for n in range(24)]
    assert {redis_cluster.owner(slot_of(code)) for code in codes} == set(redis_cluster.nodes)
    listeners = [Listener(), Listener()]
    workers = [await stores.open(listener) for listener in listeners]
    for number, code in enumerate(codes):
        for worker in workers:
            worker.watch(code)
        await advance(workers[number % 2], await workers[number % 2].create(make_room(code)), 2)
    for listener in listeners:
        for code in codes:
            await listener.until_version(code, 2)


async def test_a_cluster_is_found_while_one_of_the_named_hosts_answers(
    redis_cluster: RedisCluster, listener: Listener
) -> None:
    away, there = free_port(), redis_cluster.nodes[1].port
    store = RedisStore(f"redis+cluster://{HOST}:{away},{HOST}:{there}")
    await store.ping()
    await store.open(listener)
    await advance(store, await store.create(make_room()), 2)
    await store.close()


async def test_a_cluster_that_was_never_reached_does_not_pass_for_well() -> None:
    store = RedisStore(f"redis+cluster://{HOST}:{free_port()},{HOST}:{free_port()}")
    with pytest.raises(StoreUnavailable, match="who has what"):
        await store.ping()
    await store.close()


async def test_a_shard_that_moves_to_another_server_is_followed_and_heard_there(
    store: RoomStore, listener: Listener, redis_cluster: RedisCluster
) -> None:
    slot = slot_of(CODE)
    source = redis_cluster.owner(slot)
    target = next(node for node in redis_cluster.nodes if node is not source)
    store.watch(CODE)
    stored = await advance(store, await store.create(make_room()), 3)
    redis_cluster.move(slot, source, target)
    try:
        stored = await advance(store, stored, 1)
        await listener.until_resynced(1)
        newest = await advance(store, stored, 1)
        await listener.until_version(CODE, newest.version)
        assert await store.load(CODE) == newest
        assert len(await store.updates_since(CODE, 0) or []) == newest.version
    finally:
        redis_cluster.move(slot, target, source)


async def test_rooms_of_a_shard_that_is_just_moving_are_unavailable_and_then_as_they_were(
    store: RoomStore, redis_cluster: RedisCluster
) -> None:
    slot = slot_of(CODE)
    source = redis_cluster.owner(slot)
    target = next(node for node in redis_cluster.nodes if node is not source)
    stored = await advance(store, await store.create(make_room()), 1)
    redis_cluster.begin_move(slot, source, target)
    with pytest.raises(StoreUnavailable, match="is just giving shard 63 to another"):
        await store.commit(next_commit(stored))
    redis_cluster.move(slot, source, target)
    try:
        assert await store.load(CODE) == stored
        await advance(store, stored, 1)
    finally:
        redis_cluster.move(slot, target, source)


async def test_while_one_server_is_away_the_rooms_of_the_others_go_on(
    store: RoomStore, listener: Listener, redis_cluster: RedisCluster
) -> None:
    away = redis_cluster.owner(slot_of(CODE))
    other = next(
        code for code in map("ROOM{}".format, range(99)) if redis_cluster.owner(slot_of(code)) != away
    )
    rooms = {code: await store.create(make_room(code)) for code in (CODE, other)}
    store.watch(CODE)
    away.kill()
    with pytest.raises(StoreUnavailable, match=rf"127\.0\.0\.1:{away.port}"):
        await store.load(CODE)
    await advance(store, rooms[other], 1)
    with pytest.raises(StoreUnavailable):
        await store.ping()
    away.start()
    await when_available(store)
    await listener.until_resynced(1)
    again = await store.load(CODE)
    assert (again.room, again.version) == (rooms[CODE].room, 0)
    assert again.epoch != rooms[CODE].epoch
    assert (await store.load(other)).epoch == rooms[other].epoch
    await advance(store, again, 1)
    await listener.until_version(CODE, 1)


async def test_a_cluster_is_found_through_any_of_its_servers(
    store: RoomStore, redis_cluster: RedisCluster
) -> None:
    rooms = [await store.create(make_room(f"ROOM{n}")) for n in range(24)]
    for node in redis_cluster.nodes:
        other = RedisStore(f"redis+cluster://127.0.0.1:{node.port}")
        await other.open(Listener())
        assert [await other.load(stored.room.code) for stored in rooms] == rooms
        await other.close()


async def test_timers_of_all_servers_are_handed_out_when_one_has_forgotten_the_scripts(
    store: RoomStore, redis_cluster: RedisCluster
) -> None:
    codes = [f"ROOM{n}" for n in range(24)]
    for due_at, code in enumerate(codes):
        await store.commit(next_commit(await store.create(make_room(code)), due=due_at))
    assert len(await store.due(len(codes), len(codes))) == len(codes)  # now all of them know the scripts
    redis_cluster.nodes[1].ask("SCRIPT FLUSH")
    due = await store.due(len(codes) + FIRING_MS, len(codes))
    assert [room.code for room in due] == codes
