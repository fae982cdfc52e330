"""Players and sessions in the database. Never commits."""

from collections.abc import Iterable, Mapping

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.tables import PlayerRow, SessionRow
from app.db import insert_once


async def add_player(session: AsyncSession, player: str, name: str, now: int) -> bool:
    """Add a player; False when the id is taken."""
    row = {"id": player, "name": name, "created_at": now}
    return bool(await insert_once(session, PlayerRow, [row]))


async def keep_players(session: AsyncSession, name_by_player: Mapping[str, str], now: int) -> None:
    """See that these players are there; those known already keep their names."""
    rows = [
        {"id": player, "name": name, "created_at": now} for player, name in sorted(name_by_player.items())
    ]
    await insert_once(session, PlayerRow, rows)


async def lock_players(session: AsyncSession, players: Iterable[str]) -> None:
    """Let nobody else who asks for the same write about these players, until the transaction ends."""
    ids = sorted(set(players))
    statement = select(PlayerRow.id).where(PlayerRow.id.in_(ids)).order_by(PlayerRow.id)
    await session.execute(statement.with_for_update(key_share=True))


async def rename_player(session: AsyncSession, player: str, name: str) -> None:
    """Give a player another name."""
    await session.execute(update(PlayerRow).where(PlayerRow.id == player).values(name=name))


def add_session(session: AsyncSession, token_hash: bytes, player: str, *, now: int, expires_at: int) -> None:
    """Sign a player in by the hash of a token."""
    session.add(SessionRow(token_hash=token_hash, player_id=player, created_at=now, expires_at=expires_at))


async def player_of_session(session: AsyncSession, token_hash: bytes, now: int) -> tuple[str, str] | None:
    """(player, name) of a session that hasn't expired."""
    statement = (
        select(PlayerRow.id, PlayerRow.name)
        .join(SessionRow, SessionRow.player_id == PlayerRow.id)
        .where(SessionRow.token_hash == token_hash, SessionRow.expires_at > now)
    )
    row = (await session.execute(statement)).one_or_none()
    return (row.id, row.name) if row else None
