"""What a player's finished games of one variant add up to. Pure: all of it follows from the records alone.

Everything is a sum or a best, so that games may be added in any order.
"""

from collections.abc import Sequence

from msgspec import Struct, convert, to_builtins

from app.rules.events import Announced
from app.rules.game import standings
from app.rules.plain import Plain
from app.rules.record import Record
from app.rules.sheet import sums_by_column
from app.rules.state import Game
from app.rules.variant import Cell

BUCKET_POINTS = 50
"""How wide a bucket of the distribution of totals is, in every variant."""


class RowSums(Struct, frozen=True):
    """What was written into a row's cells: how many there are, their points, how many are a zero."""

    row: str
    cells: int
    points: int
    crossed_out: int


class ColumnSums(Struct, frozen=True):
    """A column's points over all games, with its bonus and its middle part."""

    column: str
    points: int


class Statistics(Struct, frozen=True):
    """The sums over `games`. `totals`: how many games by the lowest total of their bucket, rising.

    `rows`: those that are written into, in the order of the sheet, as `columns` are.
    """

    games: int
    wins: int
    points: int
    best: int
    totals: tuple[tuple[int, int], ...]
    rows: tuple[RowSums, ...]
    columns: tuple[ColumnSums, ...]
    announced: int
    succeeded: int


def statistics_by_seat(record: Record) -> tuple[Statistics, ...]:
    """What one game is worth to the statistics of each of its seats."""
    final = record.final
    by_seat = {seat: (place, points) for place, seat, points in standings(final)}
    return tuple(_of_seat(record, final, seat, *by_seat[seat]) for seat in range(final.seats))


def added(one: Statistics, other: Statistics) -> Statistics:
    """The statistics of the games of both, which are of one variant."""
    return Statistics(
        games=one.games + other.games,
        wins=one.wins + other.wins,
        points=one.points + other.points,
        best=max(one.best, other.best),
        totals=_added_totals(one.totals, other.totals),
        rows=tuple(_added_row(*rows) for rows in zip(one.rows, other.rows, strict=True)),
        columns=tuple(_added_column(*columns) for columns in zip(one.columns, other.columns, strict=True)),
        announced=one.announced + other.announced,
        succeeded=one.succeeded + other.succeeded,
    )


def statistics_to_plain(statistics: Statistics) -> Plain:
    """The statistics as they are stored."""
    plain: Plain = to_builtins(statistics)
    return plain


def statistics_from_plain(plain: Plain) -> Statistics:
    """The statistics that are stored so."""
    return convert(plain, Statistics)


def _of_seat(record: Record, final: Game, seat: int, *standing: int) -> Statistics:
    place, points = standing
    layout, sheet = final.layout, final.sheets[seat]
    announced = _announced(record, seat)
    return Statistics(
        games=1,
        wins=int(place == 1 and final.seats > 1),
        points=points,
        best=points,
        totals=((points // BUCKET_POINTS * BUCKET_POINTS, 1),),
        rows=tuple(
            _row(row, [sheet[column.cells[place]] for column in layout.columns])
            for place, row in enumerate(layout.row_texts)
        ),
        columns=tuple(
            ColumnSums(kind.value, sums.total) for kind, sums in sums_by_column(layout, sheet).items()
        ),
        announced=len(announced),
        succeeded=sum((sheet[layout.index_by_cell[cell]] or 0) > 0 for cell in announced),
    )


def _row(row: str, scores: Sequence[int | None]) -> RowSums:
    """The cells of the maximum column are empty on a sheet: nobody writes them."""
    written = [score for score in scores if score is not None]
    return RowSums(row, len(written), sum(written), written.count(0))


def _announced(record: Record, seat: int) -> set[Cell]:
    """The cells that the seat announced. An undo takes back what was written, never an announcement."""
    return {event.cell for event in record.log if isinstance(event, Announced) and event.seat == seat}


def _added_totals(
    one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    games = dict(one)
    for lowest, number in other:
        games[lowest] = games.get(lowest, 0) + number
    return tuple(sorted(games.items()))


def _added_row(one: RowSums, other: RowSums) -> RowSums:
    return RowSums(
        one.row,
        one.cells + other.cells,
        one.points + other.points,
        one.crossed_out + other.crossed_out,
    )


def _added_column(one: ColumnSums, other: ColumnSums) -> ColumnSums:
    return ColumnSums(one.column, one.points + other.points)
