"""The statistics of a player are those of all his records, in whatever order and by whomever added."""

import asyncio
import json
from collections.abc import Sequence
from functools import reduce
from random import Random
from typing import Any

from alembic.config import Config
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from app.db import Database, SyncConnection
from app.rules.events import Announced, Filled, Undone
from app.rules.plain import Plain, record_to_plain
from app.rules.presets import PAPIR
from app.rules.record import Record
from app.scores.recording import make_record_game
from app.scores.repository import FinishedGame, Result, add_game
from app.scores.statistics import (
    BUCKET_POINTS,
    Statistics,
    added,
    statistics_by_seat,
    statistics_from_plain,
    statistics_to_plain,
)
from app.scores.tables import StatisticsRow
from tests.games import play
from tests.scores.plans import Asked, listening
from tests.servers import ROOT
from tests.values import replace

RECORDS = [play(seats=1 + seed % 3, seed=seed) for seed in range(8)] + [
    play(PAPIR, seats=1 + seed % 3, seed=seed, game_id=f"g-papir-{seed}") for seed in range(4)
]


def recounted(plains: Sequence[dict[str, Any]], player: str) -> Plain:
    """The statistics of a player by a second way: from what the records show, game by game."""
    games = [(plain, seat["seat"]) for plain in plains for seat in plain["seats"] if seat["player"] == player]
    totals = [
        next(each["total"] for each in plain["standings"] if each["seat"] == seat) for plain, seat in games
    ]
    cells: dict[str, list[int]] = {}
    columns: dict[str, int] = {}
    announced, succeeded = 0, 0
    for plain, seat in games:
        written: dict[tuple[str, str], int] = {}
        said = set()
        for event in plain["log"]:
            if event["seat"] == seat and event["type"] == "filled":
                written[event["column"], event["row"]] = event["score"]
            if event["seat"] == seat and event["type"] == "announced":
                said.add((event["column"], event["row"]))
        for rule in plain["variant"]["rows"]:
            cells.setdefault(rule["row"], [])
        for (_, row), score in written.items():
            cells[row].append(score)
        for column, sums in plain["sheets"][seat]["sums"].items():
            columns[column] = columns.get(column, 0) + sums["total"]
        announced += len(said)
        succeeded += sum(written[cell] > 0 for cell in said)
    buckets = sorted({total // 50 * 50 for total in totals})
    return {
        "games": len(games),
        "wins": sum(
            len(plain["seats"]) > 1
            and any(each["seat"] == seat and each["place"] == 1 for each in plain["standings"])
            for plain, seat in games
        ),
        "points": sum(totals),
        "best": max(totals),
        "totals": [[bucket, sum(total // 50 * 50 == bucket for total in totals)] for bucket in buckets],
        "rows": [
            {"row": row, "cells": len(scores), "points": sum(scores), "crossed_out": scores.count(0)}
            for row, scores in cells.items()
        ],
        "columns": [{"column": column, "points": points} for column, points in columns.items()],
        "announced": announced,
        "succeeded": succeeded,
    }


def as_stored(statistics: Statistics) -> Plain:
    plain: Plain = json.loads(json.dumps(statistics_to_plain(statistics)))
    return plain


async def kept_statistics(database: Database) -> dict[tuple[str, str], Plain]:
    async with database.reading() as session:
        rows = await session.scalars(select(StatisticsRow))
        return {(row.player_id, row.variant): row.sums for row in rows}


def expected_statistics(records: Sequence[Record]) -> dict[tuple[str, str], Plain]:
    by_key: dict[tuple[str, str], list[Plain]] = {}
    for record in records:
        for seat in record.seats:
            by_key.setdefault((seat.player, record.variant.id), []).append(record_to_plain(record))
    return {key: recounted(plains, key[0]) for key, plains in by_key.items()}


@settings(max_examples=10)
@given(order=st.permutations(RECORDS[:8]), cut=st.integers(0, 7))
def test_games_may_be_added_in_any_order_and_grouping(order: list[Record], cut: int) -> None:
    def of(records: list[Record]) -> list[Statistics]:
        return [statistics_by_seat(record)[0] for record in records]

    whole = reduce(added, of(order))
    parts = [reduce(added, of(part)) for part in (order[:cut], order[cut:]) if part]

    assert as_stored(whole) == recounted([record_to_plain(record) for record in RECORDS[:8]], "p0")
    assert reduce(added, parts) == whole
    assert statistics_from_plain(as_stored(whole)) == whole


async def test_what_archivers_keep_at_once_is_what_all_records_give(
    database: Database, database_url: str
) -> None:
    """Two of them, each with all games in an order of its own, and with the players in other seats."""
    turned = [
        replace(record, seats=record.seats[::-1]) if index % 2 else record
        for index, record in enumerate(RECORDS)
    ]
    other = Database(database_url)
    orders = [Random(seed).sample(turned, len(turned)) for seed in (1, 2)]

    async def archive(into: Database, records: Sequence[Record]) -> None:
        await asyncio.gather(*(make_record_game(into)(record) for record in records))

    await asyncio.gather(archive(database, orders[0]), archive(other, orders[1]))
    await other.dispose()

    assert await kept_statistics(database) == expected_statistics(turned)


async def test_the_migration_counts_the_games_that_are_there(database: Database) -> None:
    for record in RECORDS[:4]:
        await make_record_game(database)(record)
    unreadable = FinishedGame("g-none", "papir", 1, {}, [Result(0, "p0", 5, 1)])
    async with database.session() as session:
        await add_game(session, unreadable)
    kept = await kept_statistics(database)

    asked = await database.exclusively(_migrate_again)

    assert await kept_statistics(database) == kept == expected_statistics(RECORDS[:4])
    # Both tables are read through: a question for each few games would be slow where there are many.
    read = [statement for statement, _ in asked if "FROM games" in statement or "FROM results" in statement]
    assert len(read) == 2


def _migrate_again(connection: SyncConnection) -> Asked:
    """What the migration asked the database."""
    migration = ScriptDirectory.from_config(Config(ROOT / "alembic.ini")).get_revision("0005").module
    with Operations.context(MigrationContext.configure(connection)):
        migration.downgrade()
        with listening(connection) as asked:
            migration.upgrade()
    return asked


async def test_a_seat_without_a_result_has_no_statistics(database: Database) -> None:
    record = RECORDS[1]
    seats = (record.seats[0], replace(record.seats[1], ended="bot_from_turn_4"))

    await make_record_game(database)(replace(record, seats=seats))

    assert set(await kept_statistics(database)) == {("p0", "classic-5x4")}


def test_a_table_of_one_wins_nothing_and_equals_share_the_win() -> None:
    assert [each.wins for each in statistics_by_seat(play(seats=1, seed=5))] == [0]
    won = statistics_by_seat(play(seats=3, seed=5))
    assert sorted(each.wins for each in won) == [0, 0, 1]


def test_an_announcement_that_was_undone_counts_once() -> None:
    """What was written is taken back; that it was announced the others have heard."""
    record = play(seats=1, seed=7)
    place = next(index for index, event in enumerate(record.log) if isinstance(event, Announced))
    filled = next(index for index in range(place, len(record.log)) if isinstance(record.log[index], Filled))
    twice = (*record.log[: filled + 1], Undone(0), *record.log[filled:])

    assert statistics_by_seat(replace(record, log=twice)) == statistics_by_seat(record)


def test_a_bucket_holds_the_totals_from_its_lowest_on() -> None:
    (one,) = statistics_by_seat(play(seats=1, seed=5))
    ((lowest, games),) = one.totals
    assert games == 1
    assert lowest % BUCKET_POINTS == 0
    assert lowest <= one.best < lowest + BUCKET_POINTS
