"""All that is kept about a player, as one JSON document that is made while it is sent."""

from collections.abc import AsyncIterator

import orjson

from app.accounts.own_games import OwnGames, Plain
from app.accounts.repository import account_of, name_of_player, player_since, sessions_of
from app.accounts.schemas import ExportedAccount, ExportedPlayer, ExportedSession
from app.db import Database


async def export(database: Database, games: OwnGames, player: str) -> AsyncIterator[bytes]:
    """The document piece by piece, in the form of schemas.Export: games are many and long."""
    head = await _head(database, player)
    yield orjson.dumps(head)[:-1] + b',"results":['
    async for piece in _items(games.results(player)):
        yield piece
    yield b'],"games":['
    async for piece in _items(games.records(player)):
        yield piece
    yield b"]}"


async def _head(database: Database, player: str) -> Plain:
    async with database.reading() as session:
        name = await name_of_player(session, player)
        since = await player_since(session, player)
        account = await account_of(session, player)
        sessions = await sessions_of(session, player)
    shown = ExportedAccount(user_name=account.user_name, since=account.created_at) if account else None
    return {
        "player": ExportedPlayer(id=player, name=name or "", since=since or 0).model_dump(),
        "account": shown and shown.model_dump(),
        "sessions": [ExportedSession(since=begun, until=end).model_dump() for begun, end in sessions],
    }


async def _items(plains: AsyncIterator[Plain]) -> AsyncIterator[bytes]:
    separator = b""
    async for plain in plains:
        yield separator + orjson.dumps(plain)
        separator = b","
