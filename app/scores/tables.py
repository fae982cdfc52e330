"""Finished games and their results as they are stored. Instants are milliseconds since 1970 in UTC."""

from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, desc
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class GameRow(Base):
    """A finished game: its immutable record, whole."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    variant: Mapped[str] = mapped_column(String(64))
    ended_at: Mapped[int] = mapped_column(BigInteger)
    record: Mapped[dict[str, Any]] = mapped_column(JSON().with_variant(JSONB(), "postgresql"))


class GameSeatRow(Base):
    """Which person sat where in a finished game, also without a result: whose name stands in its record."""

    __tablename__ = "game_seats"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[str] = mapped_column(String(32), index=True)


class ResultRow(Base):
    """What a player reached in a finished game. `month` is that of the game's end in UTC, such as 2026-11.

    The indexes carry a board's whole order: score, then earlier end, then game and seat.
    """

    __tablename__ = "results"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    variant: Mapped[str] = mapped_column(String(64))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), index=True)
    score: Mapped[int]
    place: Mapped[int]
    ended_at: Mapped[int] = mapped_column(BigInteger)
    month: Mapped[str] = mapped_column(String(7))


ORDER = (desc(ResultRow.score), ResultRow.ended_at, ResultRow.game_id, ResultRow.seat)

_of = ResultRow.__table__.c
_IN_ORDER = (_of.score.desc(), _of.ended_at, _of.game_id, _of.seat)

Index("ix_results_board", _of.variant, *_IN_ORDER)
Index("ix_results_month_board", _of.variant, _of.month, *_IN_ORDER)
