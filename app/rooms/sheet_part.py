"""A sheet as its table sees it. Pure.

An entry changes one or two columns of a sheet: it is put together from pieces of JSON, of which those of a
column are kept as long as nothing is written there.
"""

from functools import lru_cache

import orjson

from app.rules.layout import ColumnLayout, Layout
from app.rules.plain import column_to_plain
from app.rules.sheet import Scores, Sheet, column_scores


def sheet_part(seat: int, layout: Layout, sheet: Sheet) -> orjson.Fragment:
    """A seat's sheet: filled cells by column and row, the sums of every column, the total; as JSON.

    Columns without an entry are left out.
    """
    cells, sums, total = [], [], 0
    for column in layout.columns:
        scores = column_scores(layout, sheet, column)
        if scores.count(None) < len(scores):
            in_column = _column(layout, column, scores)
            cells.append(in_column[0])
            sums.append(in_column[1])
            total += in_column[2]
    return orjson.Fragment(
        b'{"seat":%d,"total":%d,"cells":{%b},"sums":{%b}}' % (seat, total, b",".join(cells), b",".join(sums))
    )


@lru_cache(maxsize=16384)
def _column(layout: Layout, column: ColumnLayout, scores: Scores) -> tuple[bytes, bytes, int]:
    """The pieces with a column's cells and with its sums, and its total."""
    filled, sums, total = column_to_plain(layout, scores)
    name = column.text.encode()
    return b'"%b":%b' % (name, orjson.dumps(filled)), b'"%b":%b' % (name, orjson.dumps(sums)), total
