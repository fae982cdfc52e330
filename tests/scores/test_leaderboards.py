"""Leaderboards and records over REST: what is answered, and what is refused."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from httpx import AsyncClient

from app.accounts.repository import Account, add_account, add_player
from app.db import Database
from app.rules.column_choice import with_columns
from app.rules.fairness import BOT_TEXT
from app.rules.plain import record_from_plain, record_to_plain
from app.rules.presets import PAPIR, named
from app.rules.record import verify
from app.rules.share_code import share_code
from app.rules.variant import content_id
from app.scores.checking import checked_record
from app.scores.own_games import make_delete_player
from app.scores.recording import make_record_game
from app.variants.repository import add_variant
from tests.games import play
from tests.scores.books import (
    BOARD_ADDRESS,
    DECEMBER,
    LAST_OF_OCTOBER,
    NOW,
    client_of,
    enter,
    game_of,
)
from tests.values import replace


@pytest.fixture
async def client(database: Database) -> AsyncIterator[AsyncClient]:
    async with client_of(database) as opened:
        yield opened


async def test_equal_scores_share_a_place_over_the_edge_of_a_page(
    database: Database, client: AsyncClient
) -> None:
    for game, score in (("g0", 9), ("g1", 5)):
        await enter(database, game_of(game, NOW, [(f"p{seat}", score) for seat in range(8)]))
    await enter(database, game_of("g9", NOW, [("p0", 4)]))

    first = (await client.get(BOARD_ADDRESS)).json()
    second = (await client.get(BOARD_ADDRESS, params={"cursor": first["next"]})).json()

    assert [row["place"] for row in second["results"]] == [9] * 6 + [17]
    assert (second["total"], second["next"]) == (17, None)


async def test_a_player_stands_once_by_his_best_where_players_are_asked_for(
    database: Database, client: AsyncClient
) -> None:
    await enter(database, game_of("g1", LAST_OF_OCTOBER, [("p0", 9), ("p1", 7)]))
    await enter(database, game_of("g2", NOW, [("p0", 8), ("p1", 7)]))

    boards = [
        (await client.get(BOARD_ADDRESS, params={"mode": "players", "period": period})).json()
        for period in ("all", "month")
    ]

    shown = [
        [(row["player"]["id"], row["score"], row["game"]) for row in board["results"]] for board in boards
    ]
    assert shown == [[("p0", 9, "g1"), ("p1", 7, "g1")], [("p0", 8, "g2"), ("p1", 7, "g2")]]
    assert [board["total"] for board in boards] == [2, 2]


MEANT = [
    ("all", None, None),
    ("month", "2026-11", None),
    ("today", None, "2026-11-30"),
    ("2026-10", "2026-10", None),
    ("2000-01", "2000-01", None),
    ("9999-12", "9999-12", None),
]


async def test_a_board_says_what_its_period_means(client: AsyncClient) -> None:
    for asked in MEANT:
        for more in ({}, {"player": "me"}):
            question = {"period": asked[0]} | more
            board = (await client.get(BOARD_ADDRESS, params=question, headers={"x-player": "p1"})).json()
            assert (board["period"], board["month"], board["day"]) == asked


async def test_a_game_that_ends_with_the_month_is_of_that_month(database: Database) -> None:
    await make_record_game(database)(play(seed=3, ended_at=DECEMBER - 1))

    for period in ("month", "today"):
        for now, total in ((DECEMBER - 1, 2), (DECEMBER, 0)):
            async with client_of(database, now) as client:
                board = (await client.get(BOARD_ADDRESS, params={"period": period})).json()
            assert board["total"] == total


async def test_a_walk_begun_in_one_month_stays_in_it(database: Database) -> None:
    await make_record_game(database)(play(seed=3, ended_at=DECEMBER - 1))
    question = {"period": "month", "limit": "1"}

    async with client_of(database, DECEMBER - 1) as client:
        first = (await client.get(BOARD_ADDRESS, params=question)).json()
    async with client_of(database, DECEMBER) as client:
        second = (await client.get(BOARD_ADDRESS, params=question | {"cursor": first["next"]})).json()

    assert (second["month"], second["total"], len(second["results"])) == ("2026-11", 2, 1)


async def test_a_board_without_results_is_empty(client: AsyncClient) -> None:
    board = (await client.get("/api/leaderboards/papir")).json()

    assert board == {
        "variant": "papir",
        "base": "papir",
        "code": None,
        "dice": 6,
        "columns": [column.kind.value for column in PAPIR.columns],
        "period": "all",
        "month": None,
        "day": None,
        "mode": "results",
        "total": 0,
        "results": [],
        "next": None,
        "previous": None,
    }


async def test_my_results_are_shown_to_me_alone(database: Database, client: AsyncClient) -> None:
    await enter(database, game_of("g1", NOW, [("p0", 9), ("p1", 7)]))
    question = {"player": "me"}

    nobody = await client.get(BOARD_ADDRESS, params=question)
    mine = await client.get(BOARD_ADDRESS, params=question, headers={"x-player": "p1"})
    public = await client.get(BOARD_ADDRESS)

    assert (nobody.status_code, nobody.json()["code"]) == (401, "not_signed_in")
    assert [(row["place"], row["score"]) for row in mine.json()["results"]] == [(2, 7)]
    assert "private" in mine.headers["cache-control"]
    assert "private" not in public.headers.get("cache-control", "")


async def test_a_cursor_of_another_question_is_refused(database: Database, client: AsyncClient) -> None:
    await enter(database, game_of("g1", NOW, [("p0", 9), ("p1", 7), ("p0", 5)]))
    me = {"x-player": "p0"}
    question = {"limit": "1", "period": "all"}
    cursor = (await client.get(BOARD_ADDRESS, params=question)).json()["next"]
    mine = (await client.get(BOARD_ADDRESS, params=question | {"player": "me"}, headers=me)).json()["next"]

    asked = [
        await client.get(address, params=question | {"cursor": given} | more, headers=headers)
        for address, given, more, headers in (
            ("/api/leaderboards/papir", cursor, {}, me),
            (BOARD_ADDRESS, cursor, {"period": "month"}, me),
            (BOARD_ADDRESS, cursor, {"mode": "players"}, me),
            (BOARD_ADDRESS, cursor, {"player": "me"}, me),
            (BOARD_ADDRESS, mine, {}, me),
            (BOARD_ADDRESS, mine, {"player": "me"}, {"x-player": "p1"}),
            (BOARD_ADDRESS, cursor[:-1], {}, me),
            (BOARD_ADDRESS, "", {}, me),
            (BOARD_ADDRESS, "A" * 5000, {}, me),
            (BOARD_ADDRESS, "\0\u202e🎲", {}, me),
        )
    ]

    assert {answer.status_code for answer in asked} == {422}
    for answer in asked:
        assert answer.json()["code"] == "wrong_cursor"
        assert [error["field"] for error in answer.json()["errors"]] == ["cursor"]
    assert (
        await client.get(BOARD_ADDRESS, params=question | {"limit": "7", "cursor": cursor})
    ).status_code == 200


async def test_servers_of_one_database_read_each_others_cursors(
    database: Database, database_url: str
) -> None:
    await enter(database, game_of("g1", NOW, [("p0", 9), ("p1", 7)]))
    other = Database(database_url)

    async with client_of(database) as one, client_of(other) as two:
        first = (await one.get(BOARD_ADDRESS, params={"limit": "1"})).json()
        second = await two.get(BOARD_ADDRESS, params={"limit": "1", "cursor": first["next"]})
    await other.dispose()

    assert [row["score"] for row in second.json()["results"]] == [7]


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


REFUSED = {
    "limit": ["0", "-1", "1000000000", "101", "9" * 5000, "x", "1.5", ""],
    "period": [
        "year",
        "",
        "1999-12",
        "2026-13",
        "2026-00",
        "2026-1",
        "2026-11-30",
        "２０２６-10",
        "2026-10\n",
    ],
    "mode": ["best", "", "RESULTS"],
    "around": ["", "\0", "g 1", "x" * 65, "🎲"],
    "seat": ["", "-1", "100", "x", "0.5"],
    "player": ["", "p1", "ME"],
}


@pytest.mark.parametrize("field", REFUSED)
async def test_what_cannot_be_asked_names_the_field(client: AsyncClient, field: str) -> None:
    for given in REFUSED[field]:
        answer = await client.get("/api/leaderboards/papir", params={field: given})

        assert answer.status_code == 422, given
        assert answer.headers["content-type"] == "application/problem+json"
        assert [error["field"] for error in answer.json()["errors"]] == [field]


async def test_the_page_of_one_seat_of_a_game_is_found(database: Database, client: AsyncClient) -> None:
    await enter(database, game_of("g1", NOW, [("p0", 900), ("p1", 100)]))
    await enter(database, game_of("g2", NOW, [("p2", 500)]))

    for mode in ("results", "players"):
        for seat, player in ((None, "p0"), (0, "p0"), (1, "p1"), (2, None)):
            question = {"mode": mode, "limit": 1, "around": "g1"} | ({} if seat is None else {"seat": seat})
            answer = (await client.get(BOARD_ADDRESS, params=question)).json()
            found = [row["player"]["id"] for row in answer["results"]] if player else answer["code"]
            assert found == ([player] if player else "result_not_listed")


async def test_a_page_is_found_in_one_way(client: AsyncClient) -> None:
    answer = await client.get("/api/leaderboards/papir", params={"cursor": "x", "around": "g1"})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "around"


async def test_a_seat_of_no_game_finds_no_page(client: AsyncClient) -> None:
    answer = await client.get("/api/leaderboards/papir", params={"seat": 1})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "seat"


@pytest.mark.parametrize(
    ("path", "field"),
    [
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
    served = answer.json()
    written: dict[str, Any] = record_to_plain(record)
    seats = [
        seat | {"tag": tag, "user_name": None}
        for seat, tag in zip(written["seats"], ("p0", "p1"), strict=True)
    ]
    assert served == written | {"board": record.variant.id, "seats": seats}
    checked_record(served)


async def test_an_unknown_game_is_a_problem(client: AsyncClient) -> None:
    answer = await client.get("/api/games/nothing")

    assert (answer.status_code, answer.json()["code"]) == (404, "game_not_found")


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


async def test_a_finished_games_seats_say_who_has_a_page_and_what_tells_him_from_others(
    database: Database, client: AsyncClient
) -> None:
    """Of today, not of then: an account that was made since, and a player who is gone."""
    record = play(seats=4, seed=3, bot_text=BOT_TEXT)
    async with database.session() as session:
        for seat in record.seats[:3]:
            await add_player(session, seat.player, seat.name, 12)
        await add_account(session, Account("p1", "lija", "hash", b"recovery", 12), "lija")
    await make_record_game(database)(record)
    await make_delete_player(database)("p2")

    answer = (await client.get("/api/games/g3")).json()

    assert [(seat["player"], seat["tag"], seat["user_name"]) for seat in answer["seats"]] == [
        ("p0", "p0", None),
        ("p1", None, "lija"),
        ("deleted", None, None),
        ("bot1", None, None),
    ]
    assert verify(record_from_plain(answer)).sheets


async def test_a_board_is_found_by_the_code_of_its_variant_in_any_case(
    database: Database, client: AsyncClient
) -> None:
    custom = named(replace(PAPIR, last_cell_rolls=5))
    async with database.session() as session:
        await add_variant(session, custom, 0)
    await make_record_game(database)(play(custom, seed=3, game_id="g-custom"))
    code = share_code(custom) or ""
    by_id = (await client.get(f"/api/leaderboards/{custom.id}")).json()
    for written in (code, code.lower(), code.replace("-", "")):
        by_code = (await client.get(f"/api/leaderboards/{written}")).json()
        assert (by_code["variant"], by_code["results"]) == (custom.id, by_id["results"])
    assert len(by_id["results"]) == 2
