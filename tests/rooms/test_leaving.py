"""Leaving a game for good, coming back, bots in a player's place, and how seats are told to have ended."""

import random

import pytest

from app.rooms.archiver import make_record
from app.rooms.commands import (
    Act,
    ActOnSheet,
    BotAct,
    ChangeSettings,
    Join,
    Kick,
    Leave,
    MarkReady,
    Return,
    Start,
)
from app.rooms.deciding import decide
from app.rooms.ending import LISTED_BOT_TURNS, how_ended
from app.rooms.events import Finished, HostPassed, Kicked, SeatLeft, SeatReturned
from app.rooms.refusals import RefusalCode
from app.rooms.room import Phase, Room, Seat, SeatKind
from app.rooms.schedule import is_bot_to_move
from app.rules.actions import Announce, Roll, Undo
from app.rules.legality import announceable_cells, legal_actions
from app.rules.own_dice import game as own_dice
from app.rules.own_dice.actions import FillByHand
from app.rules.own_dice.values import values_by_row
from app.rules.state import Undoing
from tests.rooms.tables import (
    NAMES,
    NOW,
    act,
    after,
    after_server,
    bot_turn_played,
    by,
    by_server,
    game_of,
    lobby,
    meant_now,
    played_out,
    player_of,
    refused,
    refused_to_server,
    started,
    turn_played,
    with_bot,
)


def test_who_leaves_a_game_keeps_his_seat_name_and_sheet_and_a_bot_plays_on() -> None:
    before = turn_played(started())
    room, happened = decide(before, Leave(), by("Medo"))
    assert happened == (SeatLeft(1),)
    assert (room.seats[1].name, room.seats[1].left, is_bot_to_move(room)) == ("Medo", True, True)
    assert room.game is before.game


def test_a_leaving_host_hands_over_to_a_player_who_is_still_there() -> None:
    room = after(started(NAMES[:3]), "Medo", Leave())
    room, happened = decide(room, Leave(), by("Lija"))
    assert happened == (SeatLeft(0), HostPassed(player_of("Zec"), "Zec"))
    last = after(room, "Zec", Leave())
    assert last.host == player_of("Zec")


def test_who_comes_back_to_a_table_whose_host_has_left_is_its_host() -> None:
    empty = after(after(started(), "Lija", Leave()), "Medo", Leave())
    room, happened = decide(empty, Return(), by("Lija"))
    assert happened == (SeatReturned(0), HostPassed(player_of("Lija"), "Lija"))
    assert room.host == player_of("Lija")


def test_who_left_acts_only_after_he_has_taken_his_seat_back() -> None:
    left = after(started(), "Lija", Leave())
    assert refused(left, meant_now(left, Roll()), "Lija").code is RefusalCode.SEAT_LEFT
    assert refused(left, Leave(), "Lija").code is RefusalCode.SEAT_LEFT
    room, happened = decide(left, Return(), by("Lija"))
    assert happened == (SeatReturned(0),)
    assert not is_bot_to_move(room)
    assert game_of(act(room, Roll())[0]).roll == 1


def test_who_never_left_has_nothing_to_take_back() -> None:
    assert refused(started(), Return(), "Lija").code is RefusalCode.STALE
    assert refused(started(), Return(), "Zec").code is RefusalCode.NOT_SEATED
    assert refused(started(), Return(1), "Lija").code is RefusalCode.NOT_YOUR_SEAT


def test_who_is_sent_away_during_a_game_can_not_come_back() -> None:
    room, happened = decide(started(), Kick(1), by("Lija"))
    assert happened == (Kicked(1, player_of("Medo"), "Medo"),)
    assert (room.seats[1].left, room.seats[1].barred) == (True, True)
    assert refused(room, Return(), "Medo").code is RefusalCode.BARRED
    assert refused(room, Kick(1), "Lija").code is RefusalCode.BARRED


def test_who_has_left_can_still_be_sent_away() -> None:
    room = after(after(started(), "Medo", Leave()), "Lija", Kick(1))
    assert refused(room, Return(), "Medo").code is RefusalCode.BARRED


def test_a_bot_is_not_sent_away_during_a_game() -> None:
    room = after(with_bot(), "Lija", Start())
    assert refused(room, Kick(1), "Lija").code is RefusalCode.BOT_SEAT


def test_a_bot_acts_in_its_own_turn_alone_and_only_in_the_moment_it_was_meant_for() -> None:
    room = after(with_bot(), "Lija", Start())
    assert refused_to_server(room, BotAct(0, 1, 0, Roll())).code is RefusalCode.STALE
    room = turn_played(room)
    moment = game_of(room)
    for seat, turn, roll in [(0, moment.turn, 0), (1, moment.turn + 1, 0), (1, moment.turn, 1)]:
        assert refused_to_server(room, BotAct(seat, turn, roll, Roll())).code is RefusalCode.STALE
    rolled = after_server(room, BotAct(1, moment.turn, 0, Roll()))
    assert game_of(rolled).roll == 1


def test_a_bot_rolls_the_faces_that_were_fixed_for_its_seat() -> None:
    left = after(started(), "Lija", Leave())
    by_bot = after_server(left, BotAct(0, 1, 0, Roll()))
    by_hand, _ = act(after(left, "Lija", Return()), Roll())
    assert game_of(by_bot).dice == game_of(by_hand).dice


def test_a_bot_takes_nothing_back() -> None:
    room = after(with_bot("my-yahtzee"), "Lija", ChangeSettings("my-yahtzee", 8, undo=Undoing.ENTRY))
    room = turn_played(after(room, "Lija", MarkReady(ready=True), Start()))
    undo = BotAct(1, game_of(room).turn, 0, Undo())
    assert refused_to_server(room, undo).code is RefusalCode.NOT_YOUR_TURN
    assert game_of(after(room, "Lija", Act(0, 2, 0, Undo()))).turn == 1


def test_the_turns_that_a_bot_played_for_a_player_are_counted_from_the_first() -> None:
    room = after(turn_played(started()), "Medo", Leave())
    for _ in range(3):
        room = turn_played(bot_turn_played(room))
    medo = room.seats[1]
    assert (medo.bot_turns, medo.bot_since) == (3, 2)


def test_a_turn_in_which_a_bot_only_rolled_for_the_player_is_counted() -> None:
    left = after(started(), "Lija", Leave())
    rolled = after_server(left, BotAct(0, 1, 0, Roll()))
    room = turn_played(after(rolled, "Lija", Return()))
    assert (room.seats[0].bot_turns, room.seats[0].bot_since) == (1, 1)


def test_a_turn_in_which_a_bot_only_announced_for_the_player_is_counted() -> None:
    left = after(act(started(), Roll())[0], "Lija", Leave())
    game = game_of(left)
    cell = game.layout.cells[announceable_cells(game)[0]]
    announced = after_server(left, BotAct(0, 1, 1, Announce(cell)))
    assert after(announced, "Lija", Return()).seats[0].bot_turns == 1


def test_who_comes_back_before_a_bot_has_done_anything_has_played_the_turn_himself() -> None:
    room = turn_played(after(after(started(), "Lija", Leave()), "Lija", Return()))
    assert (room.seats[0].bot_turns, room.seats[0].bot_since) == (0, None)


def test_a_turn_that_goes_to_a_bot_again_and_again_is_counted_once() -> None:
    room = started()
    for roll in range(2):
        room = after_server(after(room, "Lija", Leave()), BotAct(0, 1, roll, Roll()))
        room = after(room, "Lija", Return())
    assert room.seats[0].bot_turns == 1


def test_who_has_a_bot_roll_in_more_turns_than_may_be_is_on_no_leaderboard() -> None:
    room = started()
    for _ in range(LISTED_BOT_TURNS + 1):
        turn = game_of(room).turn
        room = after_server(after(room, "Lija", Leave()), BotAct(0, turn, 0, Roll()))
        room = turn_played(turn_played(after(room, "Lija", Return())))
    assert how_ended(room.seats[0]) == "bot_from_turn_1"


def test_a_bots_own_turns_are_counted_for_nobody() -> None:
    room = bot_turn_played(turn_played(after(with_bot(), "Lija", Start())))
    assert room.seats[1].bot_turns == 0


@pytest.mark.parametrize(
    ("seat", "ended"),
    [
        (Seat("p1", "Lija", "x"), "played"),
        (Seat("p1", "Lija", "x", bot_turns=2, bot_since=7), "played"),
        (Seat("p1", "Lija", "x", bot_turns=3, bot_since=7), "bot_from_turn_7"),
        (Seat("p1", "Lija", "x", left=True, bot_turns=1, bot_since=9), "bot_from_turn_9"),
        (Seat("p1", "Lija", "x", left=True), "played"),
        (Seat("bot1", "Bot 1", "bot", SeatKind.BOT), "bot"),
    ],
)
def test_how_a_seat_ended(seat: Seat, ended: str) -> None:
    """Who leaves after the last turn of his own has played his game."""
    assert how_ended(seat) == ended


def bots_finish(room: Room, seed: int = 3) -> tuple[Room, list[str]]:
    """The room after bots have played all that is left, and the kinds of the events."""
    rng = random.Random(seed)
    kinds: list[str] = []
    while room.phase is Phase.PLAYING:
        game = game_of(room)
        action = rng.choice(legal_actions(game))
        room, happened = decide(room, BotAct(game.seat, game.turn, game.roll, action), by_server())
        kinds += [type(event).__name__ for event in happened]
    return room, kinds


def test_a_game_that_all_have_left_is_played_to_its_end_by_bots() -> None:
    room = started(NAMES[:2], "papir")
    for name in NAMES[:2]:
        room = after(room, name, Leave())
    room, kinds = bots_finish(room)
    assert (room.phase, kinds[-1]) == (Phase.FINISHED, "Finished")
    assert [how_ended(seat) for seat in room.seats] == ["bot_from_turn_1", "bot_from_turn_2"]


def test_the_record_of_a_game_says_which_seats_were_finished_by_bots() -> None:
    room = after(turn_played(after(with_bot(), "Lija", Start())), "Lija", Leave())
    room, _ = bots_finish(room)
    assert [seat.ended for seat in make_record(room, []).seats] == ["bot_from_turn_3", "bot"]


def own_table(names: tuple[str, ...] = ("Lija", "Medo")) -> Room:
    """An own-dice table whose game has begun."""
    room = after(lobby(), names[0], ChangeSettings("classic-5x4", 8, own_dice=True))
    for name in names:
        room = after(room, name, Join(name), MarkReady(ready=True))
    return after(room, names[0], Start())


def filled_up(room: Room, name: str, seat: int) -> Room:
    """The room after a player has filled all of his sheet at an own-dice table."""
    while room.phase is Phase.PLAYING and room.own_game is not None:
        cells = own_dice.open_cells(room.own_game, seat)
        if not cells:
            break
        cell = room.own_game.layout.cells[cells[0]]
        score = values_by_row(room.own_game.layout)[cell.row][0]
        room = after(room, name, ActOnSheet(seat, FillByHand(cell, score)))
    return room


def test_with_own_dice_the_cells_of_who_left_do_not_count_for_the_end() -> None:
    room = filled_up(after(own_table(), "Medo", Leave()), "Lija", 0)
    assert room.phase is Phase.FINISHED


def test_with_own_dice_the_game_is_over_when_the_last_who_has_cells_leaves() -> None:
    room = filled_up(own_table(), "Lija", 0)
    assert room.phase is Phase.PLAYING
    over, happened = decide(room, Leave(), by("Medo", NOW + 9))
    assert (over.phase, over.ended_at) == (Phase.FINISHED, NOW + 9)
    assert happened == (SeatLeft(1), Finished("sheets_full"))


def test_with_own_dice_a_game_that_all_have_left_waits_for_them() -> None:
    room = after(after(own_table(), "Lija", Leave()), "Medo", Leave())
    assert room.phase is Phase.PLAYING
    assert not is_bot_to_move(room)
    assert not after(room, "Medo", Return()).seats[1].left


def test_with_own_dice_the_game_is_over_when_one_comes_back_alone_who_has_no_cells() -> None:
    room = after(filled_up(own_table(), "Lija", 0), "Lija", Leave())
    room = after(room, "Medo", Leave())
    over, happened = decide(room, Return(), by("Lija", NOW + 9))
    assert (over.phase, over.ended_at) == (Phase.FINISHED, NOW + 9)
    assert happened[-1] == Finished("sheets_full")


def test_with_own_dice_who_left_writes_nothing() -> None:
    room = own_table()
    assert room.own_game is not None
    cell = room.own_game.layout.cells[own_dice.open_cells(room.own_game, 1)[0]]
    fill = ActOnSheet(1, FillByHand(cell, 0))
    assert refused(after(room, "Medo", Leave()), fill, "Medo").code is RefusalCode.SEAT_LEFT


def test_who_leaves_after_the_game_is_marked_and_the_host_role_passes() -> None:
    room, happened = decide(played_out(started()), Leave(), by("Lija"))
    assert room.seats[0].left
    assert happened == (SeatLeft(0), HostPassed(player_of("Medo"), "Medo"))
