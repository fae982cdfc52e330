"""What a hostile run prints."""

from collections.abc import Iterator, Sequence

from tests.faults.hostile.measures import percentile
from tests.faults.hostile.run import Judged

_WIDTHS = (34, 6, 12, 13, 11, 6, 9, 8)
_HEAD = ("attack", "way", "quiet p99", "during p99", "seen p99", "ratio", "memory +", "held")


def head() -> str:
    """The head of the table."""
    return _line([*_HEAD, "refused how"])


def row(judged: Judged) -> str:
    """A line of the table: milliseconds and MiB."""
    case = judged.case
    grown = case.peak - case.before.memory
    sent = f"{case.tally.sent / 1e6:.1f} MB in {case.tally.opened}: " if case.tally else ""
    return _line(
        [
            case.name,
            case.way,
            f"{case.quiet_p99:.1f}",
            f"{case.p99:.1f}",
            f"{percentile(case.during.sights, 0.99):.1f}",
            f"{case.ratio:.1f}",
            f"{grown:.0f}",
            "no" if judged.found else ("yes" if judged.times == 1 else "again"),
            sent + (case.tally.refusals() if case.tally else "not made"),
        ]
    )


def faults(judged: Sequence[Judged], others: Sequence[str]) -> Iterator[str]:
    """What did not hold, a line each."""
    for one in judged:
        for sentence in one.found:
            yield f"FAULT: {one.case.name}, {one.case.way}: {sentence}"
    for sentence in others:
        yield f"FAULT: {sentence}"


def _line(cells: Sequence[str]) -> str:
    return "".join(cell.ljust(width) for cell, width in zip(cells, _WIDTHS, strict=False)) + "  " + cells[-1]
