"""What a client draws by saying that it has seen little."""

import json
from pathlib import Path

from app.rooms.limits import Limits
from tests.rooms.player import at_table
from tests.rooms.serving import serving

_STEPS = 40
_ASKED = 60


async def test_pings_that_have_seen_nothing_draw_no_more_than_a_budget(tmp_path: Path) -> None:
    limits = Limits(catch_up_bytes_per_second=1, catch_up_bytes_burst=50_000)
    async with serving(tmp_path, limits=limits) as rooms, at_table(rooms, "Lija", await rooms.make()) as lija:
        await lija.must("join", text="x")
        for step in range(_STEPS):
            await lija.must("ready", ready=step % 2 == 0)
        drawn, pongs, updates = 0, 0, 0
        for _ in range(_ASKED):
            await lija.socket.send(json.dumps({"type": "ping", "version": 0}))
        while pongs < _ASKED:
            message = await lija.socket.recv()
            pongs += '"pong"' in str(message)
            updates += '"update"' in str(message)
            drawn += len(message)
        # One answer may begin below the bound and end above it.
        assert updates > 0
        assert drawn < 50_000 + 150_000
        await lija.must("ready", ready=True)
