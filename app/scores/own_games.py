"""A player's finished games: all of them for himself, and without his name when he deletes himself."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from app.accounts.names import DELETED_ID, DELETED_NAME
from app.accounts.own_games import OwnGames, Plain
from app.accounts.repository import forget_player
from app.clock import Now, now_ms
from app.db import Database
from app.scores.player_repository import forget_statistics
from app.scores.repository import games_with, replace_record, results_of

_BATCH_RESULTS = 500
_BATCH_RECORDS = 20


def make_own_games(database: Database, *, now: Now = now_ms) -> OwnGames:
    """What the accounts need of finished games."""

    async def results(player: str) -> AsyncIterator[Plain]:
        after = ("", -1)
        while True:
            async with database.reading() as session:
                batch = await results_of(session, player, after, _BATCH_RESULTS)
            for result in batch:
                yield result
            if len(batch) < _BATCH_RESULTS:
                return
            after = (batch[-1]["game"], batch[-1]["seat"])

    async def records(player: str) -> AsyncIterator[Plain]:
        after = ""
        while True:
            async with database.reading() as session:
                batch = await games_with(session, player, after, _BATCH_RECORDS)
            for record in batch:
                yield record
            if len(batch) < _BATCH_RECORDS:
                return
            after = batch[-1]["id"]

    return OwnGames(results, records, make_delete_player(database, now=now))


def make_delete_player(database: Database, *, now: Now = now_ms) -> Callable[[str], Awaitable[bool]]:
    """The function that forgets a player in one transaction; his games and results stay. False: nobody there.

    Raises DatabaseUnavailable.
    """

    async def delete_player(player: str) -> bool:
        async with database.session() as session:
            if not await forget_player(session, player, now()):
                return False
            await forget_statistics(session, player)
            after = ""
            while batch := await games_with(session, player, after, _BATCH_RECORDS, to_change=True):
                for record in batch:
                    await replace_record(session, record["id"], without_player(record, player))
                after = batch[-1]["id"]
        return True

    return delete_player


def without_player(record: dict[str, Any], player: str) -> dict[str, Any]:
    """The record without the name and id of a player. Neither is a part of what the record proves."""
    gone = {"player": DELETED_ID, "name": DELETED_NAME}
    seats = [seat | gone if seat["player"] == player else seat for seat in record["seats"]]
    return record | {"seats": seats}
