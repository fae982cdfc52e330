"""The lifecycle of a room: who may do what when, and what it changes."""

import random

import pytest

from app.rooms.codec import decode_room, encode_room
from app.rooms.commands import Act, ChangeSettings, Command, Join, Leave, MarkReady, Start
from app.rooms.deciding import decide
from app.rooms.events import Finished, Joined, Left, Readied, SettingsChanged, Started
from app.rooms.playing import is_to_move
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import NOBODY, Phase, Room
from app.rules.actions import Announce, Fill, Reason, Roll, Undo
from app.rules.events import Announced, Rolled, Undone
from app.rules.fairness import draw_next, game_key
from app.rules.legality import legal_actions
from app.rules.presets import PAPIR
from app.rules.state import Undoing
from app.rules.variant import Cell, ColumnKind, Row, content_id
from tests.rooms.tables import (
    GAME_ID,
    NAMES,
    NOW,
    SECRET,
    act,
    after,
    by,
    lobby,
    meant_now,
    played_out,
    player_of,
    seated,
    started,
    steps,
)
from tests.values import replace

READY = MarkReady(ready=True)
ROLL = Roll()
LOBBY_COMMANDS: tuple[Command, ...] = (Join("x"), READY, ChangeSettings("papir", 2), Start())


def refused(room: Room, name: str, command: Command) -> RoomRefusal:
    """How the room refuses a command."""
    with pytest.raises(RoomRefusal) as refusal:
        decide(room, command, by(name))
    return refusal.value


def test_a_player_takes_the_next_free_seat_and_is_not_ready() -> None:
    room, happened = decide(after(lobby(), "Lija", Join("mine")), Join("seven blue herons"), by("Medo"))
    assert happened == (Joined(1, player_of("Medo"), "Medo"),)
    assert (room.seats[1].name, room.seats[1].text, room.seats[1].ready) == (
        "Medo",
        "seven blue herons",
        False,
    )


def test_a_second_seat_for_the_same_player_is_refused() -> None:
    assert refused(after(lobby(), "Lija", Join("x")), "Lija", Join("y")).code is RefusalCode.ALREADY_SEATED


def test_a_full_room_takes_nobody_in() -> None:
    room = after(lobby(max_seats=1), "Lija", Join("x"))
    refusal = refused(room, "Medo", Join("y"))
    assert (refusal.code, refusal.retry) == (RefusalCode.ROOM_FULL, True)


def test_seats_after_the_one_given_back_move_up() -> None:
    room, happened = decide(seated(NAMES[:3]), Leave(), by("Medo"))
    assert [seat.name for seat in room.seats] == ["Lija", "Zec"]
    assert happened == (Left(1, player_of("Medo"), "Medo"),)


def test_a_leaving_host_hands_his_role_to_the_first_seat() -> None:
    assert after(seated(NAMES[:3]), "Lija", Leave()).host == player_of("Medo")


def test_a_leaving_guest_leaves_the_host_role_where_it_is() -> None:
    assert after(seated(), "Medo", Leave()).host == player_of("Lija")


def test_whoever_joins_a_room_that_all_have_left_is_its_host() -> None:
    empty = after(after(seated(), "Lija", Leave()), "Medo", Leave())
    assert empty.host == NOBODY
    assert refused(empty, "Lija", Start()).code is RefusalCode.NOT_HOST
    assert after(empty, "Zec", Join("x")).host == player_of("Zec")


def test_the_maker_is_the_host_before_he_sits_down() -> None:
    room = after(lobby(host="Lija"), "Medo", Join("x"), READY)
    assert room.host == player_of("Lija")
    assert after(room, "Lija", ChangeSettings("papir", 3)).max_seats == 3


@pytest.mark.parametrize("command", [Leave(), READY])
def test_a_command_for_a_seat_needs_one(command: Command) -> None:
    assert refused(lobby(), "Medo", command).code is RefusalCode.NOT_SEATED


def test_a_ready_mark_can_be_set_and_cleared() -> None:
    room, happened = decide(seated(), MarkReady(ready=False), by("Medo"))
    assert [seat.ready for seat in room.seats] == [True, False]
    assert happened == (Readied(1, ready=False),)


def test_settings_clear_the_ready_marks() -> None:
    room, happened = decide(seated(), ChangeSettings("papir", 4), by("Lija"))
    assert (room.variant.id, room.max_seats) == ("papir", 4)
    assert not any(seat.ready for seat in room.seats)
    assert happened == (SettingsChanged("papir", 4),)


@pytest.mark.parametrize("command", [ChangeSettings("papir", 4), Start()])
def test_only_the_host_changes_settings_and_starts(command: Command) -> None:
    assert refused(seated(), "Medo", command).code is RefusalCode.NOT_HOST


def test_the_host_chooses_columns_where_the_variant_lets_him() -> None:
    room, happened = decide(seated(), ChangeSettings("papir", 4, ("free", "down")), by("Lija"))
    assert [column.kind.value for column in room.variant.columns] == ["down", "free"]
    assert happened == (SettingsChanged(content_id(room.variant), 4),)
    room = after(room, "Lija", ChangeSettings("papir", 4))
    assert room.variant is PAPIR


def test_all_columns_chosen_are_the_variant_itself() -> None:
    every_one = tuple(column.kind.value for column in PAPIR.columns)
    assert after(seated(), "Lija", ChangeSettings("papir", 4, every_one)).variant is PAPIR


@pytest.mark.parametrize(
    ("variant", "columns"),
    [
        ("papir", ()),
        ("papir", ("down", "down")),
        ("papir", ("final", "maximum")),
        ("papir", ("down", "notification")),
        ("papir", ("down", "sideways")),
        ("swedish-5", ("down", "final")),
        ("classic-5x4", ("down", "up")),
    ],
)
def test_columns_that_the_variant_can_not_have_are_refused_by_name(
    variant: str, columns: tuple[str, ...]
) -> None:
    refusal = refused(seated(), "Lija", ChangeSettings(variant, 4, columns))
    assert refusal.code is RefusalCode.UNKNOWN_COLUMNS
    assert refusal.sentence.startswith("columns: ")
    assert refusal.detail == {"field": "columns", "columns": list(columns)}


def test_a_room_of_chosen_columns_is_stored_and_played_to_its_end() -> None:
    room = after(seated(), "Lija", ChangeSettings("swedish-6", 2, ("down", "late_announced", "maximum")))
    assert decode_room(encode_room(room)) == room
    for name in NAMES[:2]:
        room = after(room, name, READY)
    room = played_out(after(room, "Lija", Start()))
    assert room.phase is Phase.FINISHED
    assert decode_room(encode_room(room)) == room


def test_an_unknown_variant_is_refused() -> None:
    assert refused(seated(), "Lija", ChangeSettings("poker", 4)).code is RefusalCode.UNKNOWN_VARIANT


def test_the_tables_own_variant_can_be_named_by_its_id_though_nothing_else_knows_it() -> None:
    room = after(seated(), "Lija", ChangeSettings("papir", 4, ("free", "down")))
    changed = after(room, "Lija", ChangeSettings(room.variant.id, 2, undo=Undoing.ENTRY))
    assert (changed.variant, changed.max_seats) == (room.variant, 2)
    assert refused(seated(), "Lija", ChangeSettings(room.variant.id, 2)).code is RefusalCode.UNKNOWN_VARIANT


def test_fewer_seats_than_are_taken_are_refused() -> None:
    assert refused(seated(NAMES[:3]), "Lija", ChangeSettings("papir", 2)).code is RefusalCode.TOO_FEW_SEATS


def test_a_game_starts_when_everybody_is_ready() -> None:
    room, happened = decide(seated(NAMES[:3]), Start(), by("Lija", NOW + 5))
    assert (room.phase, room.started_at, happened) == (Phase.PLAYING, NOW + 5, (Started(3),))
    assert room.game is not None
    assert room.game.seats == 3


def test_a_game_does_not_start_before_everybody_is_ready() -> None:
    room = after(seated(), "Medo", MarkReady(ready=False))
    refusal = refused(room, "Lija", Start())
    assert (refusal.code, refusal.detail, refusal.retry) == (RefusalCode.NOT_READY, {"seats": [1]}, True)


def test_a_game_does_not_start_without_anybody() -> None:
    assert refused(lobby(), "Lija", Start()).code is RefusalCode.NOT_READY


@pytest.mark.parametrize("seats", range(1, 9))
def test_a_table_of_one_to_eight_can_play(seats: int) -> None:
    room = started(NAMES[:seats], "papir")
    assert room.game is not None
    assert (room.game.variant.id == "papir") is (seats > 1)


@pytest.mark.parametrize("command", LOBBY_COMMANDS)
def test_the_commands_of_the_lobby_are_over_once_the_game_has_started(command: Command) -> None:
    assert refused(started(), "Lija", command).code is RefusalCode.ALREADY_STARTED
    assert refused(played_out(started()), "Lija", command).code is RefusalCode.ALREADY_STARTED


def test_nobody_acts_before_the_start_or_after_the_end() -> None:
    early = refused(seated(), "Lija", Act(0, 1, 0, ROLL))
    late = refused(played_out(started()), "Lija", Act(0, 1, 0, ROLL))
    assert (early.code, early.retry) == (RefusalCode.NOT_STARTED, True)
    assert (late.code, late.retry) == (Reason.GAME_OVER, False)


def test_the_faces_of_a_roll_come_from_the_secret_the_texts_and_the_game() -> None:
    room = started()
    assert room.game is not None
    key = game_key(SECRET, ["text of Lija", "text of Medo"], GAME_ID)
    _, happened = act(room, ROLL)
    assert happened == (Rolled(0, 1, draw_next(key, room.game), ()),)


def test_another_players_seat_cannot_be_played() -> None:
    assert refused(started(), "Medo", Act(0, 1, 0, ROLL)).code is RefusalCode.NOT_YOUR_SEAT


@pytest.mark.parametrize("seat", [2, 7, 10**6])
def test_a_seat_that_does_not_exist_is_nobodys(seat: int) -> None:
    assert refused(started(), "Medo", Act(seat, 1, 0, ROLL)).code is RefusalCode.NOT_YOUR_SEAT


def test_somebody_without_a_seat_cannot_play() -> None:
    assert refused(started(), "Zec", Act(0, 1, 0, ROLL)).code is RefusalCode.NOT_SEATED


def test_a_player_whose_turn_it_is_not_may_try_again_later() -> None:
    refusal = refused(started(), "Medo", Act(1, 1, 0, ROLL))
    assert (refusal.code, refusal.retry) == (RefusalCode.NOT_YOUR_TURN, True)


@pytest.mark.parametrize(("turn", "roll"), [(2, 0), (0, 0), (1, 1), (1, 2)])
def test_an_action_meant_for_another_turn_or_roll_is_stale(turn: int, roll: int) -> None:
    assert refused(started(), "Lija", Act(0, turn, roll, ROLL)).code is RefusalCode.STALE


def test_a_doubled_roll_does_not_hit_the_next_one() -> None:
    room = started()
    twice = meant_now(room, ROLL)
    room, _ = decide(room, twice, by("Lija"))
    assert refused(room, "Lija", twice).code is RefusalCode.STALE


def test_an_illegal_action_is_refused_with_what_comes_first() -> None:
    room, _ = act(started(), ROLL)
    refusal = refused(room, "Lija", meant_now(room, Fill(Cell(ColumnKind.DOWN, Row.TWOS))))
    assert refusal.code is Reason.OUT_OF_ORDER
    assert refusal.detail == {"column": "down", "rows": ["ones"]}
    assert refusal.sentence == "fill ones of down first"
    assert not refusal.retry


def test_an_announcement_is_an_event_of_its_own() -> None:
    room, _ = act(started(), ROLL)
    cell = Cell(ColumnKind.ANNOUNCED, Row.SIXES)
    room, happened = act(room, Announce(cell))
    assert happened == (Announced(0, cell),)


def test_the_last_cell_ends_the_game() -> None:
    room = played_out(started())
    assert (room.phase, room.ended_at) == (Phase.FINISHED, NOW)


def test_the_last_event_of_a_game_says_why_it_ended() -> None:
    *_, last = (happened for _, _, happened in steps(started(NAMES[:1]), random.Random(3)))
    assert last[-1] == Finished("sheets_full")


def test_a_refused_command_changes_nothing() -> None:
    room = started()
    untouched = replace(room)
    for command in LOBBY_COMMANDS:
        refused(room, "Lija", command)
    assert room == untouched


def test_who_is_to_move_follows_seat_turn_and_roll() -> None:
    room = started()
    assert is_to_move(room, player_of("Lija"), (0, 1, 0))
    assert not is_to_move(room, player_of("Medo"), (0, 1, 0))
    assert not is_to_move(room, player_of("Lija"), (0, 1, 1))
    assert not is_to_move(seated(), player_of("Lija"), (0, 1, 0))
    assert not is_to_move(played_out(room), player_of("Lija"), (0, 1, 0))


def test_every_legal_action_is_carried_out() -> None:
    room, _ = act(started(NAMES[:2], "papir"), ROLL)
    assert room.game is not None
    for action in legal_actions(room.game):
        act(room, action)


def test_a_table_for_one_and_my_yahtzee_let_an_entry_be_undone_and_others_do_not() -> None:
    solo = replace(lobby("papir"), max_seats=1)
    usual = [solo, lobby("papir"), seated(NAMES[:1]), seated(NAMES[:2], "my-yahtzee")]
    assert [room.undoing for room in usual] == [Undoing.ENTRY, Undoing.OFF, Undoing.OFF, Undoing.ENTRY]


def test_the_host_says_what_can_be_undone_and_settings_without_it_leave_it() -> None:
    room = after(seated(), "Lija", ChangeSettings("papir", 4, undo=Undoing.ENTRY))
    assert room.undoing is Undoing.ENTRY
    assert after(room, "Lija", ChangeSettings("croatian", 4)).undoing is Undoing.ENTRY
    assert after(room, "Lija", ChangeSettings("papir", 4, undo=Undoing.OFF)).undoing is Undoing.OFF
    alone = after(seated(NAMES[:1]), "Lija", ChangeSettings("papir", 1, undo=Undoing.OFF))
    assert alone.undoing is Undoing.OFF
    assert after(seated(), "Lija", ChangeSettings("my-yahtzee", 4)).undoing is Undoing.ENTRY


def undoable() -> Room:
    """A table of two with undo, on which the first has just filled a cell."""
    room = started_with_undo()
    return act(act(room, ROLL)[0], Fill(Cell(ColumnKind.FREE, Row.SIXES)))[0]


def started_with_undo() -> Room:
    room = after(seated(), "Lija", ChangeSettings("classic-5x4", 2, undo=Undoing.ENTRY), READY)
    return after(after(room, "Medo", READY), "Lija", Start())


def test_who_filled_last_takes_it_back_in_the_turn_of_the_next() -> None:
    room, happened = decide(undoable(), Act(0, 2, 0, Undo()), by("Lija"))
    assert happened == (Undone(0),)
    assert room.game is not None
    assert (room.game.turn, room.game.seat, room.game.roll) == (1, 0, 1)
    assert decode_room(encode_room(room)) == room


def test_an_undo_is_refused_to_others_when_late_and_where_it_is_off() -> None:
    room = undoable()
    assert refused(room, "Medo", Act(1, 2, 0, Undo())).code is RefusalCode.NOT_YOUR_TURN
    assert refused(room, "Lija", Act(0, 1, 1, Undo())).code is RefusalCode.STALE
    rolled, _ = act(room, ROLL)
    assert refused(rolled, "Lija", Act(0, 2, 0, Undo())).code is RefusalCode.STALE
    assert refused(rolled, "Lija", Act(0, 2, 1, Undo())).code is Reason.NOTHING_TO_UNDO
    assert refused(started(), "Lija", Act(0, 1, 0, Undo())).code is Reason.UNDO_OFF


def test_a_roll_after_an_undo_shows_the_faces_that_were_fixed() -> None:
    room, _ = act(started_with_undo(), ROLL)
    straight, _ = act(room, Roll((0, 1)))
    filled, _ = act(room, Fill(Cell(ColumnKind.FREE, Row.SIXES)))
    undone, _ = decide(filled, Act(0, 2, 0, Undo()), by("Lija"))
    again, _ = act(undone, Roll((0, 1)))
    assert again == straight


def test_a_stored_entry_that_can_be_taken_back_survives_the_store() -> None:
    assert decode_room(encode_room(undoable())) == undoable()
