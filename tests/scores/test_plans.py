"""No page of a board reads a table whole or sorts one: its rows are a stretch of the index made for it."""

from sqlalchemy import text

from app.db import Database
from app.scores.board_pages import page_of
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
