"""One more game at the same table: exactly one, however many ask for it. Pure."""

from msgspec.structs import replace

from app.rooms.commands import By, Rematch
from app.rooms.events import RematchMade
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import Phase, Room, Seat
from app.rooms.seats import Step, present_seat


def rematch(room: Room, command: Rematch, by: By) -> Step:
    """The table is a lobby again, the next seat begins. Who asks after others did gets what they got."""
    present_seat(room, by)
    if command.game == room.previous_game:
        return room, ()
    if room.phase is not Phase.FINISHED or command.game != room.game_id:
        raise RoomRefusal(RefusalCode.STALE, f"game {command.game} isn't the one that has just ended here")
    if not command.next_game_id or not command.next_secret:
        raise ValueError("a rematch needs the next game's id and secret")
    rotated = (*room.seats[1:], *room.seats[:1])
    next_room = replace(
        room,
        phase=Phase.LOBBY,
        seats=tuple(_again(seat) for seat in rotated if not seat.left),
        game_id=command.next_game_id,
        secret=command.next_secret,
        started_at=None,
        ended_at=None,
        game=None,
        own_game=None,
        previous_game=room.game_id,
    )
    return next_room, (RematchMade(command.next_game_id),)


def _again(seat: Seat) -> Seat:
    """The seat before the next game, for whose dice a person gives a new text.

    Whether he keeps that game on his device he says anew: none stays off the boards unasked.
    """
    text = "" if seat.is_person else seat.text
    counted = replace(seat, bot_turns=0, bot_since=None, bot_last=None)
    return replace(counted, text=text, ready=not seat.is_person, kept=False)
