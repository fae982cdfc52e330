"""The games that docs/rest.md tells of."""

from app.db import Database
from app.rules.record import Record, RecordSeat
from app.scores.recording import make_record_game
from tests.games import ENDED_AT, play
from tests.values import replace

FIRST_PLAYED = 1_790_000_000_000
LIJA = RecordSeat("p3vq8m2kx7", "Lija", "good luck")
MIRO = RecordSeat("p8wn2c5tza", "Miro", "")


def told_games() -> list[Record]:
    """A game of two, and one that Lija played alone a day later."""
    two = play(seats=2, seed=41, game_id="g7d1", ended_at=ENDED_AT)
    alone = play(seats=1, seed=42, game_id="g8k4", ended_at=ENDED_AT + 86_400_000)
    return [replace(two, seats=(LIJA, MIRO)), replace(alone, seats=(LIJA,))]


async def record_told_games(database: Database) -> None:
    for record in told_games():
        await make_record_game(database, now=lambda: FIRST_PLAYED)(record)
