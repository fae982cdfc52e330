"""Which tests one worker keeps together."""

from tests.sharing_out import group_of


def test_browsers_and_whole_games_are_one_workers_work_each() -> None:
    assert group_of("tests/browser/test_axe.py::test_a[x]") == group_of("tests/browser/test_undo.py::test_b")
    assert group_of("tests/e2e/test_restart.py::test_a") != group_of("tests/browser/test_axe.py::test_a")


def test_what_a_file_makes_once_is_made_by_one_worker() -> None:
    assert group_of("tests/test_verify.py::test_a") == group_of("tests/test_verify.py::test_b[x::y]")


def test_every_other_test_goes_to_whoever_is_free() -> None:
    assert group_of("tests/rules/test_turn.py::test_a") != group_of("tests/rules/test_turn.py::test_b")
