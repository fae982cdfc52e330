"""A cluster of three Redis on free ports of this computer: each has a third of the slots and no replica."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from redis import Redis

from tests.patience import PATIENCE_SECONDS
from tests.servers import HOST, RedisServer, free_port

_SLOTS = 16384
_SHARE = _SLOTS // 3 + 1
_JOIN_SECONDS = PATIENCE_SECONDS
_POLL_SECONDS = 0.05


class ClusterNode(RedisServer):
    """One Redis of a cluster. It keeps its place in the cluster over a restart."""

    def __init__(self) -> None:
        super().__init__()
        self.bus_port = free_port()

    def command(self) -> list[str]:
        cluster = ["--cluster-enabled", "yes", "--cluster-port", str(self.bus_port)]
        return [*super().command(), *cluster, "--cluster-node-timeout", "2000"]

    def ask(self, command: str, *arguments: str | int) -> Any:
        """What it answers."""
        with Redis(host=HOST, port=self.port) as client:
            return client.execute_command(command, *arguments)

    def is_joined(self) -> bool:
        """Whether it sees the whole cluster at work."""
        info: dict[str, str] = self.ask("CLUSTER INFO")
        return (info["cluster_state"], info["cluster_known_nodes"]) == ("ok", "3")

    def has(self, slot: int) -> bool:
        """Whether it says that a slot is its own."""
        ranges: list[tuple[int, int, tuple[bytes, int]]] = self.ask("CLUSTER SLOTS")
        return any(first <= slot <= last and where[1] == self.port for first, last, where, *_ in ranges)


class RedisCluster:
    """Three servers that share the slots out."""

    def __init__(self, nodes: Sequence[ClusterNode]) -> None:
        self.nodes = nodes

    @property
    def url(self) -> str:
        """Its address, as the setting takes it."""
        return f"redis+cluster://{HOST}:{self.nodes[0].port}"

    def flush(self) -> None:
        """Empty it."""
        for node in self.nodes:
            node.ask("FLUSHALL")

    def owner(self, slot: int) -> ClusterNode:
        """Which of them has a slot."""
        return next(node for node in self.nodes if node.has(slot))

    def move(self, slot: int, source: ClusterNode, target: ClusterNode) -> None:
        """Give a slot with all that is in it from one to another, as an operator would."""
        self.begin_move(slot, source, target)
        target_id = target.ask("CLUSTER MYID")
        for node in (target, source, *self.nodes):
            node.ask("CLUSTER SETSLOT", slot, "NODE", target_id)

    def begin_move(self, slot: int, source: ClusterNode, target: ClusterNode) -> None:
        """Give all that is in a slot, while the slot is still the source's."""
        source_id, target_id = source.ask("CLUSTER MYID"), target.ask("CLUSTER MYID")
        target.ask("CLUSTER SETSLOT", slot, "IMPORTING", source_id)
        source.ask("CLUSTER SETSLOT", slot, "MIGRATING", target_id)
        while keys := source.ask("CLUSTER GETKEYSINSLOT", slot, 100):
            source.ask("MIGRATE", HOST, target.port, "", 0, 5000, "KEYS", *keys)


@contextmanager
def running_cluster() -> Iterator[RedisCluster]:
    """A cluster, ended at the end."""
    with ExitStack() as started:
        nodes = [started.enter_context(ClusterNode()) for _ in range(3)]
        for number, node in enumerate(nodes):
            first = number * _SHARE
            node.ask("CLUSTER ADDSLOTSRANGE", first, min(first + _SHARE, _SLOTS) - 1)
            nodes[0].ask("CLUSTER MEET", HOST, node.port, node.bus_port)
        deadline = time.monotonic() + _JOIN_SECONDS
        while not all(node.is_joined() for node in nodes):
            if time.monotonic() > deadline:
                raise RuntimeError(f"the cluster did not come together:\n{nodes[0].output}")
            time.sleep(_POLL_SECONDS)
        yield RedisCluster(nodes)
