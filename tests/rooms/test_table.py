"""Games at a table, over real sockets."""

import random
from contextlib import AsyncExitStack
from pathlib import Path

from tests.rooms.player import Player, at_table
from tests.rooms.serving import Rooms, serving

SEED = 11


async def make_room(rooms: Rooms, host: str, variant: str = "classic-5x4", seats: int = 8) -> str:
    from app.accounts.identity import Identity
    from tests.rooms.serving import player_of

    stored = await rooms.service.create(Identity(player_of(host), host), variant, seats)
    return stored.room.code


async def test_two_players_play_a_whole_game(tmp_path: Path) -> None:
    async with serving(tmp_path) as rooms, AsyncExitStack() as sockets:
        code = await make_room(rooms, "Lija", "papir")
        players = [
            await sockets.enter_async_context(at_table(rooms, name, code)) for name in ("Lija", "Medo")
        ]
        for player in players:
            await player.must("join", text=f"text of {player.you['name']}")
            await player.must("ready", ready=True)
        await players[0].must("start")
        rng = random.Random(SEED)
        latest = players[0].version
        import time

        t = time.time()
        n = 0
        while not players[0].state["result"]:
            mover = players[players[0].turn["seat"]]
            await mover.see(latest)
            answer = await play_any(mover, rng)
            assert answer["type"] == "ok", answer
            latest = answer["version"]
            await players[0].see(latest)
            n += 1
        print(n, time.time() - t)
        secret = players[0].state["dice_proof"]["secret"]
        await players[1].see(latest)
        print(
            max(len(f) for f in players[0].frames),
            sum(len(f) for f in players[0].frames) / len(players[0].frames),
        )


async def play_any(player: Player, rng: random.Random) -> dict[str, object]:
    legal = player.turn["legal"]
    ways: list[tuple[str, dict[str, object]]] = []
    if legal["roll"]["legal"]:
        hold = [place for place in range(len(player.turn["dice"])) if rng.random() < 0.5]
        ways.append(("roll", {"hold": hold}))
    for kind in ("announce", "fill"):
        cells = [(column, row) for column, rows in legal[kind].items() for row in rows]
        if cells:
            column, row = rng.choice(cells)
            ways.append((kind, {"column": column, "row": row}))
    kind, fields = rng.choice(ways)
    return await player.act(kind, **fields)
