"""What players say and show to each other: to everybody at the table, within bounds, changing nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from app.rooms.limits import Limits
from app.rooms.redis_store import RedisStore
from tests.rooms.play import table_of
from tests.rooms.player import at_table
from tests.rooms.serving import Rooms, make_rooms, served, serving

EMOTES = ("hello", "well_played", "lucky", "oops", "thinking", "hurry", "thanks", "bye")
UNBOUNDED = Limits(says_burst=1e6, emote_seconds=1e-6)
SLOW = Limits(says_per_second=1e-6, emote_seconds=1e6)


@pytest.fixture(scope="module")
async def talking(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rooms]:
    """A server at which one can talk without end."""
    async with serving(tmp_path_factory.mktemp("talking"), limits=UNBOUNDED) as rooms:
        yield rooms


@pytest.fixture(scope="module")
async def bounded(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rooms]:
    """A server at which a burst is all that there is."""
    async with serving(tmp_path_factory.mktemp("bounded"), limits=SLOW) as rooms:
        yield rooms


async def test_what_a_player_says_reaches_everybody_and_himself_and_changes_no_version(
    talking: Rooms,
) -> None:
    async with table_of(talking) as (lija, medo), at_table(talking, "Zec", lija.code) as zec:
        version = lija.version
        answer = await lija.command("say", request="b9", text="  <b>Bravo!</b> ")
        assert (answer["type"], answer["version"]) == ("ok", version)
        for player in (lija, medo, zec):
            said = await player.told("said")
            assert said | {"at": 0} == {
                "type": "said",
                "request": "b9",
                "player": lija.you["player"],
                "name": "Lija",
                "text": "<b>Bravo!</b>",
                "at": 0,
            }
        assert (await talking.store.load(lija.code)).version == version


@pytest.mark.parametrize("emote", EMOTES)
async def test_every_emote_reaches_everybody(talking: Rooms, emote: str) -> None:
    async with table_of(talking) as (lija, medo):
        await lija.must("emote", emote=emote)
        for player in (lija, medo):
            emoted = await player.told("emoted")
            assert (emoted["player"], emoted["name"], emoted["emote"]) == (lija.you["player"], "Lija", emote)
            assert emoted["request"]


async def test_only_seated_players_talk(talking: Rooms) -> None:
    async with table_of(talking) as (lija, medo), at_table(talking, "Zec", lija.code) as zec:
        assert (await zec.command("say", text="hello"))["code"] == "not_seated"
        assert (await zec.command("emote", emote="hello"))["code"] == "not_seated"
        await medo.must("leave")
        assert (await medo.command("say", text="hello"))["code"] == "not_seated"
        await medo.must("return")
        await medo.must("say", text="hello")


async def test_with_the_chat_switched_off_emotes_alone_are_passed_on(talking: Rooms) -> None:
    async with table_of(talking) as (lija, medo):
        await lija.must("chat", on=False)
        assert (await medo.command("say", text="hello"))["code"] == "chat_off"
        await medo.must("emote", emote="hello")
        await lija.must("chat", on=True)
        await medo.must("say", text="hello")


@pytest.mark.parametrize("text", ["", "   ", "x" * 201, "two\nlines", "\u202eright", "\x07"])
async def test_what_is_no_visible_text_of_200_characters_is_malformed(talking: Rooms, text: str) -> None:
    async with table_of(talking, ["Lija"]) as (lija,):
        await lija.send({"type": "say", "request": "a", "text": text})
        refused = await lija.receive_until(type="refused")
        assert (refused["code"], refused["detail"]) == ("malformed", {"field": "text"})
        await lija.must("say", text="ž" * 200)


async def test_an_unknown_emote_is_malformed(talking: Rooms) -> None:
    async with table_of(talking, ["Lija"]) as (lija,):
        await lija.send({"type": "emote", "request": "a", "emote": "table_flip"})
        assert (await lija.receive_until(type="refused"))["code"] == "malformed"


async def test_a_say_sent_again_is_answered_and_not_said_again(talking: Rooms) -> None:
    async with table_of(talking) as (lija, medo):
        for _ in range(2):
            assert (await lija.command("say", request="same", text="once"))["type"] == "ok"
        await lija.must("say", text="after")
        assert [(await medo.told("said"))["text"] for _ in range(2)] == ["once", "after"]


async def test_a_player_says_five_things_at_once_and_shows_one_emote_over_all_his_tabs(
    bounded: Rooms,
) -> None:
    async with table_of(bounded) as (lija, medo), at_table(bounded, "Lija", lija.code) as tab:
        answers = [await player.command("say", text="x") for player in (lija, tab, lija, tab, lija, tab)]
        assert [answer["type"] for answer in answers] == ["ok"] * 5 + ["refused"]
        assert (answers[5]["code"], answers[5]["retry"]) == ("too_many", True)
        await tab.must("emote", emote="oops")
        assert (await lija.command("emote", emote="oops"))["code"] == "too_many"
        await medo.must("say", text="others may")


async def test_what_is_said_at_one_worker_is_heard_at_the_other(redis_url: str) -> None:
    async with AsyncExitStack() as stack:
        here, there = [make_rooms(RedisStore(redis_url)) for _ in range(2)]
        for worker in (here, there):
            await stack.enter_async_context(served(worker))
        lija, _ = await stack.enter_async_context(table_of(here))
        medo = await stack.enter_async_context(at_table(there, "Medo", lija.code))
        await medo.must("say", text="from there")
        assert (await lija.told("said"))["text"] == "from there"


async def test_a_say_sent_at_two_sockets_at_once_is_said_once(redis_url: str) -> None:
    rooms = make_rooms(RedisStore(redis_url))
    async with served(rooms), table_of(rooms) as (lija, medo), at_table(rooms, "Medo", lija.code) as tab:
        same = [player.command("say", request="same", text="once") for player in (medo, tab)]
        assert [answer["type"] for answer in await asyncio.gather(*same)] == ["ok", "ok"]
        await medo.must("say", text="after")
        assert [(await lija.told("said"))["text"] for _ in range(2)] == ["once", "after"]


async def test_a_store_that_does_not_answer_passes_nothing_on(tmp_path: Path) -> None:
    async with serving(tmp_path) as rooms, table_of(rooms, ["Lija"]) as (lija,):
        await rooms.store.close()
        answer = await lija.command("say", text="anybody?")
        assert (answer["code"], answer["retry"]) == ("unavailable", True)
