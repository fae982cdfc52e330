"""The last line of a run: which tests it left out, and why. A green run says no more than what it ran."""

from collections import Counter
from collections.abc import Iterable

import pytest

from tests.quick import is_quick_run

SKIPPED_IN_CI = "skipped in CI: "
"""What the report of a skipped test begins with where that is a failure."""

Report = pytest.TestReport | pytest.CollectReport


def tell_what_was_left_out(config: pytest.Config) -> None:
    """Print the line, where the run came to its end and its tests were run by this program."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not reporter.stats.get("passed"):
        return
    reports = [one for key in ("skipped", "failed", "error") for one in reporter.stats.get(key, ())]
    reasons = list(filter(None, map(reason_of, reports)))
    if is_quick_run(config):
        reasons.append("the rest, by --quick: python3 dev.py test runs everything")
    reporter.write_line(line_of(reasons, is_whole=is_whole(config)))


def reason_of(report: Report) -> str | None:
    """Why a test was skipped; None for one that was not."""
    told = report.longrepr
    if isinstance(told, tuple):
        return str(told[2]).removeprefix("Skipped: ")
    is_in_ci = isinstance(told, str) and told.startswith(SKIPPED_IN_CI)
    return str(told).removeprefix(SKIPPED_IN_CI) if is_in_ci else None


def line_of(reasons: Iterable[str], *, is_whole: bool) -> str:
    """One sentence: each reason once, with how often it was given."""
    counted = Counter(reasons)
    if counted:
        parts = [f"{reason} ({times} times)" if times > 1 else reason for reason, times in counted.items()]
        return f"Left out: {'; '.join(parts)}."
    return "Nothing left out." if is_whole else "Nothing left out of the tests that were asked for."


def is_whole(config: pytest.Config) -> bool:
    """Whether all tests were asked for."""
    chosen = ("file_or_dir", "keyword", "markexpr", "deselect")
    return not any(getattr(config.option, name, None) for name in chosen)
