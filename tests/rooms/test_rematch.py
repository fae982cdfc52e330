"""One game after another at the same table."""

from collections.abc import Sequence

import pytest

from app.rooms.commands import (
    ActOnSheet,
    AddBot,
    ChangeSettings,
    Join,
    Kick,
    Leave,
    MarkReady,
    PlayerCommand,
    Rematch,
    Return,
    Start,
)
from app.rooms.deciding import decide
from app.rooms.events import Readied, RematchMade, Started
from app.rooms.refusals import RefusalCode
from app.rooms.room import MAX_TALLY, Pace, Phase, Room, Tally
from app.rooms.schedule import is_bot_to_move
from app.rules.actions import Roll
from app.rules.own_dice import game as own_dice
from app.rules.own_dice.actions import FillByHand
from app.rules.own_dice.values import values_by_row
from app.rules.presets import PRESET_BY_ID
from tests.rooms.tables import (
    GAME_ID,
    NAMES,
    NOW,
    SECRET,
    act,
    after,
    bot_turn_played,
    by,
    game_of,
    lobby,
    played_out,
    player_of,
    refused,
    seated,
    started,
    turn_played,
)
from tests.values import replace

AGAIN = Rematch(GAME_ID, "g2", b"2" * 32)
SOLO = "classic-5x4"


def over(names: Sequence[str] = NAMES[:3]) -> Room:
    """A table whose game has ended."""
    return played_out(started(names))


def ready(room: Room, *names: str) -> Room:
    """The room after these have given new texts and are ready."""
    for name in names:
        room = after(room, name, MarkReady(ready=True, text=f"new text of {name}"))
    return room


def test_a_rematch_makes_the_table_a_lobby_with_another_games_dice() -> None:
    before = over()
    room, happened = decide(before, AGAIN, by("Medo"))
    assert happened == (RematchMade("g2"),)
    assert (room.phase, room.game, room.started_at, room.ended_at) == (Phase.LOBBY, None, None, None)
    assert (room.game_id, room.secret, room.previous_game) == ("g2", b"2" * 32, GAME_ID)
    assert (room.variant, room.max_seats, room.host) == (before.variant, before.max_seats, before.host)


def test_the_next_player_begins_and_all_give_new_texts() -> None:
    room = after(over(), "Lija", AGAIN)
    assert [seat.name for seat in room.seats] == ["Medo", "Zec", "Lija"]
    assert [(seat.text, seat.ready) for seat in room.seats] == [("", False)] * 3


def test_who_has_left_is_not_in_the_next_game() -> None:
    room = after(after(over(), "Medo", Leave()), "Lija", AGAIN)
    assert [seat.name for seat in room.seats] == ["Zec", "Lija"]
    assert after(room, "Medo", Join("back")).seats[2].name == "Medo"


def test_who_was_sent_away_is_not_in_the_next_game_and_gets_no_seat_in_it() -> None:
    room = after(over(), "Lija", Kick(1), AGAIN)
    assert [seat.name for seat in room.seats] == ["Zec", "Lija"]
    assert refused(room, Join("back"), "Medo").code is RefusalCode.BARRED


@pytest.mark.parametrize("name", NAMES[:3])
def test_asking_for_a_rematch_that_others_asked_for_changes_nothing(name: str) -> None:
    room = after(over(), "Zec", AGAIN)
    other = Rematch(GAME_ID, "g3", b"3" * 32)
    assert decide(room, other, by(name)) == (room, ())
    playing = ready(room, *NAMES[:3])
    assert playing.phase is Phase.PLAYING
    assert decide(playing, other, by(name)) == (playing, ())


def test_a_rematch_of_another_game_or_before_the_end_is_stale() -> None:
    room = over()
    assert refused(room, Rematch("g0", "g2", b"2" * 32), "Lija").code is RefusalCode.STALE
    assert refused(started(), AGAIN, "Lija").code is RefusalCode.STALE
    assert refused(seated(), AGAIN, "Lija").code is RefusalCode.STALE


def test_a_rematch_is_asked_for_by_those_who_sit_there() -> None:
    assert refused(over(), AGAIN, "Vuk").code is RefusalCode.NOT_SEATED
    assert refused(after(over(), "Medo", Leave()), AGAIN, "Medo").code is RefusalCode.SEAT_LEFT


def test_a_rematch_without_new_dice_is_a_mistake_of_the_server() -> None:
    with pytest.raises(ValueError, match="next game's id and secret"):
        decide(over(), Rematch(GAME_ID), by("Lija"))


def test_nobody_is_ready_for_the_next_game_without_a_new_text() -> None:
    room = after(over(), "Lija", AGAIN)
    assert refused(room, MarkReady(ready=True), "Lija").code is RefusalCode.NEEDS_TEXT
    room = after(ready(room, "Lija"), "Lija", MarkReady(ready=False), MarkReady(ready=True))
    assert [seat.text for seat in room.seats] == ["", "", "new text of Lija"]


def test_the_last_who_is_ready_starts_the_next_game() -> None:
    room = ready(after(over(), "Lija", AGAIN), "Lija", "Zec")
    room, happened = decide(room, MarkReady(ready=True, text="x"), by("Medo"))
    assert happened == (Readied(0, ready=True), Started(3))
    assert (room.phase, game_of(room).turn) == (Phase.PLAYING, 1)
    _, rolled = act(room, Roll())
    assert room.secret != SECRET
    assert rolled != act(started(NAMES[:3]), Roll())[1]


@pytest.mark.parametrize(("name", "command"), [("Medo", Leave()), ("Lija", Kick(0))])
def test_the_next_game_starts_when_he_is_gone_for_whom_the_others_waited(
    name: str, command: PlayerCommand
) -> None:
    room = ready(after(over(), "Lija", AGAIN), "Lija", "Zec")
    room, happened = decide(room, command, by(name, NOW + 9))
    assert (room.phase, room.started_at, happened[-1]) == (Phase.PLAYING, NOW + 9, Started(2))
    assert [seat.name for seat in room.seats] == ["Zec", "Lija"]


def test_nobody_is_left_to_play_the_next_game_alone_unless_he_starts_it() -> None:
    room = ready(after(over(NAMES[:2]), "Lija", AGAIN), "Lija")
    room = after(room, "Medo", Leave())
    assert room.phase is Phase.LOBBY
    assert after(room, "Lija", Start()).phase is Phase.PLAYING


def test_bots_alone_do_not_play_the_next_game() -> None:
    room = after(lobby(), "Lija", Join("x"), AddBot(), AddBot(), MarkReady(ready=True), Start())
    room = after(after(bots_and_all(room), "Lija", AGAIN), "Lija", Leave())
    assert (room.phase, len(room.seats)) == (Phase.LOBBY, 2)


def test_the_first_game_of_a_room_waits_for_its_host() -> None:
    assert seated().phase is Phase.LOBBY


def test_bots_stay_and_are_ready_for_the_next_game() -> None:
    room = after(lobby(), "Lija", Join("x"), AddBot(), MarkReady(ready=True), Start())
    room = after(bots_and_all(room), "Lija", AGAIN)
    assert [(seat.name, seat.text, seat.ready) for seat in room.seats] == [
        ("Bot 1", "bot", True),
        ("Lija", "", False),
    ]
    assert ready(room, "Lija").phase is Phase.PLAYING


def bots_and_all(room: Room) -> Room:
    """The room after its game, in which bots play too."""
    while room.phase is Phase.PLAYING:
        played = bot_turn_played if is_bot_to_move(room) else turn_played
        room = played(room)
    return room


def test_what_is_agreed_stays_for_the_next_game_and_can_be_changed_before_it() -> None:
    room = after(seated(), "Lija", ChangeSettings(SOLO, 8, pace=Pace.BRISK, chat=False))
    for name in NAMES[:2]:
        room = after(room, name, MarkReady(ready=True))
    room = after(played_out(after(room, "Lija", Start())), "Lija", AGAIN)
    assert (room.pace, room.chat) == (Pace.BRISK, False)
    changed = after(room, "Lija", ChangeSettings("papir", 4))
    assert changed.variant is PRESET_BY_ID["papir"]


def test_the_wins_of_a_room_are_counted_over_its_games() -> None:
    room = over(NAMES[:2])
    assert room.games == 1
    assert {(one.player, one.name) for one in room.tally} == {(player_of(name), name) for name in NAMES[:2]}
    assert sum(one.wins for one in room.tally) == 1
    room = played_out(ready(after(room, "Lija", AGAIN), "Lija", "Medo"), seed=5)
    assert (room.games, sum(one.wins for one in room.tally)) == (2, 2)


def test_a_new_name_reaches_the_seat_the_wins_and_the_next_game() -> None:
    room = after(over(NAMES[:2]), "Lija", AGAIN)
    wins = {one.player: one.wins for one in room.tally}
    renamed = replace(by("Lija"), name="Lija the Great", user_name="lija.99")
    room, _ = decide(room, MarkReady(ready=True, text="again"), renamed)
    room = ready(room, "Medo")
    seat = next(seat for seat in room.seats if seat.player == player_of("Lija"))
    assert (room.phase, seat.name, seat.user_name) == (Phase.PLAYING, "Lija the Great", "lija.99")
    assert {one.player: one.wins for one in room.tally} == wins
    assert {one.name for one in room.tally} == {"Lija the Great", "Medo"}
    assert {one.name for one in played_out(room, seed=5).tally} == {"Lija the Great", "Medo"}


def test_who_comes_back_under_a_new_name_keeps_the_wins() -> None:
    room = after(after(over(NAMES[:2]), "Lija", AGAIN), "Lija", Leave())
    renamed = replace(by("Lija"), name="Lija the Great")
    room, _ = decide(room, Join("again"), renamed)
    assert sorted(one.name for one in room.tally) == ["Lija the Great", "Medo"]


def test_a_new_name_changes_no_seat_that_its_player_lends() -> None:
    room = after(lobby(), "Lija", ChangeSettings(SOLO, 8, own_dice=True))
    room = after(room, "Lija", Join("a"), Join("b", name="Grandma"))
    room, _ = decide(room, MarkReady(ready=True), replace(by("Lija"), name="Lija the Great"))
    assert [seat.name for seat in room.seats] == ["Lija the Great", "Grandma"]


def test_whom_all_others_have_left_waits_in_the_lobby_for_new_ones() -> None:
    room = after(over(NAMES[:2]), "Medo", Leave())
    room = ready(after(room, "Lija", AGAIN), "Lija")
    assert (room.phase, len(room.seats)) == (Phase.LOBBY, 1)
    assert after(room, "Medo", Join("back")).phase is Phase.LOBBY
    assert after(room, "Lija", Start()).phase is Phase.PLAYING


def test_a_table_for_one_goes_on_at_once() -> None:
    alone = after(lobby(), "Lija", ChangeSettings(SOLO, 1), Join("a"), MarkReady(ready=True), Start())
    room = ready(after(played_out(alone), "Lija", AGAIN), "Lija")
    assert room.phase is Phase.PLAYING


def test_equal_first_places_are_a_win_for_each() -> None:
    room = own_dice_draw()
    assert [(one.name, one.wins) for one in room.tally] == [("Lija", 1), ("Medo", 1)]


def own_dice_draw() -> Room:
    """An own-dice game in which both wrote the least that each cell can have."""
    room = after(lobby(), "Lija", ChangeSettings(SOLO, 8, own_dice=True))
    for name in NAMES[:2]:
        room = after(room, name, Join(name), MarkReady(ready=True))
    room = after(room, "Lija", Start())
    for seat, name in enumerate(NAMES[:2]):
        while room.own_game is not None and (cells := own_dice.open_cells(room.own_game, seat)):
            cell = room.own_game.layout.cells[cells[0]]
            score = values_by_row(room.own_game.layout)[cell.row][0]
            room = after(room, name, ActOnSheet(seat, FillByHand(cell, score)))
    assert room.phase is Phase.FINISHED
    return room


def test_an_own_dice_table_has_a_rematch_too() -> None:
    room = after(own_dice_draw(), "Medo", AGAIN)
    assert (room.own_game, room.own_dice, [seat.name for seat in room.seats]) == (
        None,
        True,
        ["Medo", "Lija"],
    )
    assert ready(room, "Lija", "Medo").own_game is not None


def test_the_wins_of_those_who_sit_there_are_remembered_before_others() -> None:
    room = started(NAMES[:2])
    earlier = tuple(Tally(f"p{number}", f"guest {number}", number) for number in range(MAX_TALLY))
    room = played_out(replace(room, tally=earlier))
    assert len(room.tally) == MAX_TALLY
    assert [one.name for one in room.tally[:3]] == ["Lija", "Medo", "guest 0"]


def test_turns_that_a_bot_played_count_for_their_own_game_alone() -> None:
    room = after(started(NAMES[:2]), "Lija", Leave())
    room = after(bot_turn_played(room), "Lija", Return())
    assert room.seats[0].bot_turns == 1
    room = after(played_out(room), "Lija", AGAIN)
    assert [(seat.bot_turns, seat.bot_since, seat.bot_last) for seat in room.seats] == [(0, None, None)] * 2
