"""Decisions before the start: who sits where, what will be played, and the start itself. Pure."""

from msgspec.structs import replace

from app.rooms.commands import AddBot, By, ChangeSettings, Join, Kick, Leave, MarkReady
from app.rooms.events import BotAdded, Joined, Kicked, Left, Readied, SettingsChanged, Started
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import NOBODY, Phase, Room, Seat, SeatKind, Tally
from app.rooms.seats import (
    Step,
    check_host,
    own_seat,
    seats_of,
    with_host_after,
    with_kicked,
    with_seats,
)
from app.rules.column_choice import with_columns
from app.rules.fairness import BOT_TEXT
from app.rules.game import start as start_game
from app.rules.own_dice import game as own_dice
from app.rules.presets import PRESET_BY_ID
from app.rules.variant import InvalidVariant, Variant


def variant_named(
    variant: str, columns: tuple[str, ...] | None = None, found: Variant | None = None
) -> Variant:
    """The preset with that id, or the variant that was found, and with those of its columns that are chosen.

    Raises RoomRefusal.
    """
    whole = PRESET_BY_ID.get(variant, found)
    if whole is None:
        raise RoomRefusal(RefusalCode.UNKNOWN_VARIANT, f"no variant has the id {variant}")
    if columns is None:
        return whole
    try:
        return with_columns(whole, columns)
    except InvalidVariant as error:
        detail = {"field": error.field, "columns": list(columns)}
        raise RoomRefusal(RefusalCode.UNKNOWN_COLUMNS, str(error), detail) from error


def join(room: Room, command: Join, by: By) -> Step:
    """Take the next free seat."""
    if by.player in room.kicked:
        raise RoomRefusal(RefusalCode.BARRED, "the host has sent this player away")
    if seats_of(room, by.player) and not room.own_dice:
        raise RoomRefusal(RefusalCode.ALREADY_SEATED, "the player has a seat at this table")
    _check_free(room)
    lent_to = command.name if room.own_dice else None
    if lent_to is None:
        seat = Seat(by.player, by.name, command.text, user_name=by.user_name)
    else:
        seat = Seat(by.player, lent_to, command.text, lent=True)
    seats = (*room.seats, seat)
    host = by.player if room.host == NOBODY else room.host
    tally = _tally_named(room, by)
    return replace(room, seats=seats, host=host, tally=tally), (
        Joined(len(room.seats), by.player, seat.name),
    )


def leave(room: Room, command: Leave, by: By) -> Step:
    """The seats after the one given back move up. A leaving host hands his role to the next person."""
    number = own_seat(room, by, command.seat)
    leaving = room.seats[number]
    seats = room.seats[:number] + room.seats[number + 1 :]
    room, passed = with_host_after(replace(room, seats=seats), by.player)
    return _next_game_without((room, (Left(number, leaving.player, leaving.name), *passed)), by.now)


def add_bot(room: Room, _command: AddBot, by: By) -> Step:
    """The bot has the lowest number that is free, and is always ready."""
    check_host(room, by)
    if room.own_dice:
        raise RoomRefusal(RefusalCode.OWN_DICE, "a bot has no dice of its own")
    _check_free(room)
    taken = {seat.player for seat in room.seats}
    number = next(number for number in range(1, len(room.seats) + 2) if f"bot{number}" not in taken)
    bot = Seat(f"bot{number}", f"Bot {number}", BOT_TEXT, SeatKind.BOT, ready=True)
    return replace(room, seats=(*room.seats, bot)), (BotAdded(len(room.seats), bot.name),)


def kick(room: Room, command: Kick, by: By) -> Step:
    """Every seat that the player holds is free again, and he can have none here. A bot is only taken off."""
    sent = room.seats[command.seat]
    numbers = [number for number, seat in enumerate(room.seats) if seat.player == sent.player]
    seats = tuple(seat for seat in room.seats if seat.player != sent.player)
    # From the last: each event names the seat as it is then, and those before it don't move up.
    events = tuple(Kicked(number, sent.player, room.seats[number].name) for number in reversed(numbers))
    freed = replace(room, seats=seats)
    freed = with_kicked(freed, sent.player) if sent.is_person else freed
    return _next_game_without((freed, events), by.now)


def mark_ready(room: Room, command: MarkReady, by: By) -> Step:
    """All seats that the player holds: they are at one device.

    After a rematch every player gives a new text for the dice, and the last who is ready starts the game.
    """
    own_seat(room, by)
    numbers = seats_of(room, by.player)
    text = command.text
    if command.ready and text is None and any(not room.seats[number].text for number in numbers):
        raise RoomRefusal(RefusalCode.NEEDS_TEXT, "the next game's dice need a text of this player")
    seats = with_seats(
        room,
        numbers,
        lambda seat: replace(_named(seat, by), ready=command.ready, text=seat.text if text is None else text),
    )
    room = replace(room, seats=seats, tally=_tally_named(room, by))
    return _next_game((room, tuple(Readied(number, command.ready) for number in numbers)), by.now)


def _named(seat: Seat, by: By) -> Seat:
    """The seat under the name that its player bears now: a name may have changed since they sat down."""
    return seat if seat.lent else replace(seat, name=by.name, user_name=by.user_name)


def _tally_named(room: Room, by: By) -> tuple[Tally, ...]:
    """The wins under the name that the player bears now; those of seats that they lend stay as they are."""
    own = {seat.name for seat in room.seats if seat.player == by.player and not seat.lent}
    return tuple(
        replace(tally, name=by.name)
        if tally.player == by.player and (tally.name in own or not room.own_dice)
        else tally
        for tally in room.tally
    )


def _next_game(step: Step, now: int) -> Step:
    """A game that follows another starts by itself once everybody is ready.

    Whom all others have left decides for themselves: they may wait for somebody to come.
    """
    room, events = step
    if room.previous_game is None or not all(seat.ready for seat in room.seats):
        return step
    if len(room.seats) == 1 and room.max_seats > 1:
        return step
    room, started_events = started(room, now)
    return room, (*events, *started_events)


def _next_game_without(step: Step, now: int) -> Step:
    """The same once somebody is gone for whom the others waited; but nobody is left to play alone by that."""
    room, _ = step
    return (
        _next_game(step, now) if len(room.seats) > 1 and any(seat.is_person for seat in room.seats) else step
    )


def change_settings(room: Room, command: ChangeSettings, by: By) -> Step:
    """What was agreed to is no longer what will be played: nobody is ready any more, but bots.

    What the host has said of undoing stands until he says another thing: it fits every variant. So does what
    players have said of keeping the game, but at an own-dice table, whose games are on no leaderboard anyway.
    """
    check_host(room, by)
    # The table's own variant is always known here: one of chosen columns is kept nowhere else.
    found = room.variant if command.variant == room.variant.id else command.found
    variant = variant_named(command.variant, command.columns, found)
    if command.max_seats < len(room.seats):
        raise RoomRefusal(RefusalCode.TOO_FEW_SEATS, f"{len(room.seats)} players are seated")
    own = room.own_dice if command.own_dice is None else command.own_dice
    _check_whose_dice(room, own)
    changed = replace(
        room,
        variant=variant,
        max_seats=command.max_seats,
        seats=tuple(
            replace(seat, ready=not seat.is_person, kept=seat.kept and not own) for seat in room.seats
        ),
        undo=command.undo or room.undo,
        own_dice=own,
        pace=command.pace or room.pace,
        chat=room.chat if command.chat is None else command.chat,
    )
    return changed, (SettingsChanged(variant.id, command.max_seats),)


def start(room: Room, by: By) -> Step:
    """The host starts when everybody is ready; bots alone don't play."""
    check_host(room, by)
    waiting = [number for number, seat in enumerate(room.seats) if not seat.ready]
    if waiting or not any(seat.is_person for seat in room.seats):
        sentence = f"not ready: seats {waiting}" if waiting else "nobody has taken a seat"
        raise RoomRefusal(RefusalCode.NOT_READY, sentence, {"seats": waiting})
    return started(room, by.now)


def started(room: Room, now: int) -> tuple[Room, tuple[Started, ...]]:
    """The room whose game has just begun."""
    seats = len(room.seats)
    room = replace(room, phase=Phase.PLAYING, started_at=now)
    if room.own_dice:
        return replace(room, own_game=own_dice.start(room.variant, seats)), (Started(seats),)
    return replace(room, game=start_game(room.variant, seats, room.undoing)), (Started(seats),)


def _check_free(room: Room) -> None:
    if len(room.seats) >= room.max_seats:
        raise RoomRefusal(RefusalCode.ROOM_FULL, f"all {room.max_seats} seats are taken")


def _check_whose_dice(room: Room, own: bool) -> None:
    seats = room.seats
    if own and any(not seat.is_person for seat in seats):
        raise RoomRefusal(RefusalCode.BOT_SEAT, "a bot has no dice of its own: take the bots off first")
    if not own and (any(seat.lent for seat in seats) or len({seat.player for seat in seats}) < len(seats)):
        sentence = "only with own dice can a player hold several seats, or one for somebody else"
        raise RoomRefusal(RefusalCode.ALREADY_SEATED, sentence)
