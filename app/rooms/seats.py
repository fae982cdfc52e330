"""Whose seat is whose: what every decision about a room asks first. Pure."""

from collections.abc import Callable

from msgspec.structs import replace

from app.rooms.commands import By
from app.rooms.events import HostPassed, RoomEvent
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import MAX_KICKED, NOBODY, Room, Seat

Step = tuple[Room, tuple[RoomEvent, ...]]
"""A room after a command, and what happened."""


def seats_of(room: Room, player: str) -> list[int]:
    """The numbers of the seats that a player holds, those he has left among them."""
    return [number for number, seat in enumerate(room.seats) if seat.player == player]


def own_seat(room: Room, by: By, seat: int | None = None) -> int:
    """That seat, which must be the player's; without a number the first that he has. Raises RoomRefusal."""
    if seat is not None:
        check_owner(room, seat, by.player)
        return seat
    numbers = seats_of(room, by.player)
    if not numbers:
        raise RoomRefusal(RefusalCode.NOT_SEATED, "the player has no seat at this table")
    return next((number for number in numbers if not room.seats[number].left), numbers[0])


def present_seat(room: Room, by: By, seat: int | None = None) -> int:
    """As `own_seat`, of a player who has not left it. Raises RoomRefusal."""
    number = own_seat(room, by, seat)
    check_not_left(room.seats[number])
    return number


def check_owner(room: Room, seat: int, player: str) -> None:
    """Raises RoomRefusal unless the seat is the player's."""
    if 0 <= seat < len(room.seats) and room.seats[seat].player == player:
        return
    if any(other.player == player for other in room.seats):
        raise RoomRefusal(RefusalCode.NOT_YOUR_SEAT, f"seat {seat} isn't this player's")
    raise RoomRefusal(RefusalCode.NOT_SEATED, "the player has no seat at this table")


def check_not_left(seat: Seat) -> None:
    """Raises RoomRefusal for a seat that its player has left."""
    if seat.left:
        raise RoomRefusal(RefusalCode.SEAT_LEFT, "the player has left this seat: take it back first")


def check_host(room: Room, by: By) -> None:
    """Raises RoomRefusal for anybody but the host."""
    if by.player != room.host:
        raise RoomRefusal(RefusalCode.NOT_HOST, "only the host may do that")


def with_seats(room: Room, numbers: list[int], change: Callable[[Seat], Seat]) -> tuple[Seat, ...]:
    """The seats of a room, of which those numbers are changed."""
    return tuple(change(seat) if number in numbers else seat for number, seat in enumerate(room.seats))


def with_host_after(room: Room, leaver: str) -> Step:
    """The room once somebody has left his seats: the host role passes to the next person who is there.

    With nobody left it stays in a game, where he may come back, and is nobody's in a room without persons.
    """
    if room.host != leaver or any(seat.player == leaver and not seat.left for seat in room.seats):
        return room, ()
    heir = next((seat for seat in room.seats if seat.is_present), None)
    if heir is not None:
        return replace(room, host=heir.player), (HostPassed(heir.player, heir.name),)
    return (room if any(seat.is_person for seat in room.seats) else replace(room, host=NOBODY)), ()


def with_kicked(room: Room, player: str) -> Room:
    """The room that a player may not take a seat in."""
    kicked = (*(other for other in room.kicked if other != player), player)
    return replace(room, kicked=kicked[-MAX_KICKED:])
