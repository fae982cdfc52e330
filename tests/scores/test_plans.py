"""No page of a board reads a table whole or sorts one: its rows are a stretch of the index made for it."""

import pytest
from sqlalchemy import text

from app.db import Database
from app.scores.board_pages import edge_of_game, page_of
from app.scores.boards import Board, Edge, Mode, Position, Side
from tests.scores.books import NOW, enter, game_of
from tests.scores.plans import listening, plan_of

POSITION = Position(5, NOW, "g1", 0)
INDEXES = {
    "": "ix_results_board",
    "2026-11": "ix_results_month_board",
    "2026-11-30": "ix_results_day_board",
}


def index_of(mode: Mode, period: str, player: str | None) -> tuple[str, ...]:
    """The names it may have: SQLite has its own for a key's, and one best is found anyhow."""
    if mode is Mode.PLAYERS:
        keys = () if player is None else ("pk_bests", "sqlite_autoindex_bests_1")
        return ("ix_bests_board", *keys)
    return (INDEXES[period] if player is None else "ix_results_player",)


async def test_pages_are_read_from_the_index_that_is_for_them(database: Database, database_url: str) -> None:
    await enter(database, game_of("g1", NOW, [("p0", 5), ("p1", 4)]))
    is_sqlite = database_url.startswith("sqlite")
    explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
    asked = []
    for mode in Mode:
        for period in INDEXES:
            for player in (None, "p0"):
                board = Board("classic-5x4", period, mode)
                for side in (None, *Side):
                    edge = Edge(side, POSITION) if side else None
                    with listening(database._engine.sync_engine) as statements:
                        async with database.reading() as session:
                            await page_of(session, board, limit=10, edge=edge, player=player)
                    rows = next(each for each in statements if "found.player_id" in each[0])
                    asked.append((index_of(mode, period, player), *rows))
    async with database.reading() as session:
        if not is_sqlite:
            # There are only two rows: without these it would read them all.
            for way in ("seqscan", "bitmapscan"):
                await session.execute(text(f"SET LOCAL enable_{way} = off"))
        connection = await session.connection()
        for indexes, statement, parameters in asked:
            plan = await plan_of(connection, statement, parameters, explain=explain)
            whole = "\n".join(plan)
            assert any(f" {index} " in whole for index in indexes), whole
            # What is found of each of the two parts, at most a page, is merged in order: no more is sorted.
            assert whole.count("Sort Key") + whole.count("TEMP B-TREE") <= 2, whole
            assert "Seq Scan" not in whole
            assert not any(f"SCAN {table}" in whole for table in ("results", "bests", "tallies")), whole


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("player", [None, "p0"])
async def test_a_game_is_found_on_a_board_by_its_own_rows(
    database: Database, database_url: str, mode: Mode, player: str | None
) -> None:
    await enter(database, game_of("g1", NOW, [("p0", 5), ("p1", 4)]))
    is_sqlite = database_url.startswith("sqlite")
    for period in INDEXES:
        board = Board("classic-5x4", period, mode)
        async with database.reading() as session:
            with listening(database._engine.sync_engine) as statements:
                assert await edge_of_game(session, board, "g1", limit=10, player=player) is not None
                assert await edge_of_game(session, board, "g2", limit=10, player=player) is None
            if not is_sqlite:
                await session.execute(text("SET LOCAL enable_seqscan = off"))
            connection = await session.connection()
            explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
            whole = "\n".join(await plan_of(connection, *statements[0], explain=explain))
        if is_sqlite:  # which was never told how large its tables are
            assert "sqlite_autoindex_results_1 (game_id=?)" in whole
            assert mode is Mode.RESULTS or "sqlite_autoindex_bests_1 (player_id=?" in whole
            assert "ix_" not in whole
        else:
            assert "Seq Scan" not in whole
