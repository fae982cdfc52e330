"""What a room does by itself: the turns that bots play, its timer, and how long it is kept. Pure."""

from msgspec.structs import replace

from app.rooms.room import TURN_MS, Offer, Phase, Room, SeatKind

BOT_PAUSE_MS = 800
"""Between two actions of a bot, so that the others can follow."""
_HOUR_MS = 3_600_000
KEEP_MS: dict[Phase, int] = {
    Phase.LOBBY: _HOUR_MS // 2,
    Phase.PLAYING: 48 * _HOUR_MS,
    Phase.FINISHED: 48 * _HOUR_MS,
}
"""How long a room is kept after its last commit."""


def is_bot_to_move(room: Room) -> bool:
    """Whether a bot plays the turn that is on: its own, that of a player who left, or one it was given."""
    game = room.game
    if game is None or room.phase is not Phase.PLAYING:
        return False
    seat = room.seats[game.seat]
    return seat.kind is SeatKind.BOT or seat.left or room.bot_turn == game.turn


def due_at(room: Room) -> int | None:
    """When the room's timer is to fire; None for a room that waits for people alone.

    A deadline is called out once: while the others are asked nothing is due.
    """
    if is_bot_to_move(room):
        return room.bot_at
    return room.deadline if room.offer is None else None


def keep_ms(room: Room) -> int:
    """How long the room is kept after this commit, unless another follows."""
    return KEEP_MS[room.phase]


def turn_ends_at(room: Room, now: int) -> int | None:
    """The deadline of a turn that begins now."""
    time = TURN_MS[room.pace]
    return None if time is None else now + time


def with_clock(before: Room, room: Room, now: int) -> Room:
    """The room after a step, with what belongs to the turn that is on now.

    A turn begins with its whole time; so does what is left of one that its player takes over from a bot, or
    in which he acts although his time was over. But who leaves in his turn and comes back finds it as it was:
    else nobody would ever be asked about who does so again and again. A bot has nothing to be asked about.
    """
    game = room.game
    if game is None or room.phase is not Phase.PLAYING:
        return _with_turn(room)
    if before.game is None or before.game.turn != game.turn:
        room = _with_turn(room)
        is_new = True
    else:
        is_new = _is_taken_over(before) or _acted_late(before, room, now)
    if is_bot_to_move(room):
        kept = room.deadline if room.bot_turn is None else None
        return _with_turn(room, kept, bot_turn=room.bot_turn, bot_at=_bot_at(before, room, now))
    ends_at = turn_ends_at(room, now) if is_new else room.deadline
    return _with_turn(room, ends_at, offer=room.offer, waited_at=room.waited_at)


def _bot_at(before: Room, room: Room, now: int) -> int:
    """The pause begins with an action of the game: nothing else that is done at the table puts a bot off."""
    if before.bot_at is not None and before.game is room.game:
        return before.bot_at
    return now + BOT_PAUSE_MS


def _is_taken_over(before: Room) -> bool:
    """Whether a player who is to move now has the turn from a bot, and no time of his own in it."""
    return is_bot_to_move(before) and before.deadline is None


def _acted_late(before: Room, room: Room, now: int) -> bool:
    is_over = room.deadline is not None and room.deadline <= now
    return is_over and before.offer is not None and room.offer is None


def _with_turn(
    room: Room,
    deadline: int | None = None,
    *,
    bot_turn: int | None = None,
    bot_at: int | None = None,
    offer: Offer | None = None,
    waited_at: int | None = None,
) -> Room:
    """The room with all that belongs to the turn; the same object where nothing differs."""
    before = (room.deadline, room.bot_turn, room.bot_at, room.offer, room.waited_at)
    if before == (deadline, bot_turn, bot_at, offer, waited_at):
        return room
    return replace(
        room, deadline=deadline, bot_turn=bot_turn, bot_at=bot_at, offer=offer, waited_at=waited_at
    )
