"""A finished game enters the books once, whole, and in the month of its end."""

import asyncio
import json
from datetime import UTC, datetime

import pytest
from sqlalchemy.exc import IntegrityError

from app.accounts.repository import add_player
from app.db import Database
from app.rules.game import standings
from app.rules.plain import record_from_plain, record_to_plain
from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.record import Record, RecordSeat
from app.scores.board_pages import page_of, total_of
from app.scores.boards import Board, Mode
from app.scores.periods import day_of, month_of
from app.scores.recording import finished_game, make_record_game
from app.scores.repository import FinishedGame, Result, add_game, record_of_game
from tests.games import play
from tests.values import replace

ALL = Board("classic-5x4")


async def rows_of(database: Database, board: Board) -> int:
    async with database.reading() as session:
        return await total_of(session, board)


async def test_a_record_comes_back_as_it_was_given(database: Database) -> None:
    record = play(PAPIR, 3, seed=5)

    await make_record_game(database)(record)

    async with database.reading() as session:
        stored = await record_of_game(session, record.game_id)
    assert stored == record_to_plain(record) | {"board": record.variant.id}
    assert record_from_plain(stored) == record


async def test_each_seat_has_a_result_with_its_place(database: Database) -> None:
    record = play(seats=4, seed=6)

    await make_record_game(database)(record)

    async with database.reading() as session:
        rows = (await page_of(session, ALL, limit=10)).standings
    expected = [(place, f"p{seat}", total) for place, seat, total in standings(record.final)]
    assert [(row.place, row.player.id, row.position.score) for row in rows] == expected


async def test_recording_twice_is_recording_once(database: Database) -> None:
    record = play(seed=7)
    record_game = make_record_game(database)

    await record_game(record)
    await record_game(record)

    assert await rows_of(database, ALL) == 2


async def test_recorders_at_once_record_once(database: Database, database_url: str) -> None:
    others = [Database(database_url) for _ in range(4)]
    record = play(seed=8)

    await asyncio.gather(*(make_record_game(each)(record) for each in (database, *others) for _ in range(3)))

    for other in others:
        await other.dispose()
    assert await rows_of(database, ALL) == 2


async def test_games_with_the_same_players_in_another_order_are_recorded_at_once(database: Database) -> None:
    games = [play(seats=8, seed=seed) for seed in range(6)]
    turned = [
        replace(game, seats=game.seats[::-1]) if index % 2 else game for index, game in enumerate(games)
    ]
    record_game = make_record_game(database)

    await asyncio.gather(*(record_game(game) for game in turned))

    assert await rows_of(database, ALL) == 48


async def test_a_record_that_fails_leaves_nothing_behind(database: Database) -> None:
    game = finished_game(play(seed=9))
    unknown = replace(game, results=[replace(game.results[0], player="nobody")])

    with pytest.raises(IntegrityError):
        await add_alone(database, unknown)

    assert await rows_of(database, ALL) == 0
    async with database.reading() as session:
        assert await record_of_game(session, game.id) is None


async def add_alone(database: Database, game: FinishedGame) -> None:
    async with database.session() as session:
        await add_game(session, game)


async def test_a_known_player_keeps_the_name_he_bears_now(database: Database) -> None:
    async with database.session() as session:
        await add_player(session, "p0", "Lija", 1)

    await make_record_game(database)(play(seed=10))

    async with database.reading() as session:
        rows = (await page_of(session, ALL, limit=10)).standings
    assert {row.player.id: row.player.name for row in rows} == {"p0": "Lija", "p1": "Player 1"}


async def test_a_table_of_one_is_on_the_solo_board(database: Database) -> None:
    solo = play(PAPIR, 1, seed=11)

    await make_record_game(database)(solo)
    await make_record_game(database)(replace(solo, variant=PAPIR, game_id="g-as-set-up"))

    assert await rows_of(database, Board("papir")) == 0
    assert await rows_of(database, Board("papir-solo")) == 2


def test_a_seat_that_a_bot_finished_has_no_result() -> None:
    record = play(seats=3, seed=12)
    seats = (record.seats[0], replace(record.seats[1], ended="bot_from_turn_4"), record.seats[2])

    game = finished_game(replace(record, seats=seats))

    assert sorted(result.seat for result in game.results) == [0, 2]


async def test_a_game_that_a_player_keeps_on_his_device_is_on_no_board_for_him_and_counts_for_the_others(
    database: Database,
) -> None:
    record = play(seats=3, seed=16)
    seats = (record.seats[0], replace(record.seats[1], kept=True), record.seats[2])

    await make_record_game(database)(replace(record, seats=seats))

    async with database.reading() as session:
        rows = (await page_of(session, ALL, limit=10)).standings
        stored = await record_of_game(session, record.game_id)
    assert {row.player.id for row in rows} == {"p0", "p2"}
    assert stored is not None
    assert [seat.get("kept") for seat in stored["seats"]] == [None, True, None]
    assert record_from_plain(stored).seats == seats


async def test_a_game_that_bots_finished_for_everybody_is_kept_and_on_no_board(database: Database) -> None:
    record = play(seats=2, seed=15)
    seats = (replace(record.seats[0], ended="bot_from_turn_9"), RecordSeat("bot1", "Bot 1", "bot", "bot"))

    await make_record_game(database)(replace(record, seats=seats))

    assert await rows_of(database, ALL) == 0
    async with database.reading() as session:
        kept = await record_of_game(session, record.game_id)
    assert kept is not None
    assert [seat["ended"] for seat in kept["seats"]] == ["bot_from_turn_9", "bot"]


def test_a_month_ends_with_its_last_millisecond_in_utc() -> None:
    december = datetime(2026, 12, 1, tzinfo=UTC)
    instant = int(december.timestamp() * 1000)

    assert month_of(instant - 1) == "2026-11"
    assert month_of(instant) == "2026-12"
    assert (day_of(instant - 1), day_of(instant)) == ("2026-11-30", "2026-12-01")


async def test_a_late_recorder_leaves_the_month_as_it_was(database: Database) -> None:
    last = int(datetime(2026, 12, 1, tzinfo=UTC).timestamp() * 1000) - 1

    await make_record_game(database, now=lambda: last + 86_400_000)(play(seed=13, ended_at=last))

    for period, rows in (("2026-11", 2), ("2026-12", 0), ("2026-11-30", 2), ("2026-12-01", 0)):
        for mode in Mode:
            assert await rows_of(database, Board("classic-5x4", period, mode)) == rows


def test_the_record_is_plain_json() -> None:
    record: Record = play(CLASSIC_5X4, 2, seed=14)
    plain = record_to_plain(record)

    assert json.loads(json.dumps(plain)) == plain


def test_results_name_their_seats() -> None:
    game: FinishedGame = finished_game(play(seed=15))

    assert {(type(result), result.player) for result in game.results} == {(Result, "p0"), (Result, "p1")}
