"""Who is at a table, as its players see it: sockets that come, go, hide and break, at real servers."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from app.rooms import wire
from app.rooms.presence import Patience
from app.rooms.redis_store import RedisStore
from app.rooms.store import Lease, SeenLease, Stored, StoreUnavailable
from app.rooms.timing import Timing
from tests.around_store import AroundStore
from tests.rooms.play import table_of
from tests.rooms.player import Player, at_table
from tests.rooms.serving import Rooms, make_rooms, served, serving

WORSE_MS = 150
GONE_MS = 600
QUICK = Timing(renew=0.2, look=0.02, poll=0.02, patience=Patience(worse=WORSE_MS, gone=GONE_MS))
HERE, AWAY, RECONNECTING, GONE = "here", "away", "reconnecting", "gone"


@pytest.fixture(scope="module")
async def quick(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rooms]:
    """A server that waits for nothing long."""
    async with serving(tmp_path_factory.mktemp("quick"), timing=QUICK) as rooms:
        yield rooms


async def test_everybody_at_the_table_is_told_who_is_there_and_how_many_look_on(quick: Rooms) -> None:
    async with table_of(quick) as (lija, medo):
        await lija.sees(Lija=HERE, Medo=HERE)
        async with at_table(quick, "Zec", lija.code) as zec:
            for player in (lija, medo, zec):
                await player.sees(Lija=HERE, Medo=HERE, spectators=1)
        await lija.sees(Lija=HERE, Medo=HERE)


async def test_who_hides_his_page_is_away_and_here_again_when_he_shows_it(quick: Rooms) -> None:
    async with table_of(quick) as (lija, medo):
        await medo.send({"type": "presence", "away": True})
        await lija.sees(Lija=HERE, Medo=AWAY)
        await medo.send({"type": "ping", "version": medo.version})
        await lija.sees(Lija=HERE, Medo=HERE)
        await medo.send({"type": "ping", "version": medo.version, "away": True})
        await lija.sees(Lija=HERE, Medo=AWAY)


async def test_who_loses_his_connection_is_reconnecting_then_gone_and_here_when_he_is_back(
    quick: Rooms,
) -> None:
    async with table_of(quick) as (lija, medo):
        medo.socket.transport.abort()
        await lija.sees(Lija=HERE, Medo=RECONNECTING)
        await lija.sees(Lija=HERE, Medo=GONE)
        async with at_table(quick, "Medo", lija.code):
            await lija.sees(Lija=HERE, Medo=HERE)


async def told_since(player: Player, told: int) -> list[str]:
    """How the table was shown after so many tellings, once a worsening would have been shown."""
    await asyncio.sleep(2 * WORSE_MS / 1000)
    await player.send({"type": "ping", "version": player.version})
    await player.receive_until(type="pong")
    return [seat["state"] for presence in player.presences[told:] for seat in presence["players"]]


async def test_the_old_sockets_late_close_after_a_reconnect_changes_nothing(quick: Rooms) -> None:
    async with table_of(quick) as (lija, medo):
        await lija.sees(Lija=HERE, Medo=HERE)
        told = len(lija.presences)
        async with at_table(quick, "Medo", lija.code) as again:
            await again.sees(Lija=HERE, Medo=HERE)
            await medo.socket.close()
            assert await told_since(lija, told) == []


async def test_two_tabs_one_closed_still_here(quick: Rooms) -> None:
    async with table_of(quick) as (lija, medo), AsyncExitStack() as tabs:
        second = await tabs.enter_async_context(at_table(quick, "Medo", lija.code))
        await second.sees(Lija=HERE, Medo=HERE)
        await lija.sees(Lija=HERE, Medo=HERE)
        told = len(lija.presences)
        await second.socket.close()
        assert await told_since(lija, told) == []
        await medo.socket.close()
        await lija.sees(Lija=HERE, Medo=RECONNECTING)


async def test_a_page_that_is_loaded_again_at_once_shows_nothing(quick: Rooms) -> None:
    async with table_of(quick) as (lija, medo):
        await lija.sees(Lija=HERE, Medo=HERE)
        told = len(lija.presences)
        await medo.socket.close()
        async with at_table(quick, "Medo", lija.code):
            assert await told_since(lija, told) == []


async def test_who_sits_down_or_gives_his_seat_back_is_told_of_at_once(quick: Rooms) -> None:
    async with (
        at_table(quick, "Lija", await quick.make()) as lija,
        at_table(quick, "Medo", lija.code) as medo,
    ):
        await lija.sees(spectators=2)
        await medo.must("join", text="x")
        await lija.sees(Medo=HERE, spectators=1)
        await medo.must("leave")
        await lija.sees(spectators=2)


async def test_the_others_are_asked_about_who_has_been_gone_in_his_turn(quick: Rooms) -> None:
    async with table_of(quick) as (lija, medo):
        await lija.socket.close()
        update = await medo.receive_until(type="update")
        assert update["events"] == [{"type": "called_out", "seat": 0, "turn": 1, "reason": "gone"}]
        await medo.must("choose", seat=0, turn=1, choice="bot")
        while medo.turn["roll"] == 0:
            await medo.receive()
        assert medo.turn["bot"]


async def test_a_host_who_is_gone_passes_his_role_even_if_he_never_sat(quick: Rooms) -> None:
    async with (
        at_table(quick, "Lija", await quick.make()) as lija,
        at_table(quick, "Medo", lija.code) as medo,
    ):
        await medo.must("join", text="x")
        await lija.socket.close()
        update = await medo.receive_until(type="update")
        assert [event["type"] for event in update["events"]] == ["host_passed"]
        assert medo.state["room"]["host"] == medo.you["player"]


async def test_a_host_who_only_looks_on_passes_his_role_too_when_it_was_passed_to_him(quick: Rooms) -> None:
    async with at_table(quick, "Lija", await quick.make()) as lija:
        code = lija.code
        async with at_table(quick, "Medo", code) as medo:
            await lija.socket.close()
            await medo.receive_until(type="update")
            assert medo.state["room"]["host"] == medo.you["player"]
            async with at_table(quick, "Lija", code) as again:
                await medo.socket.close()
                await again.receive_until(type="update")
                assert again.state["room"]["host"] == again.you["player"]


async def test_a_table_at_which_something_is_wrong_holds_up_no_other(tmp_path: Path) -> None:
    store = DefectiveStore(tmp_path / "rooms.db")
    rooms = make_rooms(store, timing=QUICK)
    async with (
        served(rooms),
        at_table(rooms, "Zec", await rooms.make()) as zec,
        table_of(rooms) as (lija, medo),
    ):
        await lija.sees(Lija=HERE, Medo=HERE)
        store.defective = zec.code
        await store.relay(zec.code, wire.presence_hint())
        await medo.socket.close()
        await lija.sees(Lija=HERE, Medo=RECONNECTING)


async def test_two_workers_tell_their_players_of_each_other(redis_url: str) -> None:
    async with AsyncExitStack() as workers:
        here, there = [make_rooms(RedisStore(redis_url), timing=QUICK) for _ in range(2)]
        for worker in (here, there):
            await workers.enter_async_context(served(worker))
        async with at_table(here, "Lija", await here.make()) as lija, AsyncExitStack() as sockets:
            await lija.must("join", text="x")
            medo = await sockets.enter_async_context(at_table(there, "Medo", lija.code))
            await lija.sees(Lija=HERE, spectators=1)
            await medo.must("join", text="y")
            await medo.send({"type": "presence", "away": True})
            await lija.sees(Lija=HERE, Medo=AWAY)
            await medo.sees(Lija=HERE, Medo=AWAY)
            await medo.socket.close()
            await lija.sees(Lija=HERE, Medo=RECONNECTING)


async def test_a_store_that_was_away_makes_nobody_gone(tmp_path: Path) -> None:
    """While nothing can be read nobody is judged; afterwards everybody is renewed first."""
    store = AbsentStore(tmp_path / "rooms.db")
    rooms = make_rooms(store, timing=QUICK)
    async with served(rooms), table_of(rooms) as (lija, _):
        await lija.sees(Lija=HERE, Medo=HERE)
        told = len(lija.presences)
        store.is_away = True
        await asyncio.sleep(2 * GONE_MS / 1000)
        store.is_away = False
        assert await told_since(lija, told) == []


class DefectiveStore(AroundStore):
    """A store in which one room can't be read."""

    defective = ""

    async def load(self, code: str) -> Stored:
        if code == self.defective:
            raise ValueError(f"room {code} can't be read")
        return await super().load(code)


class AbsentStore(AroundStore):
    """A store whose leases can't be reached for some time, in which they run out."""

    is_away = False

    async def renew(self, leases: Sequence[Lease], now: int) -> None:
        self._check()
        await super().renew(leases, now)

    async def leases_of(self, codes: Sequence[str], now: int) -> dict[str, list[SeenLease]]:
        self._check()
        return await super().leases_of(codes, now)

    def _check(self) -> None:
        if self.is_away:
            raise StoreUnavailable("away")
