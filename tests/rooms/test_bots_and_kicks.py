"""Bots in the lobby, who is sent away, and whose the host role is."""

import pytest

from app.rooms.commands import AddBot, ChangeSettings, Join, Kick, Leave, MarkReady, PassHost, SetChat, Start
from app.rooms.deciding import decide
from app.rooms.events import BotAdded, ChatSet, HostPassed, Joined, Kicked, Left, SettingsChanged, Started
from app.rooms.refusals import RefusalCode
from app.rooms.room import MAX_KICKED, NOBODY, Pace, Phase, Room, SeatKind
from tests.rooms.tables import (
    NAMES,
    after,
    after_server,
    by,
    by_server,
    lobby,
    player_of,
    refused,
    refused_to_server,
    seated,
    started,
    with_bot,
)

READY = MarkReady(ready=True)


def test_a_bot_takes_the_next_seat_and_is_ready() -> None:
    room, happened = decide(seated(NAMES[:1]), AddBot(), by("Lija"))
    bot = room.seats[1]
    assert (bot.player, bot.name, bot.text, bot.kind, bot.ready) == (
        "bot1",
        "Bot 1",
        "bot",
        SeatKind.BOT,
        True,
    )
    assert happened == (BotAdded(1, "Bot 1"),)


def test_a_bot_that_was_taken_off_leaves_its_number_to_the_next() -> None:
    room = after(seated(NAMES[:1]), "Lija", AddBot(), AddBot(), Kick(1), AddBot())
    assert [seat.player for seat in room.seats] == [player_of("Lija"), "bot2", "bot1"]
    assert room.kicked == ()


def test_bots_stay_ready_when_settings_change_and_the_game_starts_with_them() -> None:
    room = after(with_bot(), "Lija", ChangeSettings("papir", 3))
    assert [seat.ready for seat in room.seats] == [False, True]
    room, happened = decide(after(room, "Lija", READY), Start(), by("Lija"))
    assert (room.phase, happened) == (Phase.PLAYING, (Started(2),))


def test_bots_take_no_more_seats_than_there_are_and_are_the_hosts_to_add() -> None:
    full = after(lobby(max_seats=2), "Lija", Join("x"), AddBot())
    assert refused(full, AddBot(), "Lija").code is RefusalCode.ROOM_FULL
    assert refused(seated(), AddBot(), "Medo").code is RefusalCode.NOT_HOST


def test_bots_alone_do_not_play() -> None:
    assert refused(after(lobby(), "Lija", AddBot(), AddBot()), Start(), "Lija").code is RefusalCode.NOT_READY


def test_bots_and_own_dice_are_not_at_one_table() -> None:
    own = after(lobby(), "Lija", ChangeSettings("papir", 4, own_dice=True))
    assert refused(own, AddBot(), "Lija").code is RefusalCode.OWN_DICE
    settings = ChangeSettings("papir", 4, own_dice=True)
    assert refused(with_bot(), settings, "Lija").code is RefusalCode.BOT_SEAT


def test_who_is_sent_away_in_the_lobby_has_no_seat_and_gets_none() -> None:
    room, happened = decide(seated(NAMES[:3]), Kick(1), by("Lija"))
    assert [seat.name for seat in room.seats] == ["Lija", "Zec"]
    assert happened == (Kicked(1, player_of("Medo"), "Medo"),)
    assert refused(room, Join("again"), "Medo").code is RefusalCode.BARRED


def test_at_an_own_dice_table_all_seats_of_who_is_sent_away_are_free() -> None:
    room = after(lobby(), "Lija", ChangeSettings("papir", 8, own_dice=True), Join("x"))
    room = after(after(room, "Medo", Join("y"), Join("z", "Ana")), "Zec", Join("w"))
    room, happened = decide(room, Kick(1), by("Lija"))
    assert [seat.name for seat in room.seats] == ["Lija", "Zec"]
    medo = player_of("Medo")
    assert happened == (Kicked(2, medo, "Ana"), Kicked(1, medo, "Medo"))


@pytest.mark.parametrize("room", [seated(), started()], ids=["lobby", "game"])
def test_only_the_host_sends_away_and_not_himself_nor_nobody(room: Room) -> None:
    assert refused(room, Kick(0), "Medo").code is RefusalCode.NOT_HOST
    assert refused(room, Kick(0), "Lija").code is RefusalCode.OWN_SEAT
    assert refused(room, Kick(2), "Lija").code is RefusalCode.NOT_SEATED


def test_no_more_are_remembered_as_sent_away_than_a_room_can_hold() -> None:
    room = seated(NAMES[:1])
    for number in range(MAX_KICKED + 3):
        room = after(after(room, f"guest {number}", Join("x")), "Lija", Kick(1))
    assert len(room.kicked) == MAX_KICKED
    assert refused(room, Join("x"), f"guest {MAX_KICKED + 2}").code is RefusalCode.BARRED


def test_a_leaving_host_passes_his_role_to_the_next_person_and_never_to_a_bot() -> None:
    room = after(after(lobby(), "Lija", Join("x"), AddBot()), "Medo", Join("y"))
    room, happened = decide(room, Leave(), by("Lija"))
    medo = player_of("Medo")
    assert room.host == medo
    assert happened == (Left(0, player_of("Lija"), "Lija"), HostPassed(medo, "Medo"))
    assert after(room, "Medo", Leave()).host == NOBODY


def test_whoever_joins_the_bots_that_all_have_left_is_the_host() -> None:
    room = after(with_bot(), "Lija", Leave())
    room, happened = decide(room, Join("x"), by("Zec"))
    assert (room.host, happened) == (player_of("Zec"), (Joined(1, player_of("Zec"), "Zec"),))


def test_the_server_passes_the_host_role_to_who_is_there() -> None:
    medo = player_of("Medo")
    room, happened = decide(started(), PassHost(medo, gone=player_of("Lija")), by_server())
    assert (room.host, happened) == (medo, (HostPassed(medo, "Medo"),))


def test_in_a_lobby_the_host_can_be_somebody_who_has_no_seat_yet() -> None:
    zec = player_of("Zec")
    room, happened = decide(seated(), PassHost(zec, "Zec"), by_server())
    assert (room.host, happened) == (zec, (HostPassed(zec, "Zec"),))
    assert refused_to_server(started(), PassHost(zec, "Zec")).code is RefusalCode.NOT_SEATED


def test_the_host_role_passes_to_nobody_who_left_or_was_sent_away() -> None:
    medo = player_of("Medo")
    assert refused_to_server(after(started(), "Medo", Leave()), PassHost(medo)).code is RefusalCode.NOT_SEATED
    sent = after(seated(), "Lija", Kick(1))
    assert refused_to_server(sent, PassHost(medo)).code is RefusalCode.NOT_SEATED


def test_the_host_role_is_not_taken_from_a_host_who_is_not_the_one_that_was_gone() -> None:
    room = after_server(started(NAMES[:3]), PassHost(player_of("Medo"), gone=player_of("Lija")))
    late = PassHost(player_of("Zec"), gone=player_of("Lija"))
    assert refused_to_server(room, late).code is RefusalCode.STALE
    assert refused_to_server(room, PassHost(player_of("Medo"))).code is RefusalCode.STALE


@pytest.mark.parametrize("room", [seated(), started()], ids=["lobby", "game"])
def test_the_host_switches_the_chat_at_any_time(room: Room) -> None:
    off, happened = decide(room, SetChat(on=False), by("Lija"))
    assert (off.chat, happened) == (False, (ChatSet(on=False),))
    assert after(off, "Lija", SetChat(on=True)).chat
    assert refused(room, SetChat(on=False), "Medo").code is RefusalCode.NOT_HOST


def test_settings_without_pace_and_chat_leave_them() -> None:
    room = after(seated(), "Lija", ChangeSettings("papir", 4, pace=Pace.BRISK, chat=False))
    assert (room.pace, room.chat) == (Pace.BRISK, False)
    room, happened = decide(room, ChangeSettings("croatian", 4), by("Lija"))
    assert (room.pace, room.chat) == (Pace.BRISK, False)
    assert happened == (SettingsChanged("croatian", 4),)


def test_a_ready_mark_may_bring_another_text() -> None:
    room = after(seated(), "Medo", MarkReady(ready=True, text="another"))
    assert [seat.text for seat in room.seats] == ["text of Lija", "another"]
    assert after(room, "Medo", READY).seats == room.seats
