"""Players and their sessions as they are stored. Instants are milliseconds since 1970 in UTC."""

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class PlayerRow(Base):
    """Somebody who plays: a guest, or with an account. Who has deleted himself is kept without his name."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(128))
    created_at: Mapped[int] = mapped_column(BigInteger)
    deleted_at: Mapped[int | None] = mapped_column(BigInteger)


class AccountRow(Base):
    """How a player signs in anywhere. `skeleton`: what look-alike user names have in common."""

    __tablename__ = "accounts"

    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), primary_key=True)
    user_name: Mapped[str] = mapped_column(String(128), unique=True)
    skeleton: Mapped[str] = mapped_column(Text, unique=True)
    password_hash: Mapped[str] = mapped_column(Text)
    recovery_hash: Mapped[bytes] = mapped_column(LargeBinary(32))
    created_at: Mapped[int] = mapped_column(BigInteger)


class AttemptRow(Base):
    """How often something was tried that is limited, such as a password. `key`: a hash of what and who."""

    __tablename__ = "attempts"

    key: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    count: Mapped[int]
    ends_at: Mapped[int] = mapped_column(BigInteger, index=True)


class SessionRow(Base):
    """A browser or program that is signed in. The token itself is known to it alone."""

    __tablename__ = "sessions"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[int] = mapped_column(BigInteger)
    expires_at: Mapped[int] = mapped_column(BigInteger, index=True)
