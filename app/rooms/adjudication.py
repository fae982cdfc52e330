"""What the table is asked, or given, when somebody has been gone for long. Pure.

Nobody is said to have left because a connection ended, and nobody wins by it.
"""

from collections.abc import Callable, Iterable

from app.rooms.commands import CallOut, PassHost
from app.rooms.presence import Presence, Sight
from app.rooms.room import NOBODY, OfferReason, Phase, Room, Seat

See = Callable[[str], Sight]
"""How a player is now."""


def call_out(room: Room, see: See, now: int, gone_ms: int) -> CallOut | None:
    """The offer to the others, once the player to move has been gone for so long.

    When they chose to wait it is counted anew from then.
    """
    game = room.game
    if (
        game is None
        or room.phase is not Phase.PLAYING
        or room.offer is not None
        or room.bot_turn == game.turn
    ):
        return None
    seat = room.seats[game.seat]
    if not seat.is_present or not _is_gone_since(see(seat.player), room.waited_at or 0, now - gone_ms):
        return None
    return CallOut(game.seat, game.turn, OfferReason.GONE)


def pass_host(room: Room, see: See, onlookers: Iterable[tuple[str, str]] = ()) -> PassHost | None:
    """To whom a host who is gone passes his role: to the next player who is here, else to one who is away.

    In a lobby in which no player is, it goes to one of `onlookers` (player and name), who are here.
    """
    if room.host == NOBODY or see(room.host).presence is not Presence.GONE:
        return None
    heirs = [(seat.player, seat.name) for seat in _after_host(room) if seat.is_present and not seat.lent]
    for presence in (Presence.HERE, Presence.AWAY):
        for player, name in heirs:
            if see(player).presence is presence:
                return PassHost(player, name, gone=room.host)
    if room.phase is Phase.LOBBY:
        for player, name in onlookers:
            if player != room.host:
                return PassHost(player, name, gone=room.host)
    return None


def _is_gone_since(sight: Sight, waited_at: int, latest: int) -> bool:
    return sight.missed_since is not None and max(sight.missed_since, waited_at) <= latest


def _after_host(room: Room) -> tuple[Seat, ...]:
    """The seats in their order, beginning after the host's."""
    own = next((number for number, seat in enumerate(room.seats) if seat.player == room.host), -1)
    return room.seats[own + 1 :] + room.seats[: own + 1]
