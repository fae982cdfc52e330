"""A client that was cut off: its socket is open, and nothing comes from it any more."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.rooms.presence import Patience
from app.rooms.timing import Timing
from tests.rooms.play import table_of
from tests.rooms.player import Player, at_table
from tests.rooms.serving import Rooms, serving
from tests.servers import ROOT

QUICK = Timing(
    renew=0.2, look=0.02, poll=0.02, probe=0.05, silent=0.4, patience=Patience(worse=100, gone=500)
)
HERE, RECONNECTING, GONE = "here", "reconnecting", "gone"


@pytest.fixture(scope="module")
async def quick(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rooms]:
    """A server that listens for nothing long."""
    async with serving(tmp_path_factory.mktemp("quick"), timing=QUICK) as rooms:
        yield rooms


@contextmanager
def cut_off(player: Player) -> Iterator[None]:
    """The player reads nothing and so answers nothing, until the end: else leaving would wait for it."""
    player.socket.transport.pause_reading()
    try:
        yield
    finally:
        player.socket.transport.resume_reading()


async def test_a_half_open_client_is_reconnecting_then_gone_and_here_when_it_is_heard_again(
    quick: Rooms,
) -> None:
    """Lija says nothing either, but her library answers."""
    async with table_of(quick) as (lija, medo):
        await lija.sees(Lija=HERE, Medo=HERE)
        with cut_off(medo):
            await lija.sees(Lija=HERE, Medo=RECONNECTING)
            await lija.sees(Lija=HERE, Medo=GONE)
        await lija.sees(Lija=HERE, Medo=HERE)
        await medo.must("emote", emote="hello")


async def test_the_others_are_asked_about_a_half_open_client_in_its_turn(quick: Rooms) -> None:
    async with table_of(quick) as (lija, medo):
        with cut_off(lija):
            update = await medo.receive_until(type="update")
        assert update["events"] == [{"type": "called_out", "seat": 0, "turn": 1, "reason": "gone"}]


async def test_of_two_tabs_one_half_open_still_here(quick: Rooms) -> None:
    async with table_of(quick) as (lija, medo), at_table(quick, "Medo", lija.code) as second:
        await second.sees(Lija=HERE, Medo=HERE)
        with cut_off(medo):
            await second.send({"type": "presence", "away": True})
            await lija.sees(Lija=HERE, Medo="away")


async def test_what_waited_for_a_half_open_client_comes_to_it_when_it_is_back(quick: Rooms) -> None:
    async with table_of(quick) as (lija, medo):
        with cut_off(medo):
            await lija.sees(Lija=HERE, Medo=GONE)
            version = (await lija.act("roll", hold=[]))["version"]
        await medo.see(version)


def test_a_page_that_pings_is_neither_asked_nor_missed() -> None:
    script = Path(ROOT, "app/web/js/connection.js").read_text()
    found = re.search(r"PING_EVERY_MS = ([\d_]+);", script)
    assert found is not None
    every = int(found[1]) / 1000
    assert every < Timing().probe
    assert Timing().silent >= 2 * every
