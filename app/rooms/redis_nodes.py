"""Which Redis has which shard: always the same one, or, of a cluster, the one that it says."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import key_slot

from app.addresses import CLUSTER, cluster_hosts
from app.rooms.redis_keys import SHARD_KEYS, SHARDS
from app.rooms.redis_recovery import recover
from app.rooms.redis_wire import ANSWER_SECONDS, MakeConnection, Wire, telling
from app.rooms.store import StoreAway, StoreUnavailable

_REFRESH_SECONDS = 0.5

_logger = logging.getLogger(__name__)

Place = tuple[str, int]
"""Host and port of a Redis; of a single one it may be anything."""

_SLOTS = tuple(key_slot(shard.channel.encode()) for shard in SHARD_KEYS)


class Nodes:
    """The servers behind one address."""

    def __init__(self, url: str) -> None:
        self._is_cluster = urlsplit(url).scheme.endswith(CLUSTER)
        urls = cluster_hosts(url) if self._is_cluster else (url,)
        self._options: dict[str, Any] = dict(parse_url(urls[0].replace(CLUSTER, "", 1)))
        self._seeds = tuple(_place(each) for each in urls)
        self._wires: dict[Place, Wire] = {}
        only = () if self._is_cluster else range(SHARDS)
        self._places: dict[int, Place] = dict.fromkeys(only, self._seeds[0])
        self._refreshing: asyncio.Task[None] | None = None
        self._is_changed = asyncio.Event()

    async def open(self) -> None:
        """Learn who has what. Raises StoreUnavailable."""
        if self._is_cluster:
            await self._refresh()
            self._is_changed.clear()

    async def require_all(self) -> None:
        """See that every shard has its Redis; ask the cluster where one has none. Raises StoreUnavailable."""
        if len(self._places) < SHARDS:
            await self._refresh()
        for shard in range(SHARDS):
            self.wire_of(shard)

    async def close(self) -> None:
        """Wait for what was asked, then disconnect."""
        if self._refreshing is not None:
            self._refreshing.cancel()
            await asyncio.wait([self._refreshing])
        for wire in self._wires.values():
            await wire.close()

    def wire_of(self, shard: int) -> Wire:
        """The way to the Redis that has the shard. Raises StoreUnavailable."""
        place = self._places.get(shard)
        if place is None:
            self.suspect()
            raise StoreUnavailable(f"no Redis of the cluster at {self._said_seeds()} has shard {shard}")
        return self._wire_at(place)

    def moved(self, shard: int, place: Place, asked: Wire) -> Wire:
        """The way to where a shard has gone, as the Redis says that was asked."""
        self._places[shard] = self._full(place, asked)
        self._is_changed.set()
        self.suspect()
        return self.wire_of(shard)

    def suspect(self) -> None:
        """Something is not as it was: ask the cluster anew, soon."""
        if self._is_cluster and self._refreshing is None:
            self._refreshing = asyncio.create_task(self._refresh_soon(), name="redis cluster")

    async def until_changed(self) -> None:
        """Return when shards have gone to another Redis since this was asked last."""
        await self._is_changed.wait()
        self._is_changed.clear()

    def shards_by_place(self) -> dict[Place, tuple[int, ...]]:
        """Which shards each Redis has."""
        shards: dict[Place, tuple[int, ...]] = {}
        for shard, place in sorted(self._places.items()):
            shards[place] = (*shards.get(place, ()), shard)
        return shards

    def connector(self, place: Place) -> MakeConnection:
        """What makes a connection to a Redis."""
        where = {"host": place[0], "port": place[1]} if self._is_cluster else {}
        options = {
            "socket_timeout": ANSWER_SECONDS,
            "socket_connect_timeout": ANSWER_SECONDS,
            "retry": Retry(NoBackoff(), 0),
            "protocol": 2,
            "driver_info": None,
        }
        pool = ConnectionPool(**self._options | where | options)
        return pool.make_connection

    def address(self, place: Place) -> str:
        """A Redis, for messages."""
        return f"Redis at {_said(place)}"

    def _said_seeds(self) -> str:
        return ", ".join(map(_said, self._seeds))

    def _wire_at(self, place: Place) -> Wire:
        wire = self._wires.get(place)
        if wire is None:
            wire = self._wires[place] = Wire(self.connector(place), self.address(place), recover)
        return wire

    def _full(self, place: Place, asked: Wire) -> Place:
        """A Redis that doesn't know its own name means the one under which it was asked."""
        if place[0]:
            return place
        return next(known[0] for known, wire in self._wires.items() if wire is asked), place[1]

    async def _refresh_soon(self) -> None:
        try:
            await self._refresh()
        except StoreUnavailable as error:
            _logger.warning("the cluster can't be asked who has what: %s", error)
        await asyncio.sleep(_REFRESH_SECONDS)  # who suspects again so soon suspects the same
        self._refreshing = None

    async def _refresh(self) -> None:
        failures: list[StoreUnavailable] = []
        for place in dict.fromkeys([*self._places.values(), *self._seeds]):
            wire = self._wire_at(place)
            try:
                with telling(wire.address):
                    answer = await wire.ask("CLUSTER", "SLOTS")
            except StoreUnavailable as error:
                failures.append(error)
                continue
            self._take(_places(answer, place[0]))
            return
        kind = StoreAway if all(isinstance(failure, StoreAway) for failure in failures) else StoreUnavailable
        raise kind(f"no Redis of the cluster can say who has what: {'; '.join(map(str, failures))}")

    def _take(self, places: Mapping[int, Place]) -> None:
        if places != self._places:
            self._places = dict(places)
            self._is_changed.set()


def _place(url: str) -> Place:
    """Where the address of one Redis leads."""
    parts = urlsplit(url)
    return parts.hostname or parts.path, parts.port or 6379


def _places(answer: list[Any], host: str) -> dict[int, Place]:
    """The place of each shard, from what the Redis at that host answers to CLUSTER SLOTS."""
    places: dict[int, Place] = {}
    for first, last, (name, port, *_), *_ in answer:
        place = ((name or b"").decode() or host, int(port))
        places |= {shard: place for shard, slot in enumerate(_SLOTS) if first <= slot <= last}
    return places


def _said(place: Place) -> str:
    return place[0] if place[0].startswith("/") else f"{place[0]}:{place[1]}"
