"""Results that were stored before there were boards of days and players are on them after the migration."""

from collections.abc import AsyncIterator
from random import Random

import pytest
from sqlalchemy import text

from app.db import Database
from app.schema import drift_of, migrate
from app.scores.periods import month_of
from tests.databases import empty_database_url
from tests.scores.books import BOARD_ADDRESS, INSTANTS, SPANS, Book, client_of, enter, game_of, rows_in

__all__ = ["empty_database_url"]

PLAYERS = [f"p{number}" for number in range(6)]


@pytest.fixture
async def empty_database(empty_database_url: str) -> AsyncIterator[Database]:
    opened = Database(empty_database_url)
    yield opened
    await opened.dispose()


async def store_as_before(database: Database, book: Book) -> None:
    """As revision 0002 had it."""
    games = {(each.game, each.variant, each.ended_at) for each in book.entries}
    async with database.session() as session:
        for player in PLAYERS:
            names = {"id": player, "name": f"Name of {player}"}
            await session.execute(text("INSERT INTO players VALUES (:id, :name, 1)"), names)
        for game, variant, ended_at in games:
            values = {"game": game, "variant": variant, "ended_at": ended_at}
            await session.execute(text("INSERT INTO games VALUES (:game, :variant, :ended_at, '{}')"), values)
        for each in book.entries:
            await session.execute(
                text(
                    "INSERT INTO results "
                    "VALUES (:game, :seat, :variant, :player, :score, 1, :ended_at, :month)"
                ),
                {
                    "game": each.game,
                    "seat": each.seat,
                    "variant": each.variant,
                    "player": each.player,
                    "score": each.score,
                    "ended_at": each.ended_at,
                    "month": month_of(each.ended_at),
                },
            )


async def test_results_are_carried_over(empty_database: Database) -> None:
    chance = Random(3)
    seats = [[(player, chance.randint(-70, 70)) for player in chance.sample(PLAYERS, 3)] for _ in range(40)]
    book = Book(
        [
            entry
            for number, each in enumerate(seats)
            for entry in game_of(f"g{number}", chance.choice(INSTANTS), each)
        ]
    )
    await migrate(empty_database, to="0002")
    await store_as_before(empty_database, book)

    await migrate(empty_database)

    assert await drift_of(empty_database) == []
    # What is stored from now on is counted with what was there.
    later = game_of("later", INSTANTS[3], [("p0", 71), ("p1", 3), ("p2", -71)])
    await enter(empty_database, later)
    book.entries += later
    async with client_of(empty_database) as client:
        for period in SPANS:
            for mode in ("results", "players"):
                asked = {"period": period, "mode": mode, "limit": "100"}
                page = (await client.get(BOARD_ADDRESS, params=asked)).json()
                rows = book.rows(period, mode)
                assert (rows_in(page), page["total"]) == (rows[:100], len(rows))
        mine = await client.get(
            BOARD_ADDRESS, params={"player": "me", "limit": "100"}, headers={"x-player": "p0"}
        )
        assert rows_in(mine.json()) == [row for row in book.rows("all", "results") if row[1].player == "p0"]
