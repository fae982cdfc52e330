"""Noticing that Redis may have lost data: it is another process than the one that had a shard before.

With `appendfsync everysec` a crash costs up to a second of what was acknowledged, a replica that takes over a
little too. Whether anything was lost nobody can know; so every room of the shard gets another epoch, which
permits it a lower version. Said on every new connection, before anything else is asked on it.
"""

import logging
import math

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import MovedError

from app.rooms.redis_keys import SHARD_KEYS
from app.rooms.redis_wire import pack

_logger = logging.getLogger(__name__)

# KEYS: loss, server. ARGV: id of this process of Redis. Answers 1 when another one had the shard before.
# Also a full Redis is told: else nothing could be read from it, nor deleted.
_RECOVER = """#!lua flags=allow-oom
local before = redis.call('GET', KEYS[2])
if before == ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
if not before then return 0 end
redis.call('SET', KEYS[1], string.sub(ARGV[1], 1, 16))
return 1
"""


async def recover(connection: AbstractConnection) -> None:
    """Note a loss for each shard that this Redis has, and that another had before. Raises RedisError.

    The loss has the name of the process: a count could itself be lost, and then come again.
    """
    await connection.send_command("INFO", "server")
    server = _run_id(await connection.read_response())
    commands = [pack("EVAL", _RECOVER, 2, shard.loss, shard.server, server) for shard in SHARD_KEYS]
    await connection.send_packed_command(b"".join(commands), check_health=False)
    recovered = sum([await _answer(connection) for _ in commands])
    if recovered:
        _logger.warning(
            "Redis was started anew or taken over: what it was told last may be lost; "
            "the rooms of %d of %d shards have another epoch",
            recovered,
            len(SHARD_KEYS),
        )


async def _answer(connection: AbstractConnection) -> int:
    try:
        return int(await connection.read_response(timeout=math.inf))
    except MovedError:  # in a cluster: another one has this shard
        return 0


def _run_id(info: bytes) -> str:
    lines = info.decode().splitlines()
    return next(line.partition(":")[2] for line in lines if line.startswith("run_id:"))
