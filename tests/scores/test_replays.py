"""The replay of a recorded game over REST."""

import pytest

from app.db import Database
from app.rules.presets import PAPIR
from app.scores.own_games import make_delete_player
from app.scores.recording import make_record_game
from tests.games import play
from tests.scores.books import client_of


async def test_a_replay_tells_the_game_turn_by_turn_and_its_last_totals_are_the_results(
    database: Database,
) -> None:
    record = play(PAPIR, 2, seed=5)
    await make_record_game(database)(record)

    async with client_of(database) as client:
        plain = (await client.get(f"/api/games/{record.game_id}")).json()
        replay = (await client.get(f"/api/games/{record.game_id}/replay")).json()

    assert (replay["game"], replay["seats"], replay["variant"]) == (
        record.game_id,
        plain["seats"],
        plain["variant"],
    )
    assert [event for step in replay["steps"] for event in step["events"]] == plain["log"]
    last = {step["seat"]: step["total"] for step in replay["steps"]}
    assert last == {one["seat"]: one["total"] for one in plain["standings"]}


async def test_who_has_deleted_himself_has_no_name_in_a_replay(database: Database) -> None:
    record = play(seed=6)
    await make_record_game(database)(record)
    await make_delete_player(database)("p0")

    async with client_of(database) as client:
        answer = await client.get(f"/api/games/{record.game_id}/replay")

    assert [seat["player"] for seat in answer.json()["seats"]] == ["deleted", "p1"]
    assert "Player 0" not in answer.text


@pytest.mark.parametrize(
    ("game", "status", "code"),
    [("nothing", 404, "game_not_found"), ("%F0%9F%8E%B2", 422, "invalid"), ("g" * 65, 422, "invalid")],
)
async def test_a_game_that_is_not_there_has_no_replay(
    database: Database, game: str, status: int, code: str
) -> None:
    async with client_of(database) as client:
        answer = await client.get(f"/api/games/{game}/replay")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
