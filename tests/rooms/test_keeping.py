"""A game that its player keeps on his own device: what he can say of it, and when."""

import json
import random

import pytest

from app.rooms.archiver import make_record
from app.rooms.commands import ChangeSettings, Join, Keep, Leave, MarkReady, Rematch, Return, Start
from app.rooms.deciding import decide
from app.rooms.event_views import event as shown
from app.rooms.events import Kept, TableEvent
from app.rooms.refusals import RefusalCode
from app.rooms.room import Room
from app.rooms.views import changed_parts
from app.rules.actions import Reason
from app.rules.record import Record, verify
from app.scores.recording import finished_game
from tests.rooms.tables import GAME_ID, NAMES, after, by, lobby, played_out, refused, seated, started, steps

KEEP, LIST = Keep(on=True), Keep(on=False)


def kept(room: Room) -> list[bool]:
    """Which seats keep the game."""
    return [seat.kept for seat in room.seats]


def recorded(room: Room) -> Record:
    """The record of the game once it has been played."""
    log: list[bytes] = []
    for _, after_step, happened in steps(room, random.Random(1)):
        room = after_step
        log += [json.dumps(shown(event)).encode() for event in happened if not isinstance(event, TableEvent)]
    return make_record(room, log)


@pytest.mark.parametrize("room", [seated(NAMES[:3]), started(NAMES[:3])], ids=["lobby", "game"])
def test_a_player_keeps_the_game_on_his_own_seat_and_takes_it_back(room: Room) -> None:
    keeping, happened = decide(room, KEEP, by("Medo"))
    assert (kept(keeping), happened) == ([False, True, False], (Kept(1, kept=True),))
    assert list(changed_parts(room, keeping)) == ["seats"]
    listed, happened = decide(keeping, LIST, by("Medo"))
    assert (listed, happened) == (room, (Kept(1, kept=False),))


@pytest.mark.parametrize("word", [KEEP, LIST])
def test_the_same_word_again_changes_nothing(word: Keep) -> None:
    room = after(started(), "Medo", word)
    assert decide(room, word, by("Medo")) == (room, ())


def test_it_is_said_in_the_lobby_and_stands_in_the_game_whatever_the_settings_become() -> None:
    room = after(after(seated(), "Medo", KEEP), "Lija", ChangeSettings("papir", 4))
    for name in NAMES[:2]:
        room = after(room, name, MarkReady(ready=True))
    assert kept(after(room, "Lija", Start())) == [False, True]


def test_who_looks_on_or_has_left_his_seat_says_nothing_of_it() -> None:
    assert refused(started(), KEEP, "Zec").code is RefusalCode.NOT_SEATED
    left = after(started(), "Medo", KEEP, Leave())
    assert refused(left, LIST, "Medo").code is RefusalCode.SEAT_LEFT
    assert kept(after(left, "Medo", Return())) == [False, True]


def test_nothing_is_said_of_it_after_the_end_and_the_next_game_begins_without_it() -> None:
    over = played_out(after(started(), "Medo", KEEP))
    assert kept(over) == [False, True]
    assert refused(over, LIST, "Medo").code is Reason.GAME_OVER
    assert kept(after(over, "Lija", Rematch(GAME_ID, "g2", b"2" * 32))) == [False, False]


def test_games_with_own_dice_are_on_no_board_anyway() -> None:
    own = ChangeSettings("papir", 4, own_dice=True)
    room = after(lobby(), "Lija", Join("x"), KEEP, own)
    assert kept(room) == [False]
    assert refused(room, KEEP, "Lija").code is RefusalCode.OWN_DICE
    playing = after(room, "Lija", MarkReady(ready=True), Start())
    assert refused(playing, KEEP, "Lija").code is RefusalCode.OWN_DICE


def test_the_record_says_so_and_has_no_result_of_that_seat() -> None:
    room = after(started(), "Medo", KEEP)
    record = recorded(room)
    verify(record)
    assert [seat.kept for seat in record.seats] == [False, True]
    assert [result.seat for result in finished_game(record).results] == [0]
