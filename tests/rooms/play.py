"""Players who sit down and play over sockets."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from tests.rooms.player import Message, Player, at_table
from tests.rooms.serving import Rooms
from tests.rooms.tables import NAMES


@asynccontextmanager
async def table_of(
    rooms: Rooms, names: Sequence[str] = NAMES[:2], variant: str = "classic-5x4"
) -> AsyncIterator[list[Player]]:
    """Players at a table whose game has just begun; all have seen the start."""
    code = await rooms.make(variant)
    async with AsyncExitStack() as sockets:
        players = [await sockets.enter_async_context(at_table(rooms, name, code)) for name in names]
        for player, name in zip(players, names, strict=True):
            await player.must("join", text=f"text of {name}")
            await player.must("ready", ready=True)
        started = await players[0].must("start")
        for player in players:
            await player.see(started["version"])
        yield players


async def play_to_the_end(players: Sequence[Player], seed: int = 11) -> None:
    """Legal actions at random, each by the player whose turn it is as he sees it; all see the end."""
    rng = random.Random(seed)
    first = players[0]
    while first.state["result"] is None:
        mover = players[first.turn["seat"]]
        await mover.see(first.version)
        answer = await act_somehow(mover, rng)
        assert answer["type"] == "ok", answer
        await first.see(answer["version"])
    for player in players:
        await player.see(first.version)


async def act_somehow(player: Player, rng: random.Random) -> Message:
    """One of the legal actions; the answer."""
    legal = player.turn["legal"]
    ways: list[tuple[str, Message]] = []
    if legal["roll"]["legal"]:
        dice = range(len(player.turn["dice"]))
        ways.append(("roll", {"hold": [place for place in dice if rng.random() < 0.5]}))
    for kind, by_column in (("announce", legal["announce"]), ("fill", legal["open"])):
        cells = [(column, row) for column, rows in by_column.items() for row in rows]
        if cells:
            column, row = rng.choice(cells)
            ways.append((kind, {"column": column, "row": row}))
    kind, fields = rng.choice(ways)
    return await player.act(kind, **fields)
