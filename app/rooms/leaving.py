"""Leaving a game for good, being sent away from it, coming back, and who is the host then. Pure."""

from msgspec.structs import replace

from app.rooms import lobby
from app.rooms.commands import By, Kick, Leave, PassHost, Return
from app.rooms.ending import finished
from app.rooms.events import HostPassed, Kicked, RoomEvent, SeatLeft, SeatReturned
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import NOBODY, Phase, Room
from app.rooms.seats import (
    Step,
    check_host,
    own_seat,
    present_seat,
    seats_of,
    with_host_after,
    with_kicked,
    with_seats,
)
from app.rules.own_dice import game as own_dice


def leave(room: Room, command: Leave, by: By) -> Step:
    """The seat stays at the table: a bot plays on in it, or at an own-dice table nobody."""
    number = present_seat(room, by, command.seat)
    room = replace(room, seats=with_seats(room, [number], lambda seat: replace(seat, left=True)))
    return _with_others(room, by.player, (SeatLeft(number),), by.now)


def kick(room: Room, command: Kick, by: By) -> Step:
    """The host sends a player away for good, or takes a bot off before the start."""
    check_host(room, by)
    if not 0 <= command.seat < len(room.seats):
        raise RoomRefusal(RefusalCode.NOT_SEATED, f"nobody sits in seat {command.seat}")
    sent = room.seats[command.seat]
    if sent.player == by.player:
        raise RoomRefusal(RefusalCode.OWN_SEAT, "nobody can send himself away: leave")
    if room.phase is Phase.LOBBY:
        return lobby.kick(room, command, by)
    if not sent.is_person:
        raise RoomRefusal(RefusalCode.BOT_SEAT, "a bot can be taken off in the lobby alone")
    if sent.barred:
        raise RoomRefusal(RefusalCode.BARRED, "this player has been sent away before")
    numbers = seats_of(room, sent.player)
    seats = with_seats(room, numbers, lambda seat: replace(seat, left=True, barred=True))
    events = tuple(Kicked(number, sent.player, room.seats[number].name) for number in numbers)
    return _with_others(with_kicked(replace(room, seats=seats), sent.player), sent.player, events, by.now)


def come_back(room: Room, command: Return, by: By) -> Step:
    """Take a seat back that one left, or a turn that a bot was given to play."""
    number = own_seat(room, by, command.seat)
    if command.seat is None:
        number = next((mine for mine in seats_of(room, by.player) if room.seats[mine].left), number)
    seat = room.seats[number]
    if seat.barred:
        raise RoomRefusal(RefusalCode.BARRED, "the host has sent this player away")
    is_bot_turn = room.game is not None and room.game.seat == number and room.bot_turn == room.game.turn
    if not seat.left and not is_bot_turn:
        raise RoomRefusal(RefusalCode.STALE, "the player plays this seat himself")
    seats = with_seats(room, [number], lambda mine: replace(mine, left=False))
    bot_turn = None if is_bot_turn else room.bot_turn
    room = replace(room, seats=seats, bot_turn=bot_turn)
    # The role stayed with a host who left when nobody else was there, and so did a game that was his to end.
    return _with_others(room, room.host if _is_host_away(room) else NOBODY, (SeatReturned(number),), by.now)


def pass_host(room: Room, command: PassHost, _by: By) -> Step:
    """Whether the new host is there, and the old one isn't, is known to who asks for it."""
    to = command.to
    if to == room.host or command.gone not in {None, room.host}:
        raise RoomRefusal(RefusalCode.STALE, "the host is another already")
    seat = next((seat for seat in room.seats if seat.player == to and seat.is_present), None)
    if seat is None and (room.phase is not Phase.LOBBY or to in room.kicked):
        raise RoomRefusal(RefusalCode.NOT_SEATED, "only a player at the table can be its host")
    name = command.name if seat is None else seat.name
    return replace(room, host=to), (HostPassed(to, name),)


def _is_host_away(room: Room) -> bool:
    seats = [seat for seat in room.seats if seat.player == room.host]
    return bool(seats) and all(seat.left for seat in seats)


def _with_others(room: Room, leaver: str, events: tuple[RoomEvent, ...], now: int) -> Step:
    """The room once others are there than before: who is host, and whether they have finished already."""
    room, passed = with_host_after(room, leaver)
    if room.phase is Phase.PLAYING and room.own_game is not None and is_own_game_over(room):
        room, ended = finished(room, now)
        return room, (*events, *passed, *ended)
    return room, (*events, *passed)


def is_own_game_over(room: Room) -> bool:
    """Whether all who are still at an own-dice table have filled their sheets. Never with nobody there."""
    game = room.own_game
    playing = [number for number, seat in enumerate(room.seats) if not seat.left]
    return game is not None and bool(playing) and own_dice.is_over(game, playing)
