"""Custom variants as they are stored. Instants are milliseconds since 1970 in UTC."""

from typing import Any

from sqlalchemy import JSON, BigInteger, String
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base


class VariantRow(Base):
    """A custom variant: its id and code are made from its parameters, so a row never changes."""

    __tablename__ = "variants"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    code: Mapped[str] = mapped_column(String(16), unique=True)
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON().with_variant(JSONB(), "postgresql"))
    created_at: Mapped[int] = mapped_column(BigInteger)
