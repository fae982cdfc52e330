"""Finished games and their results as they are stored. Instants are milliseconds since 1970 in UTC."""

from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, ForeignKeyConstraint, Index, LargeBinary, String
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base

TALLY_WIDTHS = (1, 64)


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
    """What a player reached in a finished game. `month` and `day` are those of the game's end in UTC.

    The indexes carry a board's whole order: score, then earlier end, then game and seat.
    """

    __tablename__ = "results"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    variant: Mapped[str] = mapped_column(String(64))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"))
    score: Mapped[int]
    place: Mapped[int]
    ended_at: Mapped[int] = mapped_column(BigInteger)
    month: Mapped[str] = mapped_column(String(7))
    day: Mapped[str] = mapped_column(String(10))


class StatisticsRow(Base):
    """What a player's listed games of one variant add up to, so that showing it reads no game.

    `base`: the variant whose columns were chosen; its own id where nothing was.
    """

    __tablename__ = "player_statistics"

    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), primary_key=True)
    variant: Mapped[str] = mapped_column(String(64), primary_key=True)
    base: Mapped[str] = mapped_column(String(64))
    sums: Mapped[dict[str, Any]] = mapped_column(JSON().with_variant(JSONB(), "postgresql"))


class BestRow(Base):
    """A player's best result of a period, and how many results he has in it.

    Written by the transaction that stores a result. `period`: a key of app/scores/periods.py.
    """

    __tablename__ = "bests"
    __table_args__ = (ForeignKeyConstraint(["game_id", "seat"], ["results.game_id", "results.seat"]),)

    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), primary_key=True)
    variant: Mapped[str] = mapped_column(String(64), primary_key=True)
    period: Mapped[str] = mapped_column(String(10), primary_key=True)
    score: Mapped[int]
    ended_at: Mapped[int] = mapped_column(BigInteger)
    game_id: Mapped[str] = mapped_column(String(64))
    seat: Mapped[int]
    results: Mapped[int]


class TallyRow(Base):
    """How many rows of a board have a score from `start` to below `start + width`; places are sums of these.

    A board has them in two widths, so that a place is the sum of some dozens and not of a million.
    """

    __tablename__ = "tallies"

    variant: Mapped[str] = mapped_column(String(64), primary_key=True)
    period: Mapped[str] = mapped_column(String(10), primary_key=True)
    mode: Mapped[str] = mapped_column(String(8), primary_key=True)
    width: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    start: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int]


class KeyRow(Base):
    """A secret of this installation, made once by whichever server needs it first."""

    __tablename__ = "keys"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    key: Mapped[bytes] = mapped_column(LargeBinary(32))


_of = ResultRow.__table__.c
_IN_ORDER = (_of.score.desc(), _of.ended_at, _of.game_id, _of.seat)
Index("ix_results_board", _of.variant, *_IN_ORDER)
Index("ix_results_month_board", _of.variant, _of.month, *_IN_ORDER)
Index("ix_results_day_board", _of.variant, _of.day, *_IN_ORDER)
# A period of one player's results is looked for by `ended_at`, which is in it.
Index("ix_results_player", _of.player_id, _of.variant, *_IN_ORDER)

_best = BestRow.__table__.c
Index(
    "ix_bests_board",
    _best.variant,
    _best.period,
    _best.score.desc(),
    _best.ended_at,
    _best.game_id,
    _best.seat,
)
