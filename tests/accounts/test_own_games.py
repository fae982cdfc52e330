"""What is kept of a player: all of it for himself, and none of his name when he deletes himself."""

import asyncio
import json
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import text

from app.accounts.names import DELETED_ID, DELETED_NAME, Shown
from app.accounts.repository import name_of_player
from app.db import Database
from app.rules.plain import record_to_plain
from app.rules.record import Record, RecordSeat
from app.scores.board_pages import page_of
from app.scores.boards import Board
from app.scores.checking import checked_record
from app.scores.own_games import make_delete_player
from app.scores.recording import make_record_game
from app.scores.repository import record_of_game
from tests.accounts.apps import NOW, Clock, count, make_app, open_client, problem_of
from tests.accounts.test_accounts import LIJA, WORDS, register
from tests.games import play
from tests.values import replace


async def signed_in(client: AsyncClient) -> str:
    return str((await client.post("/api/guests", json={"name": "Lija"})).json()["player"])


def game_of(player: str, *, seed: int = 1, ended: str = "played", seat: int = 0) -> Record:
    """A game in which he sat beside another, who is called as he is."""
    record = play(seed=seed)
    other = replace(record.seats[1 - seat], name="Lija")
    his = RecordSeat(player, "Lija", f"text {seat}", ended)
    seats = (his, other) if seat == 0 else (other, his)
    return replace(record, seats=tuple(replace(who, text=f"text {at}") for at, who in enumerate(seats)))


async def recorded(database: Database, game: str) -> dict[str, Any]:
    async with database.reading() as session:
        record = await record_of_game(session, game)
    assert record is not None
    return record


async def test_a_player_gets_all_that_is_kept_of_him(client: AsyncClient, database: Database) -> None:
    player = await signed_in(client)
    account = (await register(client)).json()
    record_game = make_record_game(database)
    games = [game_of(player, seed=seed, seat=seed % 2) for seed in range(1, 22)]
    left = game_of(player, seed=30, ended="bot_from_turn_2")
    for game in [*games, left, play(seed=40)]:
        await record_game(game)

    answer = await client.get("/api/me/export")

    assert answer.headers["content-disposition"] == f'attachment; filename="yamb-{player}.json"'
    export = json.loads(answer.content)
    assert export["player"] == {"id": player, "name": "Lija", "since": NOW}
    assert export["account"] == {"user_name": "lija", "since": NOW}
    assert [session["since"] for session in export["sessions"]] == [NOW]
    assert {result["game"] for result in export["results"]} == {game.game_id for game in games}
    first = next(result for result in export["results"] if result["game"] == "g2")
    assert set(first) == {"game", "seat", "variant", "score", "place", "ended_at"}
    by_id = {record["id"]: record for record in export["games"]}
    assert set(by_id) == {game.game_id for game in [*games, left]}
    assert by_id["g30"] == record_to_plain(left)
    assert account["recovery_code"] not in answer.text
    assert "hash" not in answer.text


async def test_a_guest_without_games_has_little_to_get(file: Database, clock: Clock) -> None:
    async with open_client(make_app(file, clock)) as client:
        player = await signed_in(client)
        export = (await client.get("/api/me/export")).json()

    assert export["player"]["id"] == player
    assert (export["account"], export["results"], export["games"]) == (None, [], [])


async def test_who_deletes_himself_is_gone_and_his_games_stay(
    client: AsyncClient, database: Database
) -> None:
    player = await signed_in(client)
    await register(client)
    record_game = make_record_game(database)
    games = [game_of(player, seed=1), game_of(player, seed=2, seat=1, ended="bot_from_turn_2")]
    for game in games:
        await record_game(game)

    problem_of(await client.request("DELETE", "/api/me", json={"password": "wrong"}), 403, "wrong_password")
    missing = problem_of(await client.request("DELETE", "/api/me"), 422, "invalid")
    assert missing["errors"][0]["field"] == "password"
    assert (await client.get("/api/me")).json()["player"] == player
    gone = await client.request("DELETE", "/api/me", json={"password": WORDS})

    assert (gone.status_code, gone.content) == (204, b"")
    assert (await client.get("/api/me")).json() is None
    problem_of(await client.post("/api/sessions", json=LIJA), 401, "wrong_credentials")
    assert (await count(database, "accounts"), await count(database, "sessions")) == (0, 0)
    assert await count(database, "results") == 3
    for game, seat in zip(games, (0, 1), strict=True):
        record = await recorded(database, game.game_id)
        seats = record["seats"]
        assert (seats[seat]["player"], seats[seat]["name"]) == (DELETED_ID, DELETED_NAME)
        assert (seats[1 - seat]["player"], seats[1 - seat]["name"]) == (f"p{1 - seat}", "Lija")
        assert seats[seat]["ended"] == game.seats[seat].ended
        assert player not in str(record)
        checked_record(record)
    async with database.reading() as session:
        names = (await session.scalars(text("SELECT name FROM players"))).all()
    assert sorted(names) == [DELETED_NAME, "Lija", "Lija"]
    assert (await register(client)).status_code == 201, "the user name is free again"


async def test_boards_show_guests_by_tag_accounts_without_and_nothing_of_who_is_gone(
    file: Database, clock: Clock
) -> None:
    async with open_client(make_app(file, clock)) as lija, open_client(make_app(file, clock)) as medo:
        players = [await signed_in(client) for client in (lija, medo)]
        await register(lija)
        for seed, player in enumerate(players):
            await make_record_game(file)(game_of(player, seed=seed + 1))
        await medo.request("DELETE", "/api/me")

    async with file.reading() as session:
        page = await page_of(session, Board("classic-5x4"), limit=10)
    shown = {standing.player for standing in page.standings}
    assert shown == {
        Shown(players[0], "Lija", None, "lija"),
        Shown("p1", "Lija", "p1"),
        Shown(DELETED_ID, DELETED_NAME),
    }


async def test_a_guest_deletes_himself_without_a_password(file: Database, clock: Clock) -> None:
    async with open_client(make_app(file, clock)) as client:
        await signed_in(client)
        assert (await client.request("DELETE", "/api/me", json={})).status_code == 204
        problem_of(await client.request("DELETE", "/api/me"), 401, "not_signed_in")
    assert await count(file, "sessions") == 0


async def test_a_game_that_is_recorded_later_has_no_name_of_who_is_gone(file: Database, clock: Clock) -> None:
    async with open_client(make_app(file, clock)) as client:
        player = await signed_in(client)
        await client.request("DELETE", "/api/me")

    await make_record_game(file)(game_of(player))

    record = await recorded(file, "g1")
    assert [seat["name"] for seat in record["seats"]] == [DELETED_NAME, "Lija"]
    async with file.reading() as session:
        assert await name_of_player(session, player) is None


@pytest.mark.parametrize("seed", range(2))
async def test_no_name_is_left_by_games_that_are_recorded_at_that_moment(
    database: Database, database_url: str, clock: Clock, seed: int
) -> None:
    other = Database(database_url)
    async with open_client(make_app(database, clock)) as client:
        player = await signed_in(client)
    games = [game_of(player, seed=10 * seed + number, seat=number % 2) for number in range(1, 7)]
    record_game = make_record_game(other)

    async def delete() -> bool:
        for _ in range(6 * seed):
            await asyncio.sleep(0)
        return await make_delete_player(database)(player)

    done = await asyncio.gather(delete(), delete(), *(record_game(game) for game in games))

    await other.dispose()
    assert sorted(map(bool, done[:2])) == [False, True]
    for game in games:
        seats = (await recorded(database, game.game_id))["seats"]
        assert sorted(seat["name"] for seat in seats) == [DELETED_NAME, "Lija"]
    assert await count(database, "results") == 12


async def test_no_name_is_left_by_players_of_the_same_games_who_go_at_that_moment(
    database: Database, database_url: str, clock: Clock
) -> None:
    others = [Database(database_url) for _ in range(2)]
    async with open_client(make_app(database, clock)) as lija, open_client(make_app(database, clock)) as medo:
        players = [await signed_in(client) for client in (lija, medo)]
    for seed in range(1, 7):
        seats = [RecordSeat(player, "Lija", f"text {at}") for at, player in enumerate(players)]
        await make_record_game(database)(replace(play(seed=seed), seats=tuple(seats)))

    await asyncio.gather(
        *(make_delete_player(other)(player) for other, player in zip(others, players, strict=True))
    )

    for other in others:
        await other.dispose()
    for seed in range(1, 7):
        seats = (await recorded(database, f"g{seed}"))["seats"]
        assert [(seat["player"], seat["name"]) for seat in seats] == [(DELETED_ID, DELETED_NAME)] * 2
