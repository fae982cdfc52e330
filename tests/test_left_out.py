"""What a run says of the tests that it left out."""

import pytest

from tests.left_out import line_of
from tests.quick import is_quick


@pytest.mark.parametrize(
    ("reasons", "is_whole", "line"),
    [
        ((), True, "Nothing left out."),
        ((), False, "Nothing left out of the tests that were asked for."),
        (("no nginx",), True, "Left out: no nginx."),
        (("no gcc", "no nginx", "no gcc"), True, "Left out: no gcc (2 times); no nginx."),
    ],
)
def test_each_reason_is_named_once(reasons: tuple[str, ...], is_whole: bool, line: str) -> None:
    assert line_of(reasons, is_whole=is_whole) == line


@pytest.mark.parametrize(
    "test",
    [
        "tests/rules/test_turn.py::test_a",
        "tests/contract/test_room_store.py::test_a[local]",
        "tests/scores/test_listing.py::test_a[sqlite-2]",
        "tests/browser/test_first_visit.py::test_a",
    ],
)
def test_daily_work_runs_the_rules_one_store_and_some_pages(test: str) -> None:
    assert is_quick(test)


@pytest.mark.parametrize(
    "test",
    [
        "tests/contract/test_room_store.py::test_a[redis]",
        "tests/contract/test_room_store.py::test_a[cluster-3]",
        "tests/scores/test_listing.py::test_a[2-postgres]",
        "tests/browser/test_axe.py::test_a",
        "tests/test_compiled.py::test_a",
    ],
)
def test_daily_work_waits_for_no_other_store_and_no_compiler(test: str) -> None:
    assert not is_quick(test)
