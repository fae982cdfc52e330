"""A table over real sockets: what everybody sees, and how one comes back to it."""

import json
from pathlib import Path

import pytest

from app.rooms.limits import Limits
from app.rules.record import verify
from tests.rooms.play import play_to_the_end, table_of
from tests.rooms.player import Message, at_table, connected
from tests.rooms.serving import Rooms, serving
from tests.rooms.tables import NAMES, player_of

UNBOUNDED = Limits(
    messages_per_second=1e6, messages_burst=1e6, player_messages_per_second=1e6, player_messages_burst=1e6
)


async def test_a_whole_game_is_seen_alike_by_all_recorded_and_keeps_its_secret(rooms: Rooms) -> None:
    async with table_of(rooms, NAMES[:3]) as players:
        code = players[0].state["room"]["code"]
        async with at_table(rooms, "Viewer", code) as viewer:
            await play_to_the_end(players)
            await viewer.see(players[0].version)
            everybody = [*players, viewer]
    for player in everybody:
        assert player.state == players[0].state
        assert player.versions == sorted(set(player.versions))
        check_secret_is_kept(player.frames)
    await rooms.archiver.record_all()
    record = rooms.recorded[players[0].state["result"]["game"]]
    assert verify(record).sheets
    assert [seat.text for seat in record.seats] == [f"text of {name}" for name in NAMES[:3]]


def check_secret_is_kept(frames: list[str]) -> None:
    """The secret is in the frame that ends the game, and in none before."""
    last = next(at for at, frame in enumerate(frames) if '"type":"finished"' in frame)
    secret = json.loads(frames[last])["dice_proof"]["secret"]
    assert len(secret) == 64
    assert not any(secret in frame for frame in frames[:last])


async def test_an_update_is_the_same_text_for_everybody(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, medo):
        answer = await lija.act("roll", hold=[])
        await lija.see(answer["version"])
        await medo.see(answer["version"])
        update = next(frame for frame in lija.frames if f'"version":{answer["version"]},"at"' in frame)
        assert update in medo.frames


async def test_a_table_of_chosen_columns_is_played_recorded_and_verified(rooms: Rooms) -> None:
    code = await rooms.make()
    async with at_table(rooms, "Lija", code) as lija, at_table(rooms, "Medo", code) as medo:
        await lija.must("join", text="x")
        await medo.must("join", text="y")
        columns = ["announced", "notification", "hand"]
        await lija.must("settings", variant="papir", max_seats=2, columns=columns)
        await lija.must("ready", ready=True)
        await medo.must("ready", ready=True)
        await lija.must("start")
        variant = lija.state["variant"]
        assert [column["column"] for column in variant["columns"]] == ["announced", "hand", "notification"]
        assert (variant["base"], variant["turns"]) == ("papir", 39)
        await medo.see(lija.version)
        await play_to_the_end([lija, medo])
        await rooms.archiver.record_all()
        record = rooms.recorded[lija.state["result"]["game"]]
    assert record.variant.id == variant["id"]
    assert verify(record).sheets


async def test_a_second_tab_has_the_same_seat_and_may_act(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, _):
        async with at_table(rooms, "Lija", lija.state["room"]["code"]) as tab:
            assert tab.state == lija.state
            answer = await tab.act("roll", hold=[])
            await lija.see(answer["version"])
        assert lija.turn["roll"] == 1
        assert (await lija.act("roll", hold=[0]))["type"] == "ok"


async def test_a_viewer_sees_the_table_and_may_not_act(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, _), at_table(rooms, "Zec", lija.state["room"]["code"]) as viewer:
        assert viewer.state == lija.state
        assert (await viewer.act("roll", hold=[]))["code"] == "not_seated"


async def test_the_code_of_a_room_may_be_typed_in_small_letters(rooms: Rooms) -> None:
    code = await rooms.make()
    async with at_table(rooms, "Lija", code.lower()) as lija:
        assert lija.state["room"]["code"] == code


async def test_who_comes_back_gets_the_updates_that_he_missed(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, medo):
        code, seen = lija.state["room"]["code"], medo.version
        await medo.socket.close()
        for _ in range(3):
            await lija.see((await lija.act("roll", hold=[]))["version"])
        async with connected(rooms, "Medo", code) as again:
            again.version, again.state = seen, medo.state
            await again.hello(epoch=medo.epoch, version=seen)
            pong = await again.receive_until(type="pong")
            assert pong["version"] == lija.version
            assert again.state == lija.state
            assert again.versions == [seen + 1, seen + 2, seen + 3]


async def test_who_missed_nothing_is_told_so(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, medo), connected(rooms, "Medo", lija.state["room"]["code"]) as again:
        await again.hello(epoch=medo.epoch, version=medo.version)
        assert await again.receive() == {"type": "pong", "version": medo.version}


@pytest.mark.parametrize("seen", [{"epoch": "other", "version": 3}, {"version": 3}, {"epoch": "other"}])
async def test_who_saw_another_epoch_or_says_too_little_gets_a_snapshot(rooms: Rooms, seen: Message) -> None:
    async with table_of(rooms) as (lija, _), connected(rooms, "Lija", lija.state["room"]["code"]) as again:
        await again.hello(**seen)
        assert (await again.receive())["state"] == lija.state


async def test_who_says_to_have_seen_what_is_yet_to_come_gets_a_snapshot(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, _), connected(rooms, "Lija", lija.state["room"]["code"]) as again:
        await again.hello(epoch=lija.epoch, version=lija.version + 1)
        assert (await again.receive())["type"] == "welcome"


async def test_who_missed_more_than_is_kept_gets_a_snapshot(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=UNBOUNDED) as rooms, table_of(rooms) as players:
        lija, medo = players
        seen = lija.version
        await play_to_the_end(players)
        async with connected(rooms, "Medo", medo.state["room"]["code"]) as again:
            await again.hello(epoch=medo.epoch, version=seen)
            assert (await again.receive())["state"] == medo.state


async def test_a_restart_brings_the_table_back_as_last_acknowledged(tmp_path: Path) -> None:
    async with serving(tmp_path) as rooms, table_of(rooms) as (lija, _):
        await lija.act("roll", hold=[])
        before, code = dict(lija.state), lija.state["room"]["code"]
        version, epoch = lija.version, lija.epoch
    async with serving(tmp_path) as rooms, at_table(rooms, "Lija", code) as lija:
        assert (lija.version, lija.epoch) == (version, epoch)
        assert lija.state == before
        assert (await lija.act("roll", hold=[0, 1]))["type"] == "ok"


async def test_a_ping_is_answered_by_the_rooms_version(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, _):
        await lija.send({"type": "ping", "version": lija.version})
        assert await lija.receive() == {"type": "pong", "version": lija.version}


async def test_a_client_that_lost_an_update_gets_it_again_after_a_ping(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, _):
        await lija.must("act", seat=0, turn=1, roll=0, action={"type": "roll", "hold": []})
        await lija.send({"type": "ping", "version": lija.version})
        await lija.receive_until(type="pong")
        await lija.send({"type": "ping", "version": lija.version - 2})
        assert (await lija.receive())["type"] == "pong"
        again = [await lija.receive() for _ in range(2)]
        assert [message["version"] for message in again] == [lija.version - 1, lija.version]


async def test_what_is_still_under_way_is_not_sent_twice(rooms: Rooms) -> None:
    """A ping may cross updates: the client says an older version without having lost anything."""
    async with table_of(rooms) as (lija, _):
        seen = lija.version
        await lija.must("act", seat=0, turn=1, roll=0, action={"type": "roll", "hold": []})
        await lija.send({"type": "ping", "version": seen})
        await lija.send({"type": "ping", "version": lija.version})
        assert [(await lija.receive())["type"] for _ in range(2)] == ["pong", "pong"]


async def test_the_holds_of_the_seat_to_move_are_shown_to_the_others(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, medo), at_table(rooms, "Lija", lija.state["room"]["code"]) as tab:
        rolled = await lija.act("roll", hold=[])
        await medo.see(rolled["version"])
        moment = {"seat": 0, "turn": 1, "roll": 1}
        await lija.send({"type": "holding", **moment, "hold": [0, 3]})
        assert await medo.receive() == {"type": "holding", **moment, "hold": [0, 3]}
        await tab.send({"type": "ping", "version": rolled["version"]})
        await tab.receive_until(type="pong")
        assert not any('"holding"' in frame for frame in [*lija.frames, *tab.frames])


async def test_holds_that_are_not_ones_own_or_too_late_are_not_shown(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, medo):
        await lija.act("roll", hold=[])
        for seat, roll in ((1, 1), (0, 0), (7, 1)):
            await lija.send({"type": "holding", "seat": seat, "turn": 1, "roll": roll, "hold": [0]})
        await medo.send({"type": "holding", "seat": 0, "turn": 1, "roll": 1, "hold": [0]})
        for player in (lija, medo):
            await player.send({"type": "ping", "version": player.version})
            await player.receive_until(type="pong")
            assert not any('"holding"' in frame for frame in player.frames)


async def test_the_host_of_a_room_is_told_by_his_player_id(rooms: Rooms) -> None:
    async with at_table(rooms, "Lija", await rooms.make()) as lija:
        assert lija.state["room"]["host"] == lija.you["player"] == player_of("Lija")


async def test_an_entry_is_taken_back_and_everybody_sees_it(rooms: Rooms) -> None:
    async with table_of(rooms, NAMES[:1], "my-yahtzee") as (lija,):
        assert lija.state["room"]["undo"] == "entry"
        async with at_table(rooms, "Viewer", lija.state["room"]["code"]) as viewer:
            await lija.act("roll", hold=[])
            before = lija.turn
            await lija.act("fill", column="free", row="sixes")
            assert (lija.turn["undo_seat"], lija.turn["legal"]["undo"]) == (0, True)
            answer = await lija.act("undo")
            assert answer["type"] == "ok"
            await viewer.see(answer["version"])
            assert lija.turn == viewer.state["turn"] == before
            assert lija.state["sheets"][0]["cells"] == {}
            assert (await lija.act("undo"))["code"] == "nothing_to_undo"
