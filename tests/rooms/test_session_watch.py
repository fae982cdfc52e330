"""Sockets of players who signed out, got another password elsewhere, or deleted themselves, are closed."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from websockets.asyncio.client import connect

from app.accounts.ended_sessions import Ended
from app.accounts.identity import COOKIE, Identity
from app.accounts.passwords import Passwords
from app.config import Settings
from app.db import Database, DatabaseUnavailable
from app.main import create_app
from app.rooms.hub import Viewer
from app.rooms.session_watch import SessionWatch
from app.rooms.timing import Timing
from app.schema import migrate
from app.scores.own_games import make_delete_player
from tests.rooms.player import Player
from tests.rooms.serving import HOST, Rooms, listening
from tests.rooms.tables import identity

WORDS = "four words or more"
NEVER, AT_ONCE = 3600.0, 0.02


@dataclass
class Site:
    """The whole application, and its database as another process has it."""

    port: int
    database: Database

    @asynccontextmanager
    async def browser(self, way: str = "sessions", **given: str) -> AsyncIterator[httpx.AsyncClient]:
        """A browser that is signed in, by a new guest's name or otherwise."""
        async with httpx.AsyncClient(base_url=f"http://{HOST}:{self.port}") as browser:
            (await browser.post(f"/api/{way}", json=given)).raise_for_status()
            yield browser

    @asynccontextmanager
    async def guests(self) -> AsyncIterator[tuple[httpx.AsyncClient, httpx.AsyncClient]]:
        """Two of them."""
        async with self.browser("guests", name="Lija") as lija, self.browser("guests", name="Medo") as medo:
            yield lija, medo

    @asynccontextmanager
    async def at_table(self, browser: httpx.AsyncClient, code: str) -> AsyncIterator[Player]:
        """A socket of the browser's player, welcomed."""
        headers = {"cookie": f"{COOKIE}={browser.cookies[COOKIE]}"}
        address = f"ws://{HOST}:{self.port}/ws/rooms/{code}"
        async with connect(address, additional_headers=headers, ping_interval=None) as socket:
            player = Player(socket)
            await player.hello()
            yield player


@asynccontextmanager
async def site_in(folder: Path, seconds: float) -> AsyncIterator[Site]:
    """A site that looks at all of its sockets' sessions so often."""
    settings = Settings(data_dir=folder)
    database = Database(settings.database_url)
    await migrate(database)
    cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    app = create_app(settings, timing=Timing(sessions=seconds), passwords=cheap)
    async with listening(app) as port:
        yield Site(port, database)
    await database.dispose()


@pytest.fixture(scope="module")
async def told(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """A site that looks at sessions only when it is told that some have ended."""
    async with site_in(tmp_path_factory.mktemp("told"), NEVER) as site:
        yield site


@pytest.fixture(scope="module")
async def looking(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """A site that looks all the time, as others do once a minute: nobody tells it of what ends elsewhere."""
    async with site_in(tmp_path_factory.mktemp("looking"), AT_ONCE) as site:
        yield site


async def make_room(browser: httpx.AsyncClient) -> str:
    made = await browser.post("/api/rooms", json={"variant": "papir", "max_seats": 4})
    return str(made.json()["code"])


async def answers(player: Player) -> bool:
    """Whether the socket is still one."""
    await player.send({"type": "ping", "version": player.version})
    return bool(await player.receive_until(type="pong"))


async def player_of(browser: httpx.AsyncClient) -> str:
    return str((await browser.get("/api/me")).json()["player"])


async def test_signing_out_closes_the_browsers_own_sockets_at_once(told: Site) -> None:
    async with told.guests() as (lija, medo):
        code = await make_room(lija)
        async with told.at_table(lija, code) as gone, told.at_table(medo, code) as other:
            (await lija.delete("/api/sessions/current")).raise_for_status()
            assert await gone.closed() == 4401
            assert await answers(other)


async def test_another_password_closes_the_sockets_of_all_other_browsers(told: Site) -> None:
    account = {"user_name": "zec", "password": WORDS}
    async with told.browser("accounts", **account) as here, told.browser(**account) as there:
        code = await make_room(here)
        async with told.at_table(here, code) as stays, told.at_table(there, code) as goes:
            changed = {"password": WORDS, "new_password": WORDS + "!"}
            (await here.put("/api/me/password", json=changed)).raise_for_status()
            assert await goes.closed() == 4401
            assert await answers(stays)
            (await here.delete("/api/sessions")).raise_for_status()
            assert await stays.closed() == 4401


async def test_who_registers_at_another_page_keeps_his_sockets_until_the_browser_knows_its_new_session(
    told: Site,
) -> None:
    async with (
        told.browser("guests", name="Vuk") as vuk,
        told.at_table(vuk, await make_room(vuk)) as player,
    ):
        (await vuk.post("/api/accounts", json={"user_name": "vuk", "password": WORDS})).raise_for_status()
        assert await answers(player)


async def test_what_ended_elsewhere_is_found_by_looking(looking: Site) -> None:
    async with looking.guests() as (lija, medo):
        code = await make_room(lija)
        async with looking.at_table(lija, code) as gone, looking.at_table(medo, code) as other:
            assert await make_delete_player(looking.database)(await player_of(lija))
            assert await gone.closed() == 4401
            assert await answers(other)


async def test_who_is_deleted_in_a_game_has_left_it_and_a_bot_plays_on(told: Site) -> None:
    async with told.guests() as (lija, medo):
        code = await make_room(lija)
        async with told.at_table(lija, code) as gone, told.at_table(medo, code) as other:
            for player in (gone, other):
                await player.must("join", text="x")
                await player.must("ready", ready=True)
            await gone.must("start")
            (await lija.delete("/api/me")).raise_for_status()
            assert await gone.closed() == 4401
            while not any(
                event["type"] == "seat_left" for event in (await other.receive()).get("events", [])
            ):
                pass
            assert (other.state["seats"][0]["left"], other.state["seats"][0]["played_by"]) == (True, "bot")
            while other.turn["seat"] == 0:
                await other.receive()
            assert other.state["room"]["host"] == other.you["player"]


async def test_who_is_deleted_in_a_lobby_gives_all_his_seats_back(told: Site) -> None:
    async with told.guests() as (lija, medo):
        made = await lija.post("/api/rooms", json={"variant": "papir", "max_seats": 4, "own_dice": True})
        code = made.json()["code"]
        async with told.at_table(lija, code) as gone, told.at_table(medo, code) as other:
            await gone.must("join", text="x")
            await other.must("join", text="x")
            await gone.must("join", text="x", name="Baba")
            await other.see(gone.version)
            assert len(other.state["seats"]) == 3
            (await lija.delete("/api/me")).raise_for_status()
            assert await gone.closed() == 4401
            while len(other.state["seats"]) > 1:
                await other.receive()
            assert other.state["seats"][0]["player"] == other.you["player"]


async def test_while_the_database_is_away_everybody_plays_on(
    unserved: Rooms, caplog: pytest.LogCaptureFixture
) -> None:
    async def find_ended(_identities: Sequence[Identity]) -> Ended:
        raise DatabaseUnavailable("away")

    viewer = Viewer(await unserved.make(), identity("Lija"))
    unserved.hub.attach(viewer)
    await SessionWatch(unserved.hub, unserved.service, find_ended, seconds=NEVER).look()
    assert viewer.outbox.is_idle
    assert "away" in caplog.text
    unserved.hub.detach(viewer)
