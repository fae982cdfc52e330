"""Players, sessions, accounts and limited attempts in the database. Never commits."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, case, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from app.accounts.names import DELETED_NAME, Shown, shown_player
from app.accounts.tables import AccountRow, AttemptRow, PlayerRow, SessionRow
from app.db import insert_of, insert_once


@dataclass(frozen=True, slots=True)
class Account:
    """What is kept of an account."""

    player: str
    user_name: str
    password_hash: str
    recovery_hash: bytes
    created_at: int


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


async def deleted_among(session: AsyncSession, players: Collection[str]) -> set[str]:
    """Those who have deleted themselves; of the others none does so before this transaction's end."""
    statement = (
        select(PlayerRow.id, PlayerRow.deleted_at)
        .where(PlayerRow.id.in_(players))
        .order_by(PlayerRow.id)
        .with_for_update(read=True, key_share=True)
    )
    rows = await session.execute(statement)
    return {row.id for row in rows if row.deleted_at is not None}


async def gone_among(session: AsyncSession, players: Collection[str]) -> set[str]:
    """Those who have deleted themselves, as of now."""
    gone = select(PlayerRow.id).where(PlayerRow.id.in_(players), PlayerRow.deleted_at.is_not(None))
    return set((await session.scalars(gone)).all())


async def lock_players(session: AsyncSession, players: Iterable[str]) -> None:
    """Let nobody else who asks for the same write about these players, until the transaction ends."""
    ids = sorted(set(players))
    statement = select(PlayerRow.id).where(PlayerRow.id.in_(ids)).order_by(PlayerRow.id)
    await session.execute(statement.with_for_update(key_share=True))


async def rename_player(session: AsyncSession, player: str, name: str) -> None:
    """Give a player another name, unless he is gone meanwhile."""
    is_there = (PlayerRow.id == player, PlayerRow.deleted_at.is_(None))
    await session.execute(update(PlayerRow).where(*is_there).values(name=name))


async def name_of_player(session: AsyncSession, player: str) -> str | None:
    """The name that a player bears; None when there is no such player, or no longer."""
    is_there = (PlayerRow.id == player, PlayerRow.deleted_at.is_(None))
    return await session.scalar(select(PlayerRow.name).where(*is_there))


async def shown_among(session: AsyncSession, players: Collection[str]) -> dict[str, Shown]:
    """How those of these players are shown who are still there, by id."""
    statement = (
        select(PlayerRow.id, PlayerRow.name, AccountRow.user_name)
        .outerjoin(AccountRow, AccountRow.player_id == PlayerRow.id)
        .where(PlayerRow.id.in_(players), PlayerRow.deleted_at.is_(None))
    )
    rows = await session.execute(statement)
    return {row.id: shown_player(row.id, row.name, row.user_name) for row in rows}


async def player_since(session: AsyncSession, player: str) -> int | None:
    """When a player came; None when there is no such player, or no longer."""
    is_there = (PlayerRow.id == player, PlayerRow.deleted_at.is_(None))
    return await session.scalar(select(PlayerRow.created_at).where(*is_there))


async def forget_player(session: AsyncSession, player: str, now: int) -> bool:
    """Take a player's name, account and sessions away; False when there is none to forget.

    Whoever records a game of his meanwhile is waited for, or waits.
    """
    mine = select(PlayerRow).where(PlayerRow.id == player, PlayerRow.deleted_at.is_(None))
    row = await session.scalar(mine.with_for_update())
    if row is None:
        return False
    row.name = DELETED_NAME
    row.deleted_at = now
    await session.execute(delete(SessionRow).where(SessionRow.player_id == player))
    await session.execute(delete(AccountRow).where(AccountRow.player_id == player))
    return True


def add_session(session: AsyncSession, token_hash: bytes, player: str, *, now: int, expires_at: int) -> None:
    """Sign a player in by the hash of a token."""
    session.add(SessionRow(token_hash=token_hash, player_id=player, created_at=now, expires_at=expires_at))


async def player_of_session(
    session: AsyncSession, token_hash: bytes, now: int
) -> tuple[str, str, str | None] | None:
    """(player, name, user name) of a session that hasn't expired."""
    statement = (
        select(PlayerRow.id, PlayerRow.name, AccountRow.user_name)
        .join(SessionRow, SessionRow.player_id == PlayerRow.id)
        .outerjoin(AccountRow, AccountRow.player_id == PlayerRow.id)
        .where(SessionRow.token_hash == token_hash, SessionRow.expires_at > now)
    )
    row = (await session.execute(statement)).one_or_none()
    return (row.id, row.name, row.user_name) if row else None


async def valid_among(session: AsyncSession, token_hashes: Collection[bytes], now: int) -> set[bytes]:
    """The sessions of those tokens that are there and haven't expired, by the same hashes."""
    valid = (SessionRow.token_hash.in_(token_hashes), SessionRow.expires_at > now)
    return set((await session.scalars(select(SessionRow.token_hash).where(*valid))).all())


async def sessions_of(session: AsyncSession, player: str) -> list[tuple[int, int]]:
    """When a player's sessions began, and when they end."""
    statement = select(SessionRow.created_at, SessionRow.expires_at).where(SessionRow.player_id == player)
    rows = await session.execute(statement.order_by(SessionRow.created_at))
    return [(row.created_at, row.expires_at) for row in rows]


async def end_session(session: AsyncSession, token_hash: bytes) -> bool:
    """Sign out what has that token; False when nothing has it."""
    ending = delete(SessionRow).where(SessionRow.token_hash == token_hash)
    return await session.scalar(ending.returning(SessionRow.player_id)) is not None


async def end_sessions(session: AsyncSession, player: str, *, but: bytes = b"") -> None:
    """Sign a player out everywhere, except where the token has the hash `but`."""
    mine = (SessionRow.player_id == player, SessionRow.token_hash != but)
    await session.execute(delete(SessionRow).where(*mine))


async def end_oldest_sessions(session: AsyncSession, player: str, *, keep: int) -> bool:
    """Keep the newest so many sessions of a player and end the others; whether there were others."""
    mine = select(SessionRow.token_hash).where(SessionRow.player_id == player)
    older = (await session.scalars(mine.order_by(SessionRow.created_at.desc()).offset(keep))).all()
    if older:
        await session.execute(delete(SessionRow).where(SessionRow.token_hash.in_(older)))
    return bool(older)


async def forget_sessions(session: AsyncSession, now: int, most: int) -> int:
    """Remove some of those that have expired, at most so many; how many that were."""
    return await _forget(session, SessionRow.token_hash, SessionRow.expires_at <= now, most)


async def add_account(session: AsyncSession, account: Account, skeleton: str) -> bool:
    """Give a player an account; False when he has one, or when another's user name is too much alike."""
    row = {
        "player_id": account.player,
        "user_name": account.user_name,
        "skeleton": skeleton,
        "password_hash": account.password_hash,
        "recovery_hash": account.recovery_hash,
        "created_at": account.created_at,
    }
    return bool(await insert_once(session, AccountRow, [row]))


async def is_taken(session: AsyncSession, user_name: str, skeleton: str) -> bool:
    """Whether somebody has that user name, or one that looks like it."""
    alike = or_(AccountRow.user_name == user_name, AccountRow.skeleton == skeleton)
    return await session.scalar(select(AccountRow.player_id).where(alike).limit(1)) is not None


async def account_of(session: AsyncSession, player: str) -> Account | None:
    """The account of a player."""
    return await _account(session, AccountRow.player_id == player)


async def account_named(session: AsyncSession, user_name: str) -> Account | None:
    """The account with that user name."""
    return await _account(session, AccountRow.user_name == user_name)


async def hold_password(session: AsyncSession, player: str) -> str | None:
    """The hash of the password of a player's account, which nobody changes before this transaction's end."""
    mine = AccountRow.player_id == player
    return await session.scalar(select(AccountRow.password_hash).where(mine).with_for_update())


async def set_password(session: AsyncSession, player: str, password_hash: str) -> None:
    """Let a player's account have another password."""
    mine = AccountRow.player_id == player
    await session.execute(update(AccountRow).where(mine).values(password_hash=password_hash))


async def set_recovery_code(session: AsyncSession, player: str, new: bytes, *, old: bytes) -> bool:
    """Let a player's account have another recovery code, by their hashes; False when the old isn't his."""
    mine = (AccountRow.player_id == player, AccountRow.recovery_hash == old)
    statement = update(AccountRow).where(*mine).values(recovery_hash=new).returning(AccountRow.player_id)
    return await session.scalar(statement) is not None


async def count_attempt(session: AsyncSession, key: bytes, *, now: int, ends_at: int) -> tuple[int, int]:
    """Count one more; how many that makes, and when they are forgotten: at `ends_at` if this is the first."""
    is_over = AttemptRow.ends_at <= now
    insert = insert_of(session, AttemptRow).values(key=key, count=1, ends_at=ends_at)
    counting = insert.on_conflict_do_update(
        index_elements=[AttemptRow.key],
        set_={
            "count": case((is_over, 1), else_=AttemptRow.count + 1),
            "ends_at": case((is_over, ends_at), else_=AttemptRow.ends_at),
        },
    )
    count, forgotten_at = (
        await session.execute(counting.returning(AttemptRow.count, AttemptRow.ends_at))
    ).one()
    return count, forgotten_at


async def give_attempt_back(session: AsyncSession, key: bytes) -> None:
    """Count one less."""
    counted = (AttemptRow.key == key, AttemptRow.count > 0)
    await session.execute(update(AttemptRow).where(*counted).values(count=AttemptRow.count - 1))


async def forget_attempts(session: AsyncSession, now: int, most: int) -> int:
    """Remove some of what is over, at most so much; how much that was."""
    return await _forget(session, AttemptRow.key, AttemptRow.ends_at <= now, most)


async def _forget(
    session: AsyncSession, key: InstrumentedAttribute[bytes], is_over: ColumnElement[bool], most: int
) -> int:
    """Only what nobody else holds: so nobody is waited for, and two who do so take different rows."""
    over = select(key).where(is_over).limit(most).with_for_update(skip_locked=True)
    keys = (await session.scalars(over)).all()
    if keys:
        await session.execute(delete(key.class_).where(key.in_(keys)))
    return len(keys)


async def _account(session: AsyncSession, which: ColumnElement[bool]) -> Account | None:
    columns: Any = AccountRow.__table__.c
    row = (await session.execute(select(*columns).where(which))).one_or_none()
    if row is None:
        return None
    return Account(row.player_id, row.user_name, row.password_hash, row.recovery_hash, row.created_at)
