"""What closes a socket and with which code, and what leaves it open."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed

from app.rooms.limits import Limits
from app.rooms.store import Commit, Committed
from app.rooms.wire import notice, relayed
from tests.around_store import AroundStore
from tests.rooms.play import table_of
from tests.rooms.player import Player, at_table, connected
from tests.rooms.serving import Rooms, serving, serving_from
from tests.rooms.tables import identity

MEBIBYTE = 2**20
SMALL_BUFFER = 4096


@asynccontextmanager
async def lija_at_new_table(rooms: Rooms) -> AsyncIterator[Player]:
    """A player welcomed at a new table."""
    async with at_table(rooms, "Lija", await rooms.make()) as lija:
        yield lija


async def test_who_is_not_signed_in_is_closed_with_4401(rooms: Rooms) -> None:
    async with connected(rooms, None, await rooms.make()) as nobody:
        assert await nobody.closed() == 4401


async def test_a_page_of_another_origin_is_closed_with_4403(rooms: Rooms) -> None:
    async with connected(rooms, "Lija", await rooms.make(), origin="https://evil.example") as lija:
        assert await lija.closed() == 4403


async def test_a_page_of_this_server_or_of_the_allow_list_is_let_in(tmp_path: Path) -> None:
    async with serving(tmp_path, allowed_origins=["https://friend.example"]) as rooms:
        code = await rooms.make()
        for origin in (rooms.base_url, "https://friend.example"):
            async with connected(rooms, "Lija", code, origin=origin) as lija:
                await lija.hello()


@pytest.mark.parametrize("code", ["NOWHER", "x" * 500, "%00", "%F0%9F%8E%B2"])
async def test_a_room_that_is_not_there_is_closed_with_4404(rooms: Rooms, code: str) -> None:
    async with connected(rooms, "Lija", code) as lija:
        assert await lija.closed() == 4404


async def test_who_says_no_hello_is_closed_with_4408(tmp_path: Path) -> None:
    limits = Limits(hello_seconds=0.05)
    async with (
        serving(tmp_path, limits=limits) as rooms,
        connected(rooms, "Lija", await rooms.make()) as lija,
    ):
        assert await lija.closed() == 4408


async def test_a_command_before_the_hello_is_malformed(rooms: Rooms) -> None:
    async with connected(rooms, "Lija", await rooms.make()) as lija:
        await lija.send({"type": "join", "request": "a", "text": "x"})
        assert (await lija.receive())["detail"] == {"field": "type"}
        await lija.hello()
        assert lija.state["seats"] == []


async def test_a_malformed_message_before_the_hello_is_complained_about_once(rooms: Rooms) -> None:
    async with connected(rooms, "Lija", await rooms.make()) as lija:
        for _ in range(2):
            await lija.send("nonsense")
        await lija.hello()
        assert [json.loads(frame)["type"] for frame in lija.frames] == ["refused", "refused", "welcome"]


@pytest.mark.parametrize("protocol", [1, 3, "2", None])
async def test_a_page_of_another_protocol_is_told_so_and_closed_at_once(
    rooms: Rooms, protocol: object
) -> None:
    async with connected(rooms, "Lija", await rooms.make()) as lija:
        await lija.send({"type": "hello", "protocol": protocol, "unheard_of": []})
        assert await lija.closed() == 4400
        [answer] = [json.loads(frame) for frame in lija.frames]
        assert (answer["code"], answer["detail"]) == ("malformed", {"field": "protocol"})


async def test_a_field_named_protocol_elsewhere_does_not_end_the_socket(rooms: Rooms) -> None:
    async with lija_at_new_table(rooms) as lija:
        await lija.send({"type": "start", "request": "a", "protocol": 1})
        assert (await lija.receive())["detail"] == {"field": "protocol"}
        assert (await lija.command("join", text="x"))["type"] == "ok"


BAD = [
    "nonsense",
    "null",
    "[]",
    "7",
    '"join"',
    "{}",
    json.dumps({"type": "dance"}),
    json.dumps({"type": "join", "request": "a", "text": "x", "colour": "red"}),
    json.dumps({"type": "join", "request": "a", "text": None}),
    json.dumps({"type": "start", "request": 7}),
    json.dumps({"type": "hello", "protocol": 2}),
    "[" * 4000,
    '{"type": "ping", "version": NaN}',
    b"\x00\x01",
    json.dumps({"type": "start", "request": "a"}).encode(),
]


@pytest.mark.parametrize("frame", BAD, ids=[str(at) for at, _ in enumerate(BAD)])
async def test_what_is_no_message_is_refused_as_malformed_and_the_socket_stays_open(
    rooms: Rooms, frame: str | bytes
) -> None:
    async with lija_at_new_table(rooms) as lija:
        await lija.send(frame)
        answer = await lija.receive()
        assert (answer["type"], answer["code"], answer["request"]) == ("refused", "malformed", None)
        assert answer["sentence"]
        assert "field" in answer["detail"]
        assert (await lija.command("join", text="x"))["type"] == "ok"


async def test_the_third_malformed_message_closes_with_4400(rooms: Rooms) -> None:
    async with lija_at_new_table(rooms) as lija:
        for frame in ("null", b"\x00", "[]", "7"):
            await lija.send(frame)
        assert await lija.closed() == 4400
        assert [json.loads(frame)["type"] for frame in lija.frames[1:]] == ["refused"] * 3


async def test_a_message_over_eight_kibibytes_closes_with_4413(rooms: Rooms) -> None:
    async with lija_at_new_table(rooms) as lija:
        await lija.send(json.dumps({"type": "join", "request": "a", "text": "x" * 9000}))
        assert await lija.closed() == 4413


async def test_bytes_count_not_characters(rooms: Rooms) -> None:
    async with lija_at_new_table(rooms) as lija:
        await lija.send(json.dumps({"type": "join", "request": "a", "text": "ж" * 5000}, ensure_ascii=False))
        assert await lija.closed() == 4413


@pytest.mark.parametrize("frame", ["x" * MEBIBYTE, b"x" * MEBIBYTE], ids=["text", "binary"])
async def test_a_frame_of_a_mebibyte_closes_its_own_socket_and_nothing_else(
    rooms: Rooms, frame: str | bytes
) -> None:
    async with lija_at_new_table(rooms) as lija:
        code = lija.state["room"]["code"]
        async with at_table(rooms, "Medo", code) as medo, connected(rooms, "Zec", code) as zec:
            await zec.hello()
            with pytest.raises(ConnectionClosed):
                await asyncio.gather(zec.send(frame), zec.receive())
            assert zec.socket.close_code == 1009
            assert (await medo.command("join", text="y"))["type"] == "ok"
            assert (await lija.receive())["type"] == "update"


async def test_a_command_too_many_is_refused_and_may_be_sent_again(tmp_path: Path) -> None:
    limits = Limits(messages_per_second=20, messages_burst=2)
    async with serving(tmp_path, limits=limits) as rooms, lija_at_new_table(rooms) as lija:
        await lija.must("join", text="x")
        for number in range(50):
            await lija.send({"type": "ready", "request": f"r{number}", "ready": True})
        refused = await lija.receive_until(type="refused")
        assert (refused["code"], refused["retry"]) == ("too_many", True)
        again = refused
        while again["type"] == "refused":
            await asyncio.sleep(1 / limits.messages_per_second)
            again = await lija.command("ready", request=refused["request"], ready=True)
        assert again["request"] == refused["request"]


async def test_whoever_goes_on_to_send_too_many_messages_is_closed_with_4429(tmp_path: Path) -> None:
    limits = Limits(messages_per_second=0.001, messages_burst=5, breaches_per_second=0.001, breaches_burst=3)
    async with serving(tmp_path, limits=limits) as rooms, lija_at_new_table(rooms) as lija:
        for _ in range(4 + 3 + 1):
            await lija.send({"type": "ping", "version": 0})
        assert await lija.closed() == 4429
        assert sum('"pong"' in frame for frame in lija.frames) == 4


async def test_tabs_of_one_player_share_what_he_may_ask_for(tmp_path: Path) -> None:
    limits = Limits(player_messages_per_second=0.001, player_messages_burst=6)
    async with serving(tmp_path, limits=limits) as rooms:
        code = await rooms.make()
        async with at_table(rooms, "Lija", code) as one, at_table(rooms, "Lija", code) as two:
            for tab in (one, two):
                for _ in range(2):
                    assert (await tab.command("start"))["code"] != "too_many"
            assert (await two.command("start"))["code"] == "too_many"
            async with at_table(rooms, "Medo", code) as medo:
                assert (await medo.command("start"))["code"] != "too_many"
        async with connected(rooms, "Lija", code) as again:
            await again.send({"type": "hello", "protocol": 2})
            assert await again.closed() == 4429


async def test_too_many_holds_are_left_out(tmp_path: Path) -> None:
    limits = Limits(holdings_per_second=0.001, holdings_burst=2)
    async with serving(tmp_path, limits=limits) as rooms, table_of(rooms) as (lija, medo):
        await medo.see((await lija.act("roll", hold=[]))["version"])
        for hold in ([0], [1], [2]):
            await lija.send({"type": "holding", "seat": 0, "turn": 1, "roll": 1, "hold": hold})
        await lija.act("roll", hold=[2])
        await medo.receive_until(type="update")
        assert sum('"holding"' in frame for frame in medo.frames) == 2


async def test_a_client_that_does_not_read_is_closed_with_4430_and_hurts_nobody(tmp_path: Path) -> None:
    limits = Limits(stuck_seconds=0.2, messages_burst=1e6, player_messages_burst=1e6)
    async with (
        serving(tmp_path, limits=limits, send_buffer=SMALL_BUFFER) as rooms,
        lija_at_new_table(rooms) as lija,
        connected(rooms, "Zec", lija.state["room"]["code"], receive_buffer=SMALL_BUFFER) as deaf,
    ):
        await deaf.hello()
        deaf.socket.transport.pause_reading()
        async with asyncio.TaskGroup() as tasks:
            asking = tasks.create_task(ask_much(deaf))
            await lija.must("join", text="x")
            stuck_at = asyncio.get_running_loop().time() + 10 * limits.stuck_seconds
            while asyncio.get_running_loop().time() < stuck_at:
                await lija.must("ready", ready=True)
            asking.cancel()
        deaf.socket.transport.resume_reading()
        assert await deaf.closed() == 4430


async def ask_much(player: Player) -> None:
    """Sends commands that are refused, and so answered: as many as a socket may send at once."""
    for _ in range(900):
        await player.send({"type": "leave", "request": "a" * 64})


async def test_a_store_that_does_not_answer_closes_with_1013(own_rooms: Rooms) -> None:
    code = await own_rooms.make()
    await own_rooms.store.close()
    async with connected(own_rooms, "Lija", code) as lija:
        assert await lija.closed() == 1013


async def test_before_a_restart_players_are_told_and_closed_with_1012(own_rooms: Rooms) -> None:
    async with lija_at_new_table(own_rooms) as lija, lija_at_new_table(own_rooms) as other:
        async with asyncio.TaskGroup() as tasks:
            draining = tasks.create_task(own_rooms.hub.drain(5))
            codes = [await player.closed() for player in (lija, other)]
        assert draining.done()
        assert codes == [1012, 1012]
        assert json.loads(lija.frames[-1]) == {"type": "notice", "code": "restarting"}


class SlowStore(AroundStore):
    """A store that commits when the test lets it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.is_asked = asyncio.Event()
        self.may_commit = asyncio.Event()

    async def commit(self, commit: Commit) -> Committed:
        self.is_asked.set()
        await self.may_commit.wait()
        return await super().commit(commit)


async def test_a_command_under_way_is_finished_and_answered_before_a_restart(tmp_path: Path) -> None:
    store = SlowStore(tmp_path / "rooms.db")
    async with serving_from(store) as rooms, lija_at_new_table(rooms) as lija:
        await lija.send({"type": "join", "request": "a", "text": "x"})
        await lija.send({"type": "leave", "request": "b"})
        await store.is_asked.wait()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(rooms.hub.drain(0.05))
            await lija.receive_until(type="notice")
            store.may_commit.set()
            assert await lija.closed() == 1012
        answers = [json.loads(frame) for frame in lija.frames if '"request"' in frame]
        assert answers == [{"type": "ok", "request": "a", "version": 1}]
        assert len((await store.load(lija.code)).room.seats) == 1


async def test_a_command_is_finished_though_its_socket_dies_meanwhile(tmp_path: Path) -> None:
    store = SlowStore(tmp_path / "rooms.db")
    async with serving_from(store) as rooms:
        async with lija_at_new_table(rooms) as lija, at_table(rooms, "Medo", lija.code) as medo:
            await lija.send({"type": "join", "request": "a", "text": "x"})
            await store.is_asked.wait()
            lija.socket.transport.abort()
            await (await medo.socket.ping())
            # Told of something, so that the server finds nobody there while it waits for the store.
            await store.relay(lija.code, relayed("", notice("test")))
            await medo.receive_until(type="notice")
            store.may_commit.set()
            await medo.receive_until(type="update")
        assert [seat.player for seat in (await store.load(lija.code)).room.seats] == [identity("Lija").player]


async def test_on_a_server_that_is_not_ours_all_is_sent_by_a_task(tmp_path: Path) -> None:
    async with serving(tmp_path, protocol=WebSocketsSansIOProtocol) as rooms, table_of(rooms) as (lija, medo):
        await medo.see((await lija.act("roll", hold=[]))["version"])
        await medo.send(b"\x00")
        assert (await medo.receive())["code"] == "malformed"
        await rooms.hub.drain(0)
        assert [await lija.closed(), await medo.closed()] == [1012, 1012]


async def test_who_comes_during_a_restart_is_sent_away(own_rooms: Rooms) -> None:
    code = await own_rooms.make()
    await own_rooms.hub.drain(0)
    async with connected(own_rooms, "Lija", code) as lija:
        assert await lija.closed() == 1012


async def test_a_socket_that_breaks_off_is_forgotten(own_rooms: Rooms) -> None:
    async with lija_at_new_table(own_rooms) as lija:
        lija.socket.transport.abort()
        async with lija_at_new_table(own_rooms) as other:
            await other.must("join", text="x")
    await own_rooms.hub.drain(5)
    assert own_rooms.hub.watched == 0
