"""What `--quick` runs: what daily work needs, in two or three minutes.

The pure tests, each kind of store once - the one that needs no server -, and a few pages in a browser.
"""

import re

import pytest

_QUICK = "--quick"
# What takes minutes: whole games, failing servers, compilers, searches of everything, started programs.
_SLOW = (
    "tests/browser/",
    "tests/contract/test_redis_",
    "tests/contract/test_room_store_model.py",
    "tests/e2e/",
    "tests/faults/",
    "tests/rooms/test_bounds.py",
    "tests/rooms/test_left_games.py",
    "tests/rooms/test_random_rooms.py",
    "tests/rules/test_ideal.py",
    "tests/rules/test_walks.py",
    "tests/rules/test_whole_games.py",
    "tests/test_backup.py",
    "tests/test_bench.py",
    "tests/test_cli_output.py",
    "tests/test_compiled.py",
    "tests/test_logs.py",
    "tests/test_proxy.py",
    "tests/test_schema.py",
    "tests/test_schemathesis.py",
    "tests/test_servers.py",
    "tests/test_serving.py",
)
_YET_RUN = (
    "tests/browser/test_first_visit.py",
    "tests/browser/test_undo.py",
    "tests/faults/test_checker.py",
)
# The parameter of a test that runs on several stores.
_OTHER_STORE = re.compile(r"[\[-](postgres|redis|cluster)[\]-]")


def add_quick_option(parser: pytest.Parser) -> None:
    """`--quick`."""
    parser.addoption(_QUICK, action="store_true", help="what daily work needs, in two or three minutes")


def is_quick_run(config: pytest.Config) -> bool:
    """Whether it was asked for."""
    return bool(config.getoption(_QUICK))


def is_quick(test: str) -> bool:
    """Whether a test, by its id, is one of those."""
    return (not test.startswith(_SLOW) or test.startswith(_YET_RUN)) and not _OTHER_STORE.search(test)


def leave_out_what_is_slow(config: pytest.Config, tests: list[pytest.Item]) -> None:
    """Take the other tests out of the list, where it was asked for."""
    if not is_quick_run(config):
        return
    slow = [test for test in tests if not is_quick(test.nodeid)]
    config.hook.pytest_deselected(items=slow)
    tests[:] = [test for test in tests if is_quick(test.nodeid)]
