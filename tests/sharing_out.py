"""How a run with several workers shares the tests out: those of one group go to one worker, in a row.

What a worker's tests need - PostgreSQL, Redis, a browser - that worker starts for itself, on free ports.
"""

from xdist.scheduler import LoadScopeScheduling

# A group of its own for what would be slow beside its like: a page's own waits could run out.
_FOLDERS = ("tests/browser/", "tests/e2e/", "tests/faults/")
# What these files make once for all of their tests takes longer than the tests.
_TOGETHER = (
    "tests/test_compiled.py",
    "tests/test_docker.py",
    "tests/test_proxy.py",
    "tests/test_replay.py",
    "tests/test_verify.py",
)


def group_of(test: str) -> str:
    """The group of a test, by its id: the tests of one are run by one worker, in a row."""
    file = test.partition("::")[0]
    folder = next((folder for folder in _FOLDERS if file.startswith(folder)), None)
    return folder or (file if file in _TOGETHER else test)


class SharingOut(LoadScopeScheduling):
    """Hands out the largest groups first, so that no worker has one left when the others have ended."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
