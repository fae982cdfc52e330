"""A database with some thousand results, so that what is read from it costs something."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from app.clock import now_ms
from app.db import Database
from app.rules.presets import PRESET_BY_ID
from app.rules.record import Record
from app.schema import migrate
from app.scores.periods import month_of
from app.scores.recording import make_record_game
from tests.games import play
from tests.values import replace

RESULTS = 5000
_PLAYERS = 500
_VARIANT = "classic-5x4"
_YEAR_MS = 365 * 24 * 60 * 60 * 1000
_BEFORE_BOARDS = (
    "0002"  # what the migrations after it make of these results is what recording would have made
)

Result = tuple[str, int, str, str, int, int, int, str]


@dataclass(frozen=True, slots=True)
class Books:
    """What strangers can read there: a long game with its record, and who has played most."""

    game: str = "long"
    player: str = "p000000000"


def fill(file: Path, seed: int, results: int = RESULTS) -> Books:
    """Make the database's file, brought to the schema of this program."""
    file.parent.mkdir(parents=True, exist_ok=True)
    asyncio.run(_fill(file, list(_results(results, Random(seed)))))
    return Books()


async def _fill(file: Path, results: list[Result]) -> None:
    database = Database(f"sqlite+aiosqlite:///{file}")
    try:
        await migrate(database, to=_BEFORE_BOARDS)
        _load(file, results)
        await migrate(database)
        record_game = make_record_game(database)
        for record in _records():
            await record_game(record)
    finally:
        await database.dispose()


def _results(count: int, chance: Random) -> Iterator[Result]:
    now = now_ms()
    for number in range(count):
        ended_at = now - int(chance.random() * _YEAR_MS)
        player = f"p{int(_PLAYERS * chance.random() ** 2):09}"
        score = int(chance.gauss(850, 180))
        yield (f"g{number:09}", 0, _VARIANT, player, score, 1, ended_at, month_of(ended_at))


def _load(file: Path, results: list[Result]) -> None:
    players = [(f"p{number:09}", f"Player {number}", 1) for number in range(_PLAYERS)]
    games = [(result[0], _VARIANT, result[6], "{}") for result in results]
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executemany("INSERT INTO players VALUES (?, ?, ?)", players)
        connection.executemany("INSERT INTO games VALUES (?, ?, ?, ?)", games)
        connection.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)", results)


def _records() -> list[Record]:
    """A game of eight, whose replay is the longest, and one of who has played most in each variant."""
    books = Books()
    records = [play(PRESET_BY_ID["papir"], 8, seed=1, game_id=books.game)]
    records += [play(variant, 1, seed=1, game_id=f"of-{name}") for name, variant in PRESET_BY_ID.items()]
    return [
        replace(record, seats=(replace(record.seats[0], player=books.player), *record.seats[1:]))
        for record in records
    ]
