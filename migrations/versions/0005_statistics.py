"""Statistics of players, from the records that are there. Who has deleted himself has none."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.rules.column_choice import base_of
from app.rules.plain import readable, record_from_plain
from app.rules.presets import for_seats
from app.scores.statistics import Statistics, added, statistics_by_seat, statistics_to_plain

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_AT_ONCE = 200


def upgrade() -> None:
    """Bring the schema to this revision."""
    table = op.create_table(
        "player_statistics",
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("variant", sa.String(64), nullable=False),
        sa.Column("base", sa.String(64), nullable=False),
        sa.Column("sums", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_player_statistics_player_id_players", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "variant", name="pk_player_statistics"),
    )
    rows = _rows(op.get_bind())
    if rows:
        op.bulk_insert(table, rows)


def downgrade() -> None:
    """Take it back to the one before."""
    op.drop_table("player_statistics")


def _rows(connection: sa.Connection) -> list[dict[str, Any]]:
    """The statistics of all games that are there. A record that can't be read adds nothing."""
    sums: dict[tuple[str, str], Statistics] = {}
    bases: dict[str, str] = {}
    for game, plain, results in _games(connection):
        try:
            record = readable(record_from_plain, plain, game)
            by_seat = statistics_by_seat(record)
        except (ValueError, LookupError):
            continue
        for player, seat, variant in results:
            base = base_of(for_seats(record.variant, len(record.seats)))
            bases[variant] = base.id if base else variant
            known = sums.get((player, variant))
            sums[player, variant] = added(known, by_seat[seat]) if known else by_seat[seat]
    return [
        {
            "player_id": player,
            "variant": variant,
            "base": bases[variant],
            "sums": statistics_to_plain(statistics),
        }
        for (player, variant), statistics in sums.items()
    ]


_game = sa.table("games", sa.column("id"), sa.column("record", sa.JSON()))
_result = sa.table(
    "results", sa.column("game_id"), sa.column("seat"), sa.column("player_id"), sa.column("variant")
)

_player = sa.table("players", sa.column("id"), sa.column("deleted_at"))


def _games(connection: sa.Connection) -> Iterator[tuple[str, Any, list[tuple[str, int, str]]]]:
    """Every game with results: its id, its record, and for each result the player, seat and variant.

    Both tables are read through once, side by side: asked for piece by piece, PostgreSQL would have to find
    a plan for rows that this very transaction may have written, and of which it knows nothing.
    """
    games = iter(_each(connection, sa.select(_game.c.id, _game.c.record).order_by(_game.c.id)))
    columns = (_result.c.game_id, _result.c.player_id, _result.c.seat, _result.c.variant)
    of_players = (
        sa.select(*columns)
        .join(_player, _player.c.id == _result.c.player_id)
        .where(_player.c.deleted_at.is_(None))
        .order_by(_result.c.game_id, _result.c.seat)
    )
    for game_id, rows in groupby(_each(connection, of_players), lambda row: row.game_id):
        game = next(game for game in games if game.id == game_id)
        yield game_id, game.record, [(row.player_id, row.seat, row.variant) for row in rows]


def _each(connection: sa.Connection, statement: sa.Select[Any]) -> sa.CursorResult[Any]:
    """The rows, some at a time."""
    return connection.execute(statement, execution_options={"yield_per": _AT_ONCE})
