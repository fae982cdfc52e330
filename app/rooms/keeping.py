"""A game that its player keeps on his own device: it enters no leaderboard for him. Pure."""

from msgspec.structs import replace

from app.rooms.commands import By, Keep
from app.rooms.events import Kept
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import Room
from app.rooms.seats import Step, present_seat, with_seats


def keep(room: Room, command: Keep, by: By) -> Step:
    """Said of his own seat, before the game and until its end; the last word counts."""
    number = present_seat(room, by)
    if room.own_dice:
        raise RoomRefusal(RefusalCode.OWN_DICE, "games with own dice are on no leaderboard anyway")
    if room.seats[number].kept == command.on:
        return room, ()
    seats = with_seats(room, [number], lambda seat: replace(seat, kept=command.on))
    return replace(room, seats=seats), (Kept(number, command.on),)
