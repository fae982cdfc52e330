"""Every refusal of the room on the protocol page, reached over a socket; each leaves the socket open."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from app.rooms.refusals import RETRIABLE, RefusalCode
from app.rooms.store import Commit, Committed, Conflict, StoreUnavailable
from tests.around_store import AroundStore
from tests.rooms.play import play_to_the_end, table_of
from tests.rooms.player import Message, Player, at_table
from tests.rooms.serving import Rooms, serving_from
from tests.rooms.tables import NAMES

ROLL = {"type": "roll", "hold": []}
Who = TypeVar("Who", str, int)
Case = tuple[str, Who, str, Message]
"""The refusal's code; who gives the command, by name or seat; its type and its fields."""


def _name(case: Case[Any]) -> str:
    return "-".join(str(part) for part in (*case[:3], *case[3].values()))


def act(action: Message = ROLL, **moment: int) -> Message:
    """The fields of an action for the first roll of the game, or another moment."""
    return {"seat": 0, "turn": 1, "roll": 0, "action": action} | moment


LOBBY: list[Case[str]] = [
    ("not_seated", "Medo", "leave", {}),
    ("not_seated", "Medo", "ready", {"ready": True}),
    ("not_started", "Lija", "act", act()),
    ("not_host", "Medo", "start", {}),
    ("not_host", "Medo", "settings", {"variant": "papir", "max_seats": 2}),
    ("not_ready", "Lija", "start", {}),
    ("unknown_variant", "Lija", "settings", {"variant": "poker", "max_seats": 2}),
    ("unknown_columns", "Lija", "settings", {"variant": "papir", "max_seats": 2, "columns": []}),
    ("unknown_columns", "Lija", "settings", {"variant": "papir", "max_seats": 2, "columns": ["x"]}),
    ("unknown_columns", "Lija", "settings", {"variant": "croatian", "max_seats": 2, "columns": ["up"]}),
    ("already_seated", "Lija", "join", {"text": "again"}),
    ("already_seated", "Lija", "join", {"text": "again", "name": "Medo"}),
    ("not_host", "Medo", "add_bot", {}),
    ("not_host", "Medo", "kick", {"seat": 0}),
    ("not_host", "Medo", "chat", {"on": False}),
    ("not_seated", "Lija", "kick", {"seat": 7}),
    ("own_seat", "Lija", "kick", {"seat": 0}),
    ("not_playing", "Lija", "return", {}),
    ("not_playing", "Lija", "choose", {"seat": 0, "turn": 1, "choice": "bot"}),
    ("stale", "Lija", "rematch", {"game": "g0"}),
    ("not_seated", "Medo", "rematch", {"game": "g0"}),
    ("not_started", "Lija", "sheet", {"seat": 0, "action": {"type": "clear"}}),
]


@pytest.mark.parametrize("case", LOBBY, ids=_name)
async def test_what_the_lobby_refuses(rooms: Rooms, case: Case[str]) -> None:
    code, name, kind, fields = case
    room = await rooms.make()
    async with at_table(rooms, "Lija", room) as lija, at_table(rooms, "Medo", room) as medo:
        await lija.must("join", text="x")
        player = {"Lija": lija, "Medo": medo}[name]
        await medo.see(lija.version)
        await check_refused(player, code, await player.command(kind, **fields))


async def test_a_full_room_refuses_one_more(rooms: Rooms) -> None:
    room = await rooms.make(max_seats=1)
    async with at_table(rooms, "Lija", room) as lija, at_table(rooms, "Medo", room) as medo:
        await medo.see((await lija.must("join", text="x"))["version"])
        await check_refused(medo, "room_full", await medo.command("join", text="y"))


async def test_settings_for_fewer_than_are_seated_are_refused(rooms: Rooms) -> None:
    room = await rooms.make()
    async with at_table(rooms, "Lija", room) as lija, at_table(rooms, "Medo", room) as medo:
        await lija.must("join", text="x")
        await medo.must("join", text="y")
        await lija.see(medo.version)
        answer = await lija.command("settings", variant="papir", max_seats=1)
        await check_refused(lija, "too_few_seats", answer)


PLAYING: list[Case[int]] = [
    ("already_started", 0, "start", {}),
    ("already_started", 1, "settings", {"variant": "papir", "max_seats": 2}),
    ("not_your_turn", 1, "act", act(seat=1)),
    ("not_your_seat", 1, "act", act()),
    ("not_your_seat", 0, "act", act(seat=5)),
    ("stale", 0, "act", act(turn=2)),
    ("already_started", 0, "add_bot", {}),
    ("no_offer", 1, "choose", {"seat": 0, "turn": 1, "choice": "wait"}),
    ("stale", 1, "return", {}),
    ("drawn_dice", 0, "sheet", {"seat": 0, "action": {"type": "clear"}}),
    ("stale", 0, "act", act(roll=1)),
    ("roll_first", 0, "act", act({"type": "fill", "column": "free", "row": "ones"})),
    ("roll_first", 0, "act", act({"type": "announce", "column": "announced", "row": "ones"})),
    ("held_before_first_roll", 0, "act", act({"type": "roll", "hold": [0]})),
    ("unknown_cell", 0, "act", act({"type": "fill", "column": "hand", "row": "ones"})),
    ("not_announceable", 0, "act", act({"type": "announce", "column": "down", "row": "ones"})),
]


@pytest.mark.parametrize("case", PLAYING, ids=_name)
async def test_what_a_game_refuses(rooms: Rooms, case: Case[int]) -> None:
    code, seat, kind, fields = case
    async with table_of(rooms) as players:
        await check_refused(players[seat], code, await players[seat].command(kind, **fields))


async def test_a_die_that_does_not_exist_is_refused_by_the_rules(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, _):
        await lija.act("roll", hold=[])
        for hold in ([5], [-1], [0, 0]):
            await check_refused(lija, "unknown_die", await lija.act("roll", hold=hold))


async def test_a_fourth_roll_is_refused(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, _):
        for _ in range(3):
            last = await lija.act("roll", hold=[])
            await lija.see(last["version"])
        await check_refused(lija, "no_rolls_left", await lija.act("roll", hold=[]))


async def test_announcing_outside_the_window_is_refused(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, _):
        for _ in range(2):
            await lija.see((await lija.act("roll", hold=[]))["version"])
        answer = await lija.act("announce", column="announced", row="sixes")
        await check_refused(lija, "window_closed", answer)


async def test_a_cell_that_is_not_next_is_refused_with_what_is(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, _):
        await lija.see((await lija.act("roll", hold=[]))["version"])
        answer = await lija.act("fill", column="down", row="threes")
        await check_refused(lija, "out_of_order", answer)
        assert answer["detail"] == {"column": "down", "rows": ["ones"]}


async def test_nothing_can_be_done_after_the_end(rooms: Rooms) -> None:
    async with table_of(rooms) as players:
        await play_to_the_end(players)
        await check_refused(players[0], "game_over", await players[0].command("act", **act()))
        await check_refused(players[0], "already_started", await players[0].command("start"))


async def test_a_bot_can_not_be_sent_away_during_the_game_and_has_no_dice_of_its_own(rooms: Rooms) -> None:
    async with at_table(rooms, "Lija", await rooms.make()) as lija:
        await lija.must("join", text="x")
        await lija.must("add_bot")
        settings = {"variant": "papir", "max_seats": 2, "own_dice": True}
        await check_refused(lija, "bot_seat", await lija.command("settings", **settings))
        await lija.must("ready", ready=True)
        await lija.must("start")
        await check_refused(lija, "bot_seat", await lija.command("kick", seat=1))


async def test_who_has_left_or_was_sent_away_is_refused(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, medo):
        await medo.must("leave")
        await check_refused(medo, "seat_left", await medo.command("act", **act(seat=1)))
        kicked = await lija.must("kick", seat=1)
        await medo.see(kicked["version"])
        await check_refused(medo, "barred", await medo.command("return"))


async def test_the_next_game_is_refused_without_new_texts(rooms: Rooms) -> None:
    async with table_of(rooms, NAMES[:1]) as (lija,):
        await play_to_the_end([lija])
        await lija.must("rematch", game=lija.state["dice_proof"]["game"])
        await check_refused(lija, "needs_text", await lija.command("ready", ready=True))


class FailingStore(AroundStore):
    """A store that can be made to answer each commit with an error."""

    error: Exception | None = None

    async def commit(self, commit: Commit) -> Committed:
        if self.error is not None:
            raise self.error
        return await super().commit(commit)


@asynccontextmanager
async def failing(folder: Path) -> AsyncIterator[tuple[FailingStore, Player]]:
    """A player at a table over such a store."""
    store = FailingStore(folder / "rooms.db")
    async with serving_from(store) as rooms, at_table(rooms, "Lija", await rooms.make()) as lija:
        yield store, lija


async def test_a_room_that_others_keep_changing_is_a_conflict(tmp_path: Path) -> None:
    async with failing(tmp_path) as (store, lija):
        store.error = Conflict(await store.load(lija.state["room"]["code"]))
        await check_refused(lija, "conflict", await lija.command("join", text="x"))


async def test_while_the_store_does_not_answer_a_command_may_be_sent_again(tmp_path: Path) -> None:
    async with failing(tmp_path) as (store, lija):
        store.error = StoreUnavailable("down")
        await check_refused(lija, "unavailable", await lija.command("join", text="x", request="same"))
        store.error = None
        assert (await lija.command("join", text="x", request="same"))["type"] == "ok"


async def check_refused(player: Player, code: str, answer: Message) -> None:
    """The answer refuses with that code, nothing has changed, and the socket is still open."""
    assert (answer["type"], answer["code"]) == ("refused", code)
    assert answer["sentence"]
    assert answer["retry"] is (code in {retriable.value for retriable in RETRIABLE})
    await player.send({"type": "ping", "version": player.version})
    assert await player.receive_until(type="pong") == {"type": "pong", "version": player.version}


def test_every_refusal_of_the_room_is_reached_by_a_test() -> None:
    reached = {case[0] for case in [*LOBBY, *PLAYING]}
    reached |= {
        "room_full",
        "bot_seat",
        "seat_left",
        "barred",
        "needs_text",
        "chat_off",
        "too_many",
        "too_few_seats",
        "own_dice",
        "conflict",
        "unavailable",
        "malformed",
    }  # by tests of their own
    assert set(RefusalCode) <= reached
