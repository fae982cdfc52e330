"""Players, their sessions, finished games and results."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema to this revision."""
    _create_players()
    _create_sessions()
    _create_games()
    _create_results()


def downgrade() -> None:
    """Take it back to the one before."""
    for table in ("results", "games", "sessions", "players"):
        op.drop_table(table)


def _create_players() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )


def _create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_sessions_player_id_players", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
    )
    op.create_index("ix_sessions_player_id", "sessions", ["player_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])


def _create_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("variant", sa.String(64), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("record", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )


def _create_results() -> None:
    op.create_table(
        "results",
        sa.Column("game_id", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("variant", sa.String(64), nullable=False),
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name="fk_results_game_id_games", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_results_player_id_players"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_results"),
    )
    order: list[str | sa.ColumnElement[object]] = [
        sa.literal_column("score DESC"),
        "ended_at",
        "game_id",
        "seat",
    ]
    op.create_index("ix_results_board", "results", ["variant", *order])
    op.create_index("ix_results_month_board", "results", ["variant", "month", *order])
    op.create_index("ix_results_player_id", "results", ["player_id"])
