"""A table with dice of one's own, over sockets: seats of one device, entries, refusals, the end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from app.rooms.codec import decode_room, encode_room
from tests.rooms.player import Message, Player, at_table
from tests.rooms.serving import Rooms

STRAIGHT = {"column": "free", "row": "straight"}
SIXES = {"column": "announced", "row": "sixes"}


@asynccontextmanager
async def own_table(rooms: Rooms, variant: str = "papir") -> AsyncIterator[tuple[Player, Player]]:
    """Lija, who also holds a seat for Ana, and Medo, at a table that has started."""
    code = await rooms.make(variant, own_dice=True)
    async with at_table(rooms, "Lija", code) as lija, at_table(rooms, "Medo", code) as medo:
        await lija.must("join", text="x")
        await lija.must("join", text="y", name="Ana")
        await medo.must("join", text="z")
        await medo.must("ready", ready=True)
        await lija.must("ready", ready=True)
        await medo.see((await lija.must("start"))["version"])
        yield lija, medo


async def on_sheet(player: Player, seat: int, kind: str, **fields: object) -> Message:
    """The answer to an action on a sheet; its update seen."""
    answer = await player.command("sheet", seat=seat, action={"type": kind, **fields})
    if answer["type"] == "ok":
        await player.see(answer["version"])
    return answer


async def test_one_device_holds_several_seats_and_anybody_writes_when_he_is_ready(rooms: Rooms) -> None:
    async with own_table(rooms) as (lija, medo):
        assert [seat["name"] for seat in lija.state["seats"]] == ["Lija", "Ana", "Medo"]
        assert lija.state["turn"] is None
        assert lija.state["own"]["values"]["straight"] == [0, 46, 56, 66]
        last = [
            await on_sheet(medo, 2, "fill", **STRAIGHT, score=66),
            await on_sheet(lija, 1, "fill", **STRAIGHT, score=46),
            await on_sheet(lija, 0, "fill", column="hand", row="yamb", score=80),
        ][-1]
        await medo.see(last["version"])
        assert [sheet["cells"] for sheet in medo.state["sheets"]] == [
            {"hand": {"yamb": 80}, "maximum": {"yamb": 80}},
            {"free": {"straight": 46}, "maximum": {"straight": 46}},
            {"free": {"straight": 66}, "maximum": {"straight": 66}},
        ]


async def test_a_value_is_replaced_only_by_who_knows_what_stands_there(rooms: Rooms) -> None:
    async with own_table(rooms) as (lija, _):
        await on_sheet(lija, 0, "fill", **STRAIGHT, score=46)
        asked = await on_sheet(lija, 0, "fill", **STRAIGHT, score=56)
        assert (asked["code"], asked["detail"]["score"]) == ("cell_filled", 46)
        stale = await on_sheet(lija, 0, "fill", **STRAIGHT, score=56, replaces=66)
        assert (stale["code"], stale["detail"]["score"]) == ("cell_changed", 46)
        assert (await on_sheet(lija, 0, "fill", **STRAIGHT, score=56, replaces=46))["type"] == "ok"
        assert (await on_sheet(lija, 0, "empty", **STRAIGHT, score=56))["type"] == "ok"
        assert lija.state["sheets"][0]["cells"] == {}


async def test_a_value_the_row_can_not_have_is_refused_with_what_it_can(rooms: Rooms) -> None:
    async with own_table(rooms) as (lija, _):
        refused = await on_sheet(lija, 0, "fill", **STRAIGHT, score=50)
        assert refused["code"] == "value_not_allowed"
        assert refused["sentence"] == "straight can be 0, 46, 56 or 66"
        assert refused["detail"] == {**STRAIGHT, "values": [0, 46, 56, 66]}


@pytest.mark.parametrize("score", [True, 46.0, "46", None, 2**63, [46]])
async def test_a_value_that_is_no_number_is_malformed(rooms: Rooms, score: object) -> None:
    async with own_table(rooms) as (lija, _):
        await lija.send(
            {
                "type": "sheet",
                "request": "r",
                "seat": 0,
                "action": {"type": "fill", **STRAIGHT, "score": score},
            }
        )
        refused = await lija.receive_until(type="refused")
        assert (refused["code"], refused["detail"]) == ("malformed", {"field": "action.score"})
        assert (await on_sheet(lija, 0, "fill", **STRAIGHT, score=46))["type"] == "ok"


async def test_sheets_of_others_and_dice_of_the_server_are_refused(rooms: Rooms) -> None:
    async with own_table(rooms) as (lija, medo):
        assert (await on_sheet(medo, 1, "clear"))["code"] == "not_your_seat"
        assert (await on_sheet(medo, 7, "clear"))["code"] == "not_your_seat"
        moment = {"seat": 0, "turn": 1, "roll": 0, "action": {"type": "roll", "hold": []}}
        assert (await lija.command("act", **moment))["code"] == "own_dice"


async def test_an_announcement_reaches_the_whole_table_and_ends_with_its_entry(rooms: Rooms) -> None:
    async with own_table(rooms) as (lija, medo):
        answer = await on_sheet(lija, 1, "announce", **SIXES)
        await medo.see(answer["version"])
        assert medo.state["own"]["seats"][1]["announced"] == SIXES
        assert '"type":"announced","seat":1' in medo.frames[-1]
        assert (await on_sheet(lija, 1, "announce", **SIXES))["code"] == "already_announced"
        await on_sheet(lija, 1, "fill", **SIXES, score=18)
        assert lija.state["own"]["seats"][1]["announced"] is None
        assert (await on_sheet(lija, 1, "withdraw"))["code"] == "nothing_announced"


async def test_the_same_request_sent_twice_is_done_once(rooms: Rooms) -> None:
    async with own_table(rooms) as (lija, _):
        action = {"type": "fill", **STRAIGHT, "score": 46}
        first = await lija.command("sheet", request="once", seat=0, action=action)
        again = await lija.command("sheet", request="once", seat=0, action=action)
        assert again["version"] == first["version"]


async def test_full_sheets_end_the_game_and_it_enters_no_books(rooms: Rooms) -> None:
    async with own_table(rooms, "classic-5x4") as (lija, medo):
        for seat, player in ((0, lija), (1, lija), (2, medo)):
            await fill_all(player, seat)
        await medo.see(medo.version)
        assert medo.state["result"]["standings"][0]["place"] == 1
        assert medo.state["room"]["phase"] == "finished"
        assert await rooms.archiver.record_all()
        assert medo.state["result"]["game"] not in rooms.recorded
        assert await rooms.store.unrecorded(10) == []


YAMB = {"column": "free", "row": "yamb"}


async def test_a_value_is_corrected_after_the_end_and_places_and_wins_follow(rooms: Rooms) -> None:
    async with own_table(rooms, "classic-5x4") as (lija, medo):
        await fill_all_sheets(lija, medo)
        game = medo.state["result"]["game"]
        assert wins(medo) == {"Lija": 1, "Ana": 1, "Medo": 1}
        assert (await on_sheet(medo, 0, "fill", **YAMB, score=0, replaces=90))["code"] == "not_your_seat"
        assert (await on_sheet(lija, 0, "fill", **YAMB, score=1, replaces=90))["code"] == "value_not_allowed"
        answer = await on_sheet(lija, 0, "fill", **YAMB, score=0, replaces=90)
        await medo.see(answer["version"])
        assert medo.state["room"]["phase"] == "finished"
        assert [one["seat"] for one in medo.state["result"]["standings"]] == [1, 2, 0]
        assert (medo.state["result"]["game"], medo.state["room"]["games"]) == (game, 1)
        assert wins(medo) == {"Lija": 0, "Ana": 1, "Medo": 1}
        answer = await on_sheet(lija, 0, "fill", **YAMB, score=90, replaces=0)
        await medo.see(answer["version"])
        assert wins(medo) == {"Lija": 1, "Ana": 1, "Medo": 1}
        assert await rooms.archiver.record_all()
        assert game not in rooms.recorded


async def test_a_value_that_is_taken_out_after_the_end_opens_the_game_again(rooms: Rooms) -> None:
    async with own_table(rooms, "classic-5x4") as (lija, medo), httpx.AsyncClient() as client:
        address = f"{rooms.base_url}/api/rooms/{lija.state['room']['code']}/replay"
        await fill_all_sheets(lija, medo)
        assert await rooms.archiver.record_all()
        game = medo.state["result"]["game"]
        answer = await on_sheet(medo, 2, "empty", **YAMB, score=90)
        await lija.see(answer["version"])
        assert '"type":"reopened"' in lija.frames[-1]
        assert lija.state["room"]["phase"] == "playing"
        assert (lija.state["result"], lija.state["room"]["games"]) == (None, 0)
        assert wins(lija) == {"Lija": 0, "Ana": 0, "Medo": 0}
        assert (await lija.command("rematch", game=game))["code"] == "stale"
        assert (await client.get(address)).json()["code"] == "game_not_found"
        answer = await on_sheet(medo, 2, "fill", **YAMB, score=65)
        await lija.see(answer["version"])
        assert [one["place"] for one in lija.state["result"]["standings"]] == [1, 1, 3]
        assert (lija.state["result"]["game"], lija.state["room"]["games"]) == (game, 1)
        assert wins(lija) == {"Lija": 1, "Ana": 1, "Medo": 0}
        assert await rooms.archiver.record_all()
        assert await rooms.store.unrecorded(10) == []
        steps = (await client.get(address)).json()["steps"]
        assert [step["events"][0]["type"] for step in steps[-2:]] == ["emptied", "filled"]
        await lija.must("rematch", game=game)
        assert (await on_sheet(medo, 2, "fill", **YAMB, score=0, replaces=65))["code"] == "not_started"


async def test_who_has_left_corrects_nothing_and_keeps_no_game_from_its_end(rooms: Rooms) -> None:
    async with own_table(rooms, "classic-5x4") as (lija, medo):
        await fill_all_sheets(lija, medo)
        await on_sheet(medo, 2, "empty", **YAMB, score=90)
        answer = await medo.must("leave", seat=2)
        await lija.see(answer["version"])
        assert lija.state["room"]["phase"] == "finished"
        assert (await on_sheet(medo, 2, "fill", **YAMB, score=90))["code"] == "seat_left"


async def test_a_table_of_one_keeps_the_notification_column(rooms: Rooms) -> None:
    code = await rooms.make("papir", own_dice=True)
    async with at_table(rooms, "Lija", code) as lija:
        await lija.must("join", text="x")
        await lija.must("ready", ready=True)
        await lija.must("start")
        assert lija.state["room"]["dropped_columns"] == []
        await on_sheet(lija, 0, "fill", column="notification", row="sixes", score=30)
        assert lija.state["sheets"][0]["cells"]["notification"] == {"sixes": 30}
        # The store reads it again as it wrote it.
        stored = await rooms.store.load(code)
        assert stored.room.own_game is not None
        assert decode_room(encode_room(stored.room)) == stored.room


def wins(player: Player) -> dict[str, int]:
    """How many games each has won, by name."""
    return {one["name"]: one["wins"] for one in player.state["room"]["tally"]}


async def fill_all_sheets(lija: Player, medo: Player) -> None:
    """Three full sheets of equal points, all seen by Medo."""
    for seat, player in ((0, lija), (1, lija), (2, medo)):
        await fill_all(player, seat)
    await medo.see(medo.version)
    await lija.see(medo.version)


async def test_a_game_that_has_just_ended_is_told_again_entry_by_entry(rooms: Rooms) -> None:
    async with own_table(rooms, "classic-5x4") as (lija, medo), httpx.AsyncClient() as client:
        address = f"{rooms.base_url}/api/rooms/{lija.state['room']['code']}/replay"
        await on_sheet(lija, 1, "announce", column="announced", row="sixes")
        for seat, player in ((0, lija), (1, lija), (2, medo)):
            assert (await client.get(address)).json()["code"] == "game_not_found"
            await fill_all(player, seat)
        await medo.see(medo.version)

        replay = (await client.get(address.replace(lija.state["room"]["code"], "nowher"))).json()
        assert replay["code"] == "room_not_found"
        replay = (await client.get(address)).json()
        assert (replay["game"], replay["variant"]["id"]) == (medo.state["result"]["game"], "classic-5x4")
        assert [seat["name"] for seat in replay["seats"]] == ["Lija", "Ana", "Medo"]
        assert replay["steps"][0]["events"] == [
            {"type": "announced", "seat": 1, "column": "announced", "row": "sixes"}
        ]
        last = {step["seat"]: step["total"] for step in replay["steps"]}
        assert last == {sheet["seat"]: sheet["total"] for sheet in medo.state["sheets"]}

        await lija.must("rematch", game=replay["game"])
        assert (await client.get(address)).json()["code"] == "game_not_found"


async def fill_all(player: Player, seat: int) -> None:
    """Every cell of a sheet, each with the most that its row can have."""
    while (own := player.state["own"]) is not None and own["seats"][seat]["open"]:
        column, rows = next(iter(own["seats"][seat]["open"].items()))
        best = own["values"][rows[0]][-1]
        answer = await on_sheet(player, seat, "fill", column=column, row=rows[0], score=best)
        assert answer["type"] == "ok", answer


async def test_with_drawn_dice_nobody_holds_two_seats(rooms: Rooms) -> None:
    code = await rooms.make(own_dice=True)
    async with at_table(rooms, "Lija", code) as lija:
        await lija.must("join", text="x")
        await lija.must("join", text="y", name="Ana")
        back = await lija.command("settings", variant="papir", max_seats=4, own_dice=False)
        assert back["code"] == "already_seated"
        await lija.must("leave", seat=1)
        await lija.must("settings", variant="papir", max_seats=4, own_dice=False)
        assert lija.state["room"]["own_dice"] is False
        assert lija.state["room"]["host"] == lija.you["player"]


async def test_a_seat_lent_to_another_is_given_back_before_the_server_rolls(rooms: Rooms) -> None:
    code = await rooms.make(own_dice=True)
    async with at_table(rooms, "Lija", code) as lija:
        await lija.must("join", text="x")
        await lija.must("join", text="y", name="Ana")
        await lija.must("leave", seat=0)
        back = await lija.command("settings", variant="papir", max_seats=4, own_dice=False)
        assert back["code"] == "already_seated"
        await lija.must("join", text="z")
        await lija.must("leave", seat=0)
        await lija.must("settings", variant="papir", max_seats=4, own_dice=False)
        assert [seat["name"] for seat in lija.state["seats"]] == ["Lija"]


@pytest.mark.parametrize("name", ["", " ", "a" * 10_000, "a\u202eb", 5])
async def test_a_seat_for_another_needs_a_name(rooms: Rooms, name: object) -> None:
    code = await rooms.make(own_dice=True)
    async with at_table(rooms, "Lija", code) as lija:
        await lija.send({"type": "join", "request": "r", "text": "x", "name": name})
        frame = await lija.receive_until(type="refused") if len(str(name)) < 9000 else None
        if frame is None:
            assert await lija.closed() == 4413
        else:
            assert frame["detail"] == {"field": "name"}


async def test_tapped_dice_are_scored_by_rest(rooms: Rooms) -> None:
    code = await rooms.make("papir", own_dice=True)
    async with httpx.AsyncClient(base_url=rooms.base_url) as client:
        answer = await client.get(f"/api/rooms/{code}/values", params={"dice": "6,2,3,4,5,6"})
        assert answer.json()["rows"]["straight"] == [46, 56, 66]
        assert answer.json()["rows"]["sixes"] == [12]
        for dice in ("6,2,3,4,5", "7,1,1,1,1,1", "", "a", "1,1,1,1,1,1,1"):
            wrong = await client.get(f"/api/rooms/{code}/values", params={"dice": dice})
            assert wrong.status_code == 422
            assert wrong.json()["errors"][0]["field"] == "dice"
        assert (await client.get("/api/rooms/NOSUCH/values?dice=1,1,1,1,1")).status_code == 404
