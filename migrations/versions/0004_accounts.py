"""Accounts, limited attempts, deleted players, and who sat in which finished game."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_SEATS_OF_RECORDS = {
    "postgresql": """
        INSERT INTO game_seats (game_id, seat, player_id)
        SELECT games.id, (seat.value ->> 'seat')::integer, seat.value ->> 'player'
        FROM games, jsonb_array_elements(games.record -> 'seats') AS seat
        WHERE seat.value ->> 'ended' <> 'bot'
    """,
    "sqlite": """
        INSERT INTO game_seats (game_id, seat, player_id)
        SELECT games.id, json_extract(seat.value, '$.seat'), json_extract(seat.value, '$.player')
        FROM games, json_each(games.record, '$.seats') AS seat
        WHERE json_extract(seat.value, '$.ended') <> 'bot'
    """,
}


def upgrade() -> None:
    """Bring the schema to this revision."""
    with op.batch_alter_table("players") as players:
        players.add_column(sa.Column("deleted_at", sa.BigInteger(), nullable=True))
    _create_accounts()
    _create_attempts()
    _create_game_seats()
    op.execute(sa.text(_SEATS_OF_RECORDS[op.get_bind().dialect.name]))


def downgrade() -> None:
    """Take it back to the one before."""
    for table in ("game_seats", "attempts", "accounts"):
        op.drop_table(table)
    with op.batch_alter_table("players") as players:
        players.drop_column("deleted_at")


def _create_accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("user_name", sa.String(128), nullable=False),
        sa.Column("skeleton", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("recovery_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_accounts_player_id_players", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", name="pk_accounts"),
        sa.UniqueConstraint("skeleton", name="uq_accounts_skeleton"),
        sa.UniqueConstraint("user_name", name="uq_accounts_user_name"),
    )


def _create_attempts() -> None:
    op.create_table(
        "attempts",
        sa.Column("key", sa.LargeBinary(32), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_attempts"),
    )
    op.create_index("ix_attempts_ends_at", "attempts", ["ends_at"])


def _create_game_seats() -> None:
    op.create_table(
        "game_seats",
        sa.Column("game_id", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name="fk_game_seats_game_id_games", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_game_seats"),
    )
    op.create_index("ix_game_seats_player_id", "game_seats", ["player_id"])
