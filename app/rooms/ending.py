"""The end of a room's game: what it leaves behind for the table and for the books. Pure."""

from msgspec.structs import replace

from app.rooms.events import Finished
from app.rooms.room import MAX_TALLY, SHEETS_FULL, Phase, Room, Seat, SeatKind, Tally
from app.rules.game import standings as game_standings
from app.rules.own_dice import game as own_dice
from app.rules.standings import Standing

LISTED_BOT_TURNS = 2
"""In so many turns a bot may act in a player's place, and the game is still the player's own."""


def finished(room: Room, now: int) -> tuple[Room, tuple[Finished, ...]]:
    """The room at the end of its game, which counts in the tally of this room."""
    over = replace(
        room,
        phase=Phase.FINISHED,
        ended_at=now,
        games=room.games + 1,
        tally=_tally(room, by=1),
    )
    return over, (Finished(SHEETS_FULL),)


def reopened(room: Room) -> Room:
    """The room as if its game, which has ended, went on: neither the game nor its wins count any more."""
    return replace(
        room,
        phase=Phase.PLAYING,
        ended_at=None,
        games=room.games - 1,
        tally=_tally(room, by=-1),
    )


def standings(room: Room) -> tuple[Standing, ...] | None:
    """The places of the game in the room; None in the lobby."""
    if room.own_game is not None:
        return own_dice.standings(room.own_game)
    return game_standings(room.game) if room.game is not None else None


def how_ended(seat: Seat) -> str:
    """How a seat ended, for the record: "played" by its person, "bot", or "bot_from_turn_7" and so on.

    The number is that of the first turn in which a bot acted in the player's place.
    """
    if seat.kind is SeatKind.BOT:
        return "bot"
    if seat.bot_since is not None and (seat.left or seat.bot_turns > LISTED_BOT_TURNS):
        return f"bot_from_turn_{seat.bot_since}"
    return "played"


def _tally(room: Room, by: int) -> tuple[Tally, ...]:
    """The wins with so many more for the winners of this game, -1 to count it no longer.

    First those who sit here, then the others as long as there is room.
    """
    wins = {(tally.player, tally.name): tally.wins for tally in room.tally}
    here = [(seat.player, seat.name) for seat in room.seats]
    winners = [here[seat] for place, seat, _ in standings(room) or () if place == 1]
    for who in winners:
        wins[who] = wins.get(who, 0) + by
    others = [who for who in wins if who not in here]
    names = [*dict.fromkeys(here), *others][:MAX_TALLY]
    return tuple(Tally(player, name, wins.get((player, name), 0)) for player, name in names)
