"""Replays as plain values."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from app.rules.events import Event
from app.rules.layout import Layout
from app.rules.own_dice.actions import Cleared, Emptied, SheetEvent, Withdrawn
from app.rules.plain.events import cell_to_plain, event_to_plain
from app.rules.plain.games import column_to_plain
from app.rules.plain.own_dice import sheet_event_to_plain
from app.rules.plain.reading import Plain
from app.rules.plain.variants import variant_to_plain
from app.rules.replay import Step
from app.rules.sheet import Scores, column_scores


def replay_to_plain(layout: Layout, steps: Sequence[Step]) -> Plain:
    """The variant as its table played it, and the steps: of each only the columns that it changed, whole.

    So a sheet after any step is those columns laid over each other, which takes no rules.
    """
    points: defaultdict[int, dict[str, int]] = defaultdict(dict)
    return {
        "variant": variant_to_plain(layout.variant),
        "steps": [_step_to_plain(layout, step, points[step.seat]) for step in steps],
    }


def _step_to_plain(layout: Layout, step: Step, points: dict[str, int]) -> Plain:
    """`points`: those of the seat by column before the step, and then after it."""
    columns: dict[str, Plain | None] = {}
    for name, scores in _changed(layout, step):
        cells, sums, points[name] = column_to_plain(layout, scores)
        columns[name] = {"cells": cells, "sums": sums} if cells else None
    return {
        "seat": step.seat,
        "round": step.round,
        "events": [_event_to_plain(event) for event in step.events],
        "announced": cell_to_plain(step.announced) if step.announced else None,
        "columns": columns,
        "total": sum(points.values()),
    }


def _event_to_plain(event: Event | SheetEvent) -> Plain:
    if isinstance(event, Emptied | Cleared | Withdrawn):
        return sheet_event_to_plain(event)
    return event_to_plain(event)


def _changed(layout: Layout, step: Step) -> Iterator[tuple[str, Scores]]:
    """The names and scores of the columns that aren't as before; the maximum column follows the others."""
    if step.before == step.after:
        return
    for column in layout.columns:
        scores = column_scores(layout, step.after, column)
        if scores != column_scores(layout, step.before, column):
            yield column.text, scores
