"""Boards of days, each player's best, how many have which score, and a key for cursors."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_ORDER: list[str | sa.ColumnElement[object]] = [
    sa.literal_column("score DESC"),
    "ended_at",
    "game_id",
    "seat",
]
_BOARDS = {"ix_results_board": ["variant"], "ix_results_month_board": ["variant", "month"]}
_WIDTH = 64


def upgrade() -> None:
    """Bring the schema to this revision."""
    _add_days()
    _create_tables()
    _list_results()
    # Now: one by one, a million rows would be checked for minutes.
    with op.batch_alter_table("bests") as bests:
        bests.create_foreign_key("fk_bests_player_id_players", "players", ["player_id"], ["id"])
        bests.create_foreign_key(
            "fk_bests_game_id_results", "results", ["game_id", "seat"], ["game_id", "seat"]
        )
    op.create_index("ix_bests_board", "bests", ["variant", "period", *_ORDER])


def downgrade() -> None:
    """Take it back to the one before."""
    for table in ("keys", "tallies", "bests"):
        op.drop_table(table)
    _drop_indexes("ix_results_player", "ix_results_day_board", *_BOARDS)
    with op.batch_alter_table("results") as results:
        results.drop_column("day")
    _create_boards()
    op.create_index("ix_results_player_id", "results", ["player_id"])


def _add_days() -> None:
    # SQLite makes the table anew, and would forget which way the indexes run.
    _drop_indexes("ix_results_player_id", *_BOARDS)
    op.add_column("results", sa.Column("day", sa.String(10), nullable=True))
    op.execute(f"UPDATE results SET day = {_day_of('ended_at')}")  # noqa: S608 - no input
    with op.batch_alter_table("results") as results:
        results.alter_column("day", existing_type=sa.String(10), nullable=False)
    _create_boards()
    op.create_index("ix_results_day_board", "results", ["variant", "day", *_ORDER])
    op.create_index("ix_results_player", "results", ["player_id", "variant", *_ORDER])


def _create_boards() -> None:
    for name, columns in _BOARDS.items():
        op.create_index(name, "results", [*columns, *_ORDER])


def _drop_indexes(*names: str) -> None:
    for name in names:
        op.drop_index(name, "results")


def _day_of(column: str) -> str:
    if op.get_bind().dialect.name == "postgresql":
        return f"to_char(to_timestamp({column} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
    return f"strftime('%Y-%m-%d', {column} / 1000, 'unixepoch')"


def _create_tables() -> None:
    op.create_table(
        "bests",
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("variant", sa.String(64), nullable=False),
        sa.Column("period", sa.String(10), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("results", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "variant", "period", name="pk_bests"),
    )
    op.create_table(
        "tallies",
        sa.Column("variant", sa.String(64), nullable=False),
        sa.Column("period", sa.String(10), nullable=False),
        sa.Column("mode", sa.String(8), nullable=False),
        sa.Column("width", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("variant", "period", "mode", "width", "start", name="pk_tallies"),
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("key", sa.LargeBinary(32), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )


def _list_results() -> None:
    """Put the results that are there on their boards."""
    for period in ("''", "month", "day"):
        op.execute(_BESTS.format(period=period))
        for width in (1, _WIDTH):
            op.execute(_TALLIES.format(mode="results", period=period, width=width, rows="results"))
    for width in (1, _WIDTH):
        op.execute(_TALLIES.format(mode="players", period="period", width=width, rows="bests"))


# `& -64` rounds down to a multiple of 64, below zero too.
_TALLIES = """
INSERT INTO tallies (variant, period, mode, width, start, number)
SELECT variant, {period}, '{mode}', {width}, score & -{width}, count(*) FROM {rows} GROUP BY 1, 2, 5
"""
_BESTS = """
INSERT INTO bests (player_id, variant, period, score, ended_at, game_id, seat, results)
SELECT player_id, variant, period, score, ended_at, game_id, seat, results
FROM (
    SELECT *, {period} AS period,
        row_number() OVER (
            PARTITION BY player_id, variant, {period} ORDER BY score DESC, ended_at, game_id, seat
        ) AS rank,
        count(*) OVER (PARTITION BY player_id, variant, {period}) AS results
    FROM results
) AS ranked
WHERE rank = 1
"""
