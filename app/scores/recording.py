"""A finished game into the books, once."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from app.accounts.repository import deleted_among, keep_players
from app.clock import Now, now_ms
from app.db import Database
from app.rules.column_choice import base_of
from app.rules.game import standings
from app.rules.plain import record_to_plain
from app.rules.presets import for_seats
from app.rules.record import Record, RecordSeat
from app.rules.variant import Variant
from app.scores.board_rows import list_results
from app.scores.own_games import without_player
from app.scores.player_repository import add_to_statistics
from app.scores.repository import FinishedGame, Result, add_game
from app.scores.statistics import statistics_by_seat

RecordGame = Callable[[Record], Awaitable[None]]

# How a seat ended when its person played it to the end.
_PLAYED = "played"
_BOT = "bot"


def make_record_game(database: Database, *, now: Now = now_ms) -> RecordGame:
    """The function that records a game in one transaction; recording it again changes nothing.

    Raises DatabaseUnavailable.
    """

    async def record_game(record: Record) -> None:
        game = finished_game(record)
        listed = {result.player for result in game.results}
        name_by_player = {seat.player: seat.name for seat in record.seats if seat.player in listed}
        by_seat, base = statistics_by_seat(record), base_of_record(record)
        async with database.session() as session:
            await keep_players(session, name_by_player, now())
            # Who has deleted himself while the game was played, or waited to be recorded, has no name in it.
            deleted = await deleted_among(session, set(game.players.values()))
            for player in deleted:
                game = replace(game, record=without_player(game.record, player))
            if await add_game(session, game):
                await list_results(session, game)
                await add_to_statistics(session, game, by_seat, base=base, but=deleted)

    return record_game


def finished_game(record: Record) -> FinishedGame:
    """What is stored of a record. The variant is that which was played: a table of one may lack a column."""
    results = [
        Result(seat=seat, player=record.seats[seat].player, score=total, place=place)
        for place, seat, total in standings(record.final)
        if is_listed(record.seats[seat])
    ]
    return FinishedGame(
        id=record.game_id,
        variant=_played(record).id,
        ended_at=record.ended_at,
        record=record_to_plain(record),
        results=results,
        players={seat: who.player for seat, who in enumerate(record.seats) if who.ended != _BOT},
    )


def is_listed(seat: RecordSeat) -> bool:
    """Whether the result enters the leaderboards: its person played to the end, and didn't keep it."""
    return seat.ended == _PLAYED and not seat.kept


def _played(record: Record) -> Variant:
    """The variant as its table played it."""
    return for_seats(record.variant, len(record.seats))


def base_of_record(record: Record) -> str:
    """The id of the variant whose columns were chosen, or its own where nothing was."""
    played = _played(record)
    return (base_of(played) or played).id
