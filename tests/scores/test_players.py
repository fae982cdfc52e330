"""A player's page and scores over REST are those of his records, and of a sort of everybody's in memory."""

from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy import Engine, event, select

from app.accounts.repository import Account, add_account, add_player
from app.db import Database, DatabaseUnavailable
from app.problems import install_problem_handlers
from app.rules.column_choice import with_columns
from app.rules.game import standings
from app.rules.presets import PAPIR
from app.rules.record import Record
from app.rules.share_code import share_code
from app.scores.own_games import make_delete_player
from app.scores.player_routes import make_router
from app.scores.recording import make_record_game
from app.scores.statistics import statistics_by_seat
from app.scores.tables import StatisticsRow
from app.variants.finding import make_find_variant
from tests.games import play
from tests.scores.books import DECEMBER, INSTANTS, LAST_OF_OCTOBER, NOW
from tests.values import replace

Rows = list[tuple[int, int, str, int]]
PLAYED = [play(seats=2, seed=seed) for seed in range(5)]
STANDINGS = {record.secret: standings(record.final) for record in PLAYED}


@pytest.fixture
async def client(database: Database) -> AsyncIterator[AsyncClient]:
    app = FastAPI()
    install_problem_handlers(app, [DatabaseUnavailable])
    app.include_router(make_router(database, make_find_variant(database), now=lambda: NOW))
    async with AsyncClient(transport=ASGITransport(app), base_url="http://test") as opened:
        yield opened


def many_games(number: int) -> list[Record]:
    """The same games again and again, with others in their seats, ended at other times."""
    chance = Random(number)
    return [
        replace(
            record,
            game_id=f"g{index}",
            ended_at=chance.choice(INSTANTS),
            seats=tuple(
                replace(seat, player=player)
                for seat, player in zip(record.seats, chance.sample(["p0", "p1", "p2"], 2), strict=True)
            ),
        )
        for index in range(number)
        for record in [chance.choice(PLAYED)]
    ]


def expected(records: Sequence[Record], player: str, limit: int) -> Rows:
    """(place, score, game, seat) of a player's best rows, by a sort of all."""
    rows = sorted(
        (-points, record.ended_at, record.game_id, seat, record.seats[seat].player)
        for record in records
        for _, seat, points in STANDINGS[record.secret]
    )
    return [
        (1 + sum(other[0] < row[0] for other in rows), -row[0], row[2], row[3])
        for row in rows
        if row[4] == player
    ][:limit]


def shown(results: list[dict[str, Any]]) -> Rows:
    return [(row["place"], row["score"], row["game"], row["seat"]) for row in results]


async def test_the_best_of_all_time_and_of_the_month_are_those_of_a_sort(
    database: Database, client: AsyncClient
) -> None:
    records = many_games(38)
    for record in records:
        await make_record_game(database)(record)
    of_month = [record for record in records if LAST_OF_OCTOBER < record.ended_at < DECEMBER]

    lengths = []
    for player in ("p0", "p1", "p2"):
        answer = (await client.get(f"/api/players/{player}/scores")).json()
        (scores,) = answer["variants"]
        assert answer["player"]["id"] == player
        assert (scores["variant"], scores["base"], scores["code"]) == ("classic-5x4", "classic-5x4", None)
        assert shown(scores["best"]) == expected(records, player, 20)
        assert shown(scores["month"]) == expected(of_month, player, 10)
        lengths.append(len(scores["best"]))
    assert max(lengths) == 20


async def test_the_page_shows_averages_and_shares(database: Database, client: AsyncClient) -> None:
    record = PLAYED[0]
    await make_record_game(database)(record)
    kept = statistics_by_seat(record)[0]

    page = (await client.get("/api/players/p0")).json()

    (shown_variant,) = page["variants"]
    shown = {"id": "p0", "name": "Player 0", "tag": "p0", "user_name": None}
    assert page["player"] == shown | {"since": page["player"]["since"]}
    assert (shown_variant["games"], shown_variant["wins"]) == (1, kept.wins)
    assert (shown_variant["average"], shown_variant["best"]) == (float(kept.points), kept.points)
    assert shown_variant["distribution"] == [{"from": kept.totals[0][0], "games": 1}]
    assert [row["row"] for row in shown_variant["rows"]] == [row.row for row in kept.rows]
    assert [row["average"] for row in shown_variant["rows"]] == [row.points / 4 for row in kept.rows]
    assert [row["crossed_out"] for row in shown_variant["rows"]] == [row.crossed_out / 4 for row in kept.rows]
    assert sum(column["average"] for column in shown_variant["columns"]) == kept.points
    assert shown_variant["crossed_out"] == round(
        sum(row.crossed_out for row in kept.rows) / (4 * len(kept.rows)), 4
    )
    assert shown_variant["announcements"] == {"made": kept.announced, "succeeded": kept.succeeded}


async def test_what_was_played_most_stands_first_and_one_variant_can_be_asked_for(
    database: Database, client: AsyncClient
) -> None:
    chosen = with_columns(PAPIR, ["hand", "free"])
    for record in (PLAYED[0], play(chosen, seed=3), play(chosen, seed=4)):
        await make_record_game(database)(record)

    page = (await client.get("/api/players/p1")).json()
    scores = (await client.get("/api/players/p1/scores?variant=classic-5x4")).json()

    assert [(one["variant"], one["games"]) for one in page["variants"]] == [
        (chosen.id, 2),
        ("classic-5x4", 1),
    ]
    assert (page["variants"][0]["base"], page["variants"][0]["code"]) == ("papir", share_code(chosen))
    assert [one["variant"] for one in scores["variants"]] == ["classic-5x4"]


async def test_who_has_finished_no_game_has_a_page_without_variants(
    database: Database, client: AsyncClient
) -> None:
    async with database.session() as session:
        await add_player(session, "p77abcd", "Ђорђе", 12)
    shown_player = {"id": "p77abcd", "name": "Ђорђе", "tag": "abcd", "user_name": None, "since": 12}

    for path in ("/api/players/p77abcd", "/api/players/p77abcd/scores?variant=papir"):
        assert (await client.get(path)).json() == {"player": shown_player, "variants": []}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("path", "status", "code", "field"),
    [
        ("/api/players/nobody", 404, "player_not_found", None),
        ("/api/players/nobody/scores", 404, "player_not_found", None),
        ("/api/players/p0/scores?variant=chess", 404, "unknown_variant", None),
        ("/api/players/p0/scores?variant=%00", 422, "invalid", "variant"),
        ("/api/players/p0/scores?variant=", 422, "invalid", "variant"),
        ("/api/players/%00", 422, "invalid", "player"),
        ("/api/players/" + "x" * 33, 422, "invalid", "player"),
        ("/api/players/%F0%9F%8E%B2/scores", 422, "invalid", "player"),
    ],
)
async def test_what_is_not_there_or_of_the_wrong_form_is_a_problem(
    client: AsyncClient, path: str, *, status: int, code: str, field: str | None
) -> None:
    answer = await client.get(path)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code)
    assert [error["field"] for error in problem.get("errors", [])] == ([field] if field else [])


async def test_a_page_is_one_look_into_the_database_however_much_was_played(
    database: Database, client: AsyncClient
) -> None:
    for record in many_games(6):
        await make_record_game(database)(record)
    asked: list[str] = []

    def listen(*call: Any) -> None:
        asked.append(call[2])

    event.listen(Engine, "before_cursor_execute", listen)
    await client.get("/api/players/p0")
    event.remove(Engine, "before_cursor_execute", listen)

    assert [sql.split()[0] for sql in asked if "FROM" in sql] == ["SELECT"]
    assert not any("games" in sql for sql in asked)


async def test_an_account_is_told_from_others_by_its_user_name(
    database: Database, client: AsyncClient
) -> None:
    async with database.session() as session:
        await add_player(session, "p0", "Lija", 12)
        await add_account(session, Account("p0", "lija", "hash", b"recovery", 12), "lija")

    player = (await client.get("/api/players/p0")).json()["player"]
    assert (player["tag"], player["user_name"]) == (None, "lija")


async def test_who_is_deleted_has_no_page_and_no_statistics_also_by_a_late_recorder(
    database: Database, client: AsyncClient
) -> None:
    await make_record_game(database)(PLAYED[0])

    await make_delete_player(database)("p0")
    await make_record_game(database)(PLAYED[1])

    for path in ("/api/players/p0", "/api/players/p0/scores", "/api/players/deleted"):
        assert (await client.get(path)).json()["code"] == "player_not_found"
    async with database.reading() as session:
        kept = list(await session.scalars(select(StatisticsRow.player_id)))
    assert kept == ["p1"]
    (other,) = (await client.get("/api/players/p1")).json()["variants"]
    assert other["games"] == 2
