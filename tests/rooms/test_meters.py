"""What is counted while rooms are served, by playing over real sockets."""

from collections import Counter
from pathlib import Path
from time import perf_counter

import pytest

from app.rooms.meters import By, Meters, Outcome, Resume, Spread
from app.rooms.store import Committed, Conflict, Stored, StoreUnavailable
from tests.rooms.play import table_of
from tests.rooms.player import Player, at_table, connected
from tests.rooms.serving import Rooms, serving
from tests.rooms.tables import lobby


def test_a_value_falls_under_the_first_bound_that_is_not_less() -> None:
    spread = Spread((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 9.0):
        spread.add(value)
    assert spread.counts == [2, 1, 1]
    assert spread.sum == 12.0


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        (Committed(3), Outcome.COMMITTED),
        (Committed(3, is_duplicate=True), Outcome.DUPLICATE),
        (Conflict(Stored(lobby(), 4, "e")), Outcome.CONFLICT),
        (StoreUnavailable("no answer"), Outcome.FAILED),
    ],
)
def test_a_commit_is_counted_by_what_became_of_it(result: Committed | Exception, outcome: Outcome) -> None:
    meters = Meters()
    if isinstance(result, Exception):
        meters.not_committed(result, perf_counter())
    else:
        meters.committed(result, perf_counter())
    counted = {name: sum(spread.counts) for name, spread in meters.commits.items()}
    assert counted == {name: int(name is outcome) for name in Outcome}


def test_one_of_sixteen_updates_is_followed_to_every_socket_that_gets_it() -> None:
    meters = Meters()
    updates = [f'{{"type":"update","version":{version},"at":{version}}}' for version in range(32)]
    for update in updates:
        meters.fan_out(update)
        for _ in range(4):
            meters.sent(update)
    assert sum(meters.frames.counts) == 2 * 4


async def test_what_happens_at_a_table_is_counted(tmp_path: Path) -> None:
    async with serving(tmp_path) as rooms:
        meters = rooms.hub.meters
        async with table_of(rooms, ("Lija", "Medo")) as players:
            lija = players[0]
            same = {"request": "same", "ready": True}
            assert (await lija.command("ready", **same))["code"] == "already_started"
            assert (await lija.command("start"))["code"] == "already_started"
            await _leave_and_come_back(rooms, lija)
            assert rooms.hub.queues() == [0, 0]
        assert meters.messages["hello"] == 3
        assert meters.messages["join"] == 2
        assert meters.refusals == Counter({"already_started": 2})
        assert meters.resumes == Counter({Resume.FIRST: 2, Resume.UPDATES: 1})
        assert sum(meters.commits[Outcome.COMMITTED].counts) == 5
        assert meters.closes[By.CLIENT, 1000] == 3


async def _leave_and_come_back(rooms: Rooms, player: Player) -> None:
    async with connected(rooms, "Lija", player.state["room"]["code"]) as again:
        again.state, again.version = player.state, player.version - 1
        await again.hello(epoch=player.epoch, version=again.version)
        await again.receive_until(type="pong")


async def test_sockets_that_the_server_closes_are_counted_by_their_code(tmp_path: Path) -> None:
    async with serving(tmp_path) as rooms:
        async with connected(rooms, None, await rooms.make()) as nobody:
            assert await nobody.closed() == 4401
        async with at_table(rooms, "Lija", await rooms.make()) as lija:
            for _ in range(3):
                await lija.send("nonsense")
            assert await lija.closed() == 4400
        meters = rooms.hub.meters
        assert meters.closes == Counter({(By.SERVER, 4401): 1, (By.SERVER, 4400): 1})
        assert meters.refusals["malformed"] == 3
