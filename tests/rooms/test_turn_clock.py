"""A turn's time, what the others are offered when it is over, and what is due when."""

import orjson
import pytest

from app.rooms.commands import (
    BotAct,
    CallOut,
    Choice,
    Choose,
    Command,
    Kick,
    Leave,
    Postpone,
    Rematch,
    Return,
    SetChat,
    Start,
)
from app.rooms.deciding import decide
from app.rooms.events import BotChosen, CalledOut, Postponed, SeatReturned, Waited
from app.rooms.refusals import RefusalCode
from app.rooms.room import Offer, OfferReason, Pace, Phase, Room
from app.rooms.schedule import BOT_PAUSE_MS, due_at, is_bot_to_move, keep_ms
from app.rooms.views import state
from app.rules.actions import Roll
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
    played_out,
    refused,
    refused_to_server,
    seated,
    started,
    timed,
    turn_played,
    with_bot,
)
from tests.values import replace

BRISK_MS = 40_000
LATE = NOW + BRISK_MS
DEADLINE = CallOut(0, 1, OfferReason.DEADLINE)
GONE = CallOut(0, 1, OfferReason.GONE)
WAIT, BOT = Choose(0, 1, Choice.WAIT), Choose(0, 1, Choice.BOT)


def called_out(names: tuple[str, ...] = NAMES[:3]) -> Room:
    """A table at which the first player's time is over, and the others are asked."""
    return after_server(timed(names), DEADLINE, now=LATE)


def shown_deadline(room: Room) -> int | None:
    """As the table sees it."""
    turn: dict[str, int | None] = orjson.loads(orjson.dumps(state(room)["turn"]))
    return turn["deadline"]


@pytest.mark.parametrize(("pace", "time"), [(Pace.RELAXED, 120_000), (Pace.BRISK, BRISK_MS)])
def test_a_turn_has_the_time_of_the_tables_pace(pace: Pace, time: int) -> None:
    room = timed(pace=pace)
    assert room.deadline == NOW + time
    assert turn_played(room, NOW + 7).deadline == NOW + 7 + time


def test_without_a_pace_no_turn_has_an_end() -> None:
    room = started()
    assert (room.deadline, due_at(room)) == (None, None)


def test_an_action_within_the_turn_gives_no_more_time() -> None:
    room, _ = act(timed(), Roll(), NOW + 100)
    assert room.deadline == LATE


def test_a_bots_turn_has_no_deadline_and_is_due_soon() -> None:
    room = turn_played(after(with_bot(pace=Pace.BRISK), "Lija", Start()), NOW + 5)
    assert (is_bot_to_move(room), room.deadline) == (True, None)
    assert due_at(room) == NOW + 5 + BOT_PAUSE_MS
    assert bot_turn_played(room, NOW + 900).deadline == NOW + 900 + BRISK_MS


def test_who_leaves_in_his_turn_and_comes_back_has_the_time_that_was_left_of_it() -> None:
    """Else whoever does so again and again is never asked about."""
    room, _ = decide(timed(), Leave(), by("Lija", LATE - 700))
    assert (shown_deadline(room), is_bot_to_move(room), due_at(room)) == (None, True, LATE + 100)
    room, _ = decide(room, Return(), by("Lija", LATE - 1))
    assert (shown_deadline(room), due_at(room)) == (LATE, LATE)
    again, _ = decide(room, Leave(), by("Lija", LATE))
    again, _ = decide(again, Return(), by("Lija", LATE + 700))
    assert due_at(again) == LATE
    assert after_server(again, DEADLINE, now=LATE + 700).offer is not None


def test_who_comes_back_into_a_turn_that_a_bot_began_has_its_whole_time() -> None:
    room = turn_played(after(timed(), "Medo", Leave()))
    room, _ = decide(room, Return(), by("Medo", NOW + 500))
    assert due_at(room) == NOW + 500 + BRISK_MS


@pytest.mark.parametrize(
    ("name", "commands"),
    [
        ("Lija", [SetChat(on=False)]),
        ("Lija", [Kick(1)]),
        ("Medo", [Leave(), Return()]),
        ("Medo", [Rematch("g0")]),
    ],
)
def test_nothing_that_others_do_puts_a_bot_off(name: str, commands: list[Command]) -> None:
    """Else whoever does something every half second would stop the game."""
    room = turn_played(turn_played(replace(timed(NAMES[:3]), previous_game="g0")))
    room = after(room, "Zec", Leave())
    for command in commands:
        room, _ = decide(room, command, by(name, NOW + BOT_PAUSE_MS - 1))
    assert is_bot_to_move(room)
    assert due_at(room) == NOW + BOT_PAUSE_MS


def test_a_deadline_is_due_until_the_others_are_asked() -> None:
    assert due_at(timed()) == LATE
    assert due_at(called_out()) is None


def test_nothing_is_due_in_a_lobby_or_after_a_game() -> None:
    for room in (lobby(), seated(), played_out(timed())):
        assert (room.deadline, room.offer, due_at(room)) == (None, None, None)


def test_a_room_is_kept_as_long_as_its_phase_says() -> None:
    hour = 3_600_000
    kept = [keep_ms(room) for room in (seated(), started(), played_out(started()))]
    assert kept == [hour // 2, 48 * hour, 48 * hour]


def test_the_others_are_asked_once_when_the_time_is_over() -> None:
    room, happened = decide(timed(), DEADLINE, by_server(LATE))
    assert room.offer == Offer(0, 1, OfferReason.DEADLINE, LATE)
    assert happened == (CalledOut(0, 1, OfferReason.DEADLINE),)
    assert refused_to_server(room, GONE).code is RefusalCode.NO_OFFER


@pytest.mark.parametrize("command", [CallOut(1, 1, OfferReason.GONE), CallOut(0, 2, OfferReason.GONE)])
def test_nobody_is_asked_about_another_seat_or_turn(command: CallOut) -> None:
    assert refused_to_server(started(), command).code is RefusalCode.NO_OFFER


def test_nobody_is_asked_about_a_deadline_before_it_or_where_there_is_none() -> None:
    assert refused_to_server(timed(), DEADLINE, LATE - 1).code is RefusalCode.NO_OFFER
    assert refused_to_server(started(), DEADLINE, LATE).code is RefusalCode.NO_OFFER


def test_nobody_is_asked_about_a_bot() -> None:
    room = after(started(), "Lija", Leave())
    assert refused_to_server(room, GONE).code is RefusalCode.NO_OFFER


def test_a_player_who_is_gone_is_asked_about_at_any_pace() -> None:
    room = after_server(started(), GONE, now=NOW + 5)
    assert room.offer == Offer(0, 1, OfferReason.GONE, NOW + 5)


def test_after_waiting_the_turn_has_its_whole_time_once_more() -> None:
    room, happened = decide(called_out(), WAIT, by("Zec", LATE + 500))
    assert (room.offer, room.waited_at, room.deadline) == (None, LATE + 500, LATE + 500 + BRISK_MS)
    assert happened == (Waited(0, 1, by=2),)
    assert turn_played(room).waited_at is None


def test_waiting_without_a_pace_sets_no_deadline() -> None:
    room = after(after_server(started(), GONE), "Medo", WAIT)
    assert (room.offer, room.deadline, room.waited_at) == (None, None, NOW)


def test_the_others_let_a_bot_play_this_turn_and_no_other() -> None:
    room, happened = decide(called_out(), BOT, by("Medo", LATE))
    assert happened == (BotChosen(0, 1, by=1),)
    assert (is_bot_to_move(room), room.deadline, room.offer) == (True, None, None)
    room = bot_turn_played(room)
    assert (room.bot_turn, room.seats[0].bot_turns, room.seats[0].left) == (None, 1, False)
    assert not is_bot_to_move(turn_played(turn_played(room)))


def test_who_acts_in_a_turn_that_a_bot_was_given_plays_on_himself() -> None:
    given = after(called_out(), "Medo", BOT)
    rolled = after_server(given, BotAct(0, 1, 0, Roll()))
    room, _ = act(rolled, Roll(), LATE + 50)
    assert (room.bot_turn, is_bot_to_move(room), room.deadline) == (None, False, LATE + 50 + BRISK_MS)


def test_who_comes_back_in_a_turn_that_a_bot_was_given_plays_on_himself() -> None:
    room, happened = decide(after(called_out(), "Medo", BOT), Return(), by("Lija", LATE + 50))
    assert (room.bot_turn, room.deadline, happened) == (None, LATE + 50 + BRISK_MS, (SeatReturned(0),))


def test_acting_answers_what_the_others_are_asked_and_has_time_left() -> None:
    room, _ = act(called_out(), Roll(), LATE + 50)
    assert (room.offer, room.deadline) == (None, LATE + 50 + BRISK_MS)
    early, _ = act(after_server(timed(), GONE, now=NOW + 1), Roll(), NOW + 2)
    assert (early.offer, early.deadline) == (None, LATE)


def test_a_roll_before_the_others_are_asked_leaves_the_deadline_where_it_was() -> None:
    room, _ = act(timed(), Roll(), LATE + 3)
    assert room.deadline == LATE
    assert after_server(room, DEADLINE, now=LATE + 3).offer is not None


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (WAIT, "Lija"),
        (Choose(1, 1, Choice.WAIT), "Medo"),
        (Choose(0, 2, Choice.BOT), "Medo"),
    ],
)
def test_only_another_chooses_and_only_what_is_offered(command: Choose, name: str) -> None:
    assert refused(called_out(), command, name).code is RefusalCode.NO_OFFER


def test_who_has_no_seat_or_left_it_does_not_choose() -> None:
    assert refused(called_out(), WAIT, "Vuk").code is RefusalCode.NOT_SEATED
    assert refused(after(called_out(), "Medo", Leave()), WAIT, "Medo").code is RefusalCode.SEAT_LEFT


@pytest.mark.parametrize("choice", Choice)
def test_the_first_choice_counts_for_all(choice: Choice) -> None:
    room = after(called_out(), "Medo", Choose(0, 1, choice))
    assert refused(room, WAIT, "Zec").code is RefusalCode.NO_OFFER


@pytest.mark.parametrize("name", ["Lija", "Medo"])
def test_an_offer_ends_with_the_seats_player_leaving_and_stays_when_another_leaves(name: str) -> None:
    room = after(called_out(), name, Leave())
    assert (room.offer is None, shown_deadline(room) is None) == (name == "Lija", name == "Lija")


def test_sending_the_player_to_move_away_ends_his_offer_and_time() -> None:
    room = after_server(timed(), CallOut(0, 1, OfferReason.GONE))
    room = turn_played(room)
    room = after(room, "Lija", Kick(1))
    assert (room.offer, shown_deadline(room), is_bot_to_move(room)) == (None, None, True)


def test_a_deadline_is_postponed_by_the_time_in_which_nobody_could_act() -> None:
    room, happened = decide(timed(), Postpone(3_000), by_server())
    assert (room.deadline, happened) == (LATE + 3_000, (Postponed(3_000),))
    assert refused_to_server(started(), Postpone(3_000)).code is RefusalCode.STALE


def test_what_belongs_to_a_turn_ends_with_the_game() -> None:
    room = played_out(timed())
    assert room.phase is Phase.FINISHED
    assert (room.deadline, room.offer, room.bot_turn, room.waited_at) == (None, None, None, None)


def test_the_whole_turn_of_a_player_is_one_of_the_game_whoever_played_it() -> None:
    by_bot = game_of(bot_turn_played(after(called_out(), "Medo", BOT)))
    by_hand = game_of(turn_played(called_out()))
    assert by_bot == by_hand


def test_waiting_for_who_is_gone_gives_the_turn_its_whole_time_before_it_was_over() -> None:
    gone = after_server(timed(), GONE, now=NOW + 5)
    room, _ = decide(gone, WAIT, by("Medo", NOW + 9))
    assert room.deadline == NOW + 9 + BRISK_MS


def test_that_the_others_waited_is_known_until_the_turn_is_over() -> None:
    waited, _ = decide(called_out(), WAIT, by("Medo", LATE))
    again = after_server(waited, DEADLINE, now=LATE + BRISK_MS)
    acted, _ = act(again, Roll(), LATE + BRISK_MS + 5)
    assert (acted.offer, acted.waited_at) == (None, LATE)
