"""Rooms as bytes: also those that were stored before tables had a pace, bots and one game after another."""

import json
from pathlib import Path

import pytest

from app.rooms.codec import decode_room, encode_room
from app.rooms.commands import BotAct, CallOut, Choice, Choose, Join, Keep, Kick, Leave, MarkReady, Start
from app.rooms.deciding import decide
from app.rooms.room import OfferReason, Pace, Phase, Room, Tally
from app.rooms.views import state
from app.rules.actions import Roll
from tests.rooms.tables import (
    NAMES,
    NOW,
    after,
    after_server,
    by,
    game_of,
    lobby,
    played_out,
    player_of,
    seated,
    timed,
    turn_played,
)
from tests.values import replace

# Written by the version before: a lobby, a game, one with own dice, a finished one; a room a line.
BEFORE = (Path(__file__).parent / "rooms_of_before.jsonl").read_text().splitlines()


def test_rooms_stored_before_are_read_with_what_was_usual_then() -> None:
    rooms = [decode_room(line.encode()) for line in BEFORE]
    assert [room.phase for room in rooms] == [Phase.LOBBY, Phase.PLAYING, Phase.PLAYING, Phase.FINISHED]
    for room in rooms:
        assert (room.pace, room.chat, room.kicked, room.games) == (Pace.NONE, True, (), 0)
        assert (room.deadline, room.bot_turn, room.offer, room.waited_at) == (None, None, None, None)
        assert (room.previous_game, room.tally) == (None, ())
        assert not any(seat.left or seat.barred or seat.bot_turns or seat.kept for seat in room.seats)


@pytest.mark.parametrize("line", BEFORE, ids=["lobby", "game", "own dice", "finished"])
def test_a_room_stored_before_keeps_all_that_it_had(line: str) -> None:
    had = json.loads(line)
    has = json.loads(encode_room(decode_room(line.encode())))
    seats = [{name: seat[name] for name in old} for old, seat in zip(had["seats"], has["seats"], strict=True)]
    assert {name: has[name] for name in had} | {"seats": seats} == had
    assert state(decode_room(line.encode()))["room"]


def test_a_room_stored_before_is_played_to_its_end() -> None:
    lobby, game, *_ = (decode_room(line.encode()) for line in BEFORE)
    assert played_out(game).phase is Phase.FINISHED
    for name in NAMES[:2]:
        lobby = after(lobby, name, MarkReady(ready=True))
    assert played_out(after(lobby, "Lija", Start())).phase is Phase.FINISHED


def rooms_with_all() -> list[Room]:
    """Rooms that between them have everything that can be stored."""
    asked = after_server(timed(NAMES[:3]), CallOut(0, 1, OfferReason.GONE), now=NOW + 9)
    given = after(asked, "Medo", Choose(0, 1, Choice.BOT))
    waited = after(asked, "Medo", Choose(0, 1, Choice.WAIT))
    left = after_server(after(turn_played(asked), "Medo", Keep(on=True), Leave()), BotAct(1, 2, 0, Roll()))
    sent = after(seated(NAMES[:3]), "Lija", Kick(1))
    after_games = replace(
        sent, previous_game="g0", games=2, tally=(Tally(player_of("Lija"), "Lija", 2),), chat=False
    )
    with_account, _ = decide(lobby(), Join("x"), replace(by("Lija"), user_name="lija"))
    return [asked, given, waited, left, sent, after_games, with_account]


@pytest.mark.parametrize("room", rooms_with_all())
def test_a_room_is_read_as_it_was_written(room: Room) -> None:
    assert decode_room(encode_room(room)) == room


def test_the_rooms_that_are_written_have_everything() -> None:
    rooms = rooms_with_all()
    for field in ("deadline", "bot_turn", "offer", "waited_at", "previous_game"):
        assert any(getattr(room, field) is not None for room in rooms), field
    assert any(room.kicked for room in rooms)
    assert any(seat.bot_last for room in rooms for seat in room.seats)
    assert any(seat.left for room in rooms for seat in room.seats)
    assert any(seat.kept for room in rooms for seat in room.seats)
    assert any(seat.user_name for room in rooms for seat in room.seats)
    assert game_of(rooms[0]).turn == 1
