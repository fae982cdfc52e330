"""Every page and place of a board equals those of a sort of the whole list in memory."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from app.accounts.repository import keep_players
from app.db import Database
from app.problems import install_problem_handlers
from app.rules.column_choice import with_columns
from app.rules.plain import record_to_plain
from app.rules.presets import PAPIR, named
from app.rules.share_code import share_code
from app.rules.variant import content_id
from app.scores.recording import make_record_game, month_of
from app.scores.repository import FinishedGame, Result, add_game
from app.scores.routes import make_router
from app.variants.finding import make_find_variant
from tests.games import play
from tests.values import replace

NOW = int(datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp() * 1000)
DECEMBER = int(datetime(2026, 12, 1, tzinfo=UTC).timestamp() * 1000)
LAST_OF_OCTOBER = int(datetime(2026, 11, 1, tzinfo=UTC).timestamp() * 1000) - 1


@dataclass(frozen=True, slots=True)
class Entry:
    """A result, as a test makes it up."""

    score: int
    ended_at: int
    game: str
    seat: int
    variant: str

    @property
    def order(self) -> tuple[int, int, str, int]:
        return (-self.score, self.ended_at, self.game, self.seat)


def make_app(database: Database, now: int = NOW) -> FastAPI:
    app = FastAPI()
    install_problem_handlers(app)
    app.include_router(make_router(database, make_find_variant(database), now=lambda: now))
    return app


@pytest.fixture
async def client(database: Database) -> AsyncIterator[AsyncClient]:
    transport = ASGITransport(make_app(database))
    async with AsyncClient(transport=transport, base_url="http://test") as opened:
        yield opened


async def store(database: Database, entries: Sequence[Entry]) -> None:
    by_game: dict[str, list[Entry]] = {}
    for entry in entries:
        by_game.setdefault(entry.game, []).append(entry)
    async with database.session() as session:
        await session.execute(text("DELETE FROM games"))
        await keep_players(session, {f"p{seat}": f"Player {seat}" for seat in range(8)}, 1)
        for game, seats in by_game.items():
            results = [Result(entry.seat, f"p{entry.seat}", entry.score, 1) for entry in seats]
            ended_at = seats[0].ended_at
            finished = FinishedGame(game, seats[0].variant, ended_at, month_of(ended_at), {}, results)
            await add_game(session, finished)


def expected_rows(entries: Sequence[Entry]) -> list[tuple[int, int, str, str, int]]:
    ranked = sorted(entries, key=lambda entry: entry.order)
    return [
        (
            1 + sum(other.score > entry.score for other in ranked),
            entry.score,
            f"p{entry.seat}",
            entry.game,
            entry.ended_at,
        )
        for entry in ranked
    ]


async def all_rows(client: AsyncClient, variant: str, period: str) -> list[tuple[int, int, str, str, int]]:
    rows: list[tuple[int, int, str, str, int]] = []
    page, pages = 1, 1
    while page <= pages:
        answer = await client.get(f"/api/leaderboards/{variant}", params={"period": period, "page": page})
        board = answer.json()
        assert (answer.status_code, board["page"], board["period"]) == (200, page, period)
        assert len(board["results"]) == min(10, board["total"] - (page - 1) * 10)
        rows += [
            (row["place"], row["score"], row["player"]["id"], row["game"], row["ended_at"])
            for row in board["results"]
        ]
        pages = board["pages"]
        page += 1
    return rows


GAMES = st.lists(
    st.tuples(
        st.sampled_from(["classic-5x4", "papir"]),
        st.sampled_from([LAST_OF_OCTOBER, LAST_OF_OCTOBER + 1, NOW, DECEMBER - 1, DECEMBER]),
        st.lists(st.integers(-3, 3), min_size=1, max_size=8),
    ),
    max_size=20,
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games=GAMES)
async def test_pages_and_places_are_those_of_a_sort(
    database: Database, client: AsyncClient, games: list[tuple[str, int, list[int]]]
) -> None:
    entries = [
        Entry(score, ended_at, f"g{number * 7 % 31}", seat, variant)
        for number, (variant, ended_at, scores) in enumerate(games)
        for seat, score in enumerate(scores)
    ]
    await store(database, entries)

    for variant in ("classic-5x4", "papir"):
        of_variant = [entry for entry in entries if entry.variant == variant]
        of_month = [entry for entry in of_variant if LAST_OF_OCTOBER < entry.ended_at < DECEMBER]
        assert await all_rows(client, variant, "all") == expected_rows(of_variant)
        assert await all_rows(client, variant, "month") == expected_rows(of_month)


async def test_equal_scores_share_a_place_over_the_edge_of_a_page(
    database: Database, client: AsyncClient
) -> None:
    scores = [9] * 8 + [5] * 8
    entries = [
        Entry(score, NOW, f"g{index // 8}", index % 8, "classic-5x4") for index, score in enumerate(scores)
    ]
    await store(database, [*entries, Entry(4, NOW, "g9", 0, "classic-5x4")])

    second = (await client.get("/api/leaderboards/classic-5x4", params={"page": 2})).json()

    assert [row["place"] for row in second["results"]] == [9] * 6 + [17]
    assert (second["pages"], second["total"]) == (2, 17)


async def test_a_game_that_ends_with_the_month_is_of_that_month(database: Database) -> None:
    await make_record_game(database)(play(seed=3, ended_at=DECEMBER - 1))

    for now, total in ((DECEMBER - 1, 2), (DECEMBER, 0)):
        transport = ASGITransport(make_app(database, now))
        async with AsyncClient(transport=transport, base_url="http://test") as client:
            board = (await client.get("/api/leaderboards/classic-5x4?period=month")).json()
        assert board["total"] == total


async def test_a_board_without_results_is_empty(client: AsyncClient) -> None:
    board = (await client.get("/api/leaderboards/papir")).json()

    named = {
        "variant": "papir",
        "base": "papir",
        "code": None,
        "dice": 6,
        "columns": [column.kind.value for column in PAPIR.columns],
    }
    assert board == named | {"period": "all", "page": 1, "pages": 0, "total": 0, "results": []}


async def test_a_page_after_the_last_is_empty(database: Database, client: AsyncClient) -> None:
    await make_record_game(database)(play(seed=4))

    board = (await client.get("/api/leaderboards/classic-5x4?page=1000000")).json()

    assert (board["results"], board["pages"], board["total"]) == ([], 1, 2)


async def test_an_unknown_variant_is_a_problem(client: AsyncClient) -> None:
    answer = await client.get("/api/leaderboards/chess")

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "unknown_variant"


async def test_a_variant_of_somebodys_own_is_known_by_its_results(
    database: Database, client: AsyncClient
) -> None:
    chosen = with_columns(PAPIR, ["free"])
    await make_record_game(database)(play(chosen, seed=3, ended_at=LAST_OF_OCTOBER))

    board = (await client.get(f"/api/leaderboards/{chosen.id}?period=month")).json()

    assert board["total"] == 0


@pytest.mark.parametrize("page", ["0", "-1", "1000000000", "9" * 5000, "x", "1.5", ""])
async def test_a_page_that_is_none_names_the_field(client: AsyncClient, page: str) -> None:
    answer = await client.get("/api/leaderboards/papir", params={"page": page})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "page"


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/api/leaderboards/papir?period=year", "period"),
        ("/api/leaderboards/%00", "variant"),
        ("/api/leaderboards/" + "x" * 65, "variant"),
        ("/api/games/%00", "game"),
        ("/api/games/g1%0A", "game"),
        ("/api/games/%F0%9F%8E%B2", "game"),
    ],
)
async def test_an_id_of_the_wrong_form_names_the_field(client: AsyncClient, path: str, field: str) -> None:
    answer = await client.get(path)

    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


async def test_a_record_is_served_as_it_was_written(database: Database, client: AsyncClient) -> None:
    record = play(seed=5)
    await make_record_game(database)(record)

    answer = await client.get(f"/api/games/{record.game_id}")

    assert answer.status_code == 200
    assert answer.json() == record_to_plain(record) | {"board": record.variant.id}


async def test_an_unknown_game_is_a_problem(client: AsyncClient) -> None:
    answer = await client.get("/api/games/nothing")

    assert (answer.status_code, answer.json()["code"]) == (404, "game_not_found")


async def test_a_leaderboard_asks_its_index_alone(database: Database, database_url: str) -> None:
    if database_url.startswith("sqlite"):
        query, index = "EXPLAIN QUERY PLAN ", "USING COVERING INDEX ix_results_board"
    else:
        query, index = "EXPLAIN ", "ix_results_board"
    async with database.session() as session:
        if not database_url.startswith("sqlite"):
            await session.execute(text("SET LOCAL enable_seqscan = off"))
            await session.execute(text("SET LOCAL enable_bitmapscan = off"))
        rows = await session.execute(
            text(
                f"{query} SELECT score, game_id FROM results WHERE variant = 'papir' "  # noqa: S608 - no input
                "ORDER BY score DESC, ended_at, game_id, seat LIMIT 10"
            )
        )
        plan = " ".join(str(row) for row in rows)
    assert index in plan
    assert "sort" not in plan.lower()
    assert "TEMP B-TREE" not in plan


async def test_a_choice_of_columns_has_a_board_of_its_own_by_its_content(
    database: Database, client: AsyncClient
) -> None:
    chosen = with_columns(PAPIR, ["hand", "free"])
    await make_record_game(database)(play(chosen, seed=3, game_id="g-chosen"))
    board = (await client.get(f"/api/leaderboards/{content_id(chosen)}")).json()
    assert (board["variant"], board["total"]) == (chosen.id, 2)
    assert (await client.get("/api/leaderboards/papir")).json()["total"] == 0


async def test_the_board_of_a_custom_variant_says_its_code_and_no_base(
    database: Database, client: AsyncClient
) -> None:
    custom = named(replace(PAPIR, last_cell_rolls=5))
    await make_record_game(database)(play(custom, seed=3, game_id="g-custom"))
    board = (await client.get(f"/api/leaderboards/{custom.id}")).json()
    assert (board["base"], board["code"]) == (custom.id, share_code(custom))
    assert (board["dice"], len(board["columns"]), board["total"]) == (6, 10, 2)


async def test_the_board_of_a_choice_names_its_base_and_the_columns_really_played(
    database: Database, client: AsyncClient
) -> None:
    """A table of one has no notification column: neither has the board, nor is it that of the choice."""
    chosen = with_columns(PAPIR, ["announced", "notification", "hand"])
    played = with_columns(PAPIR, ["announced", "hand"])
    solo = play(played, 1, seed=3, game_id="g-alone")
    await make_record_game(database)(replace(solo, variant=chosen))

    shown = (await client.get("/api/games/g-alone")).json()["board"]
    board = (await client.get(f"/api/leaderboards/{shown}")).json()

    assert (shown, board["total"]) == (played.id, 1)
    assert (board["base"], board["columns"]) == ("papir", ["announced", "hand"])
    assert (await client.get(f"/api/leaderboards/{chosen.id}")).status_code == 404
