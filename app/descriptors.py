"""How many files and connections the system lets this process have open."""

import sys
from contextlib import suppress

_OTHERS = 128
_LONGEST_BACKLOG = 2048
"""Of connections that the system has taken and this process hasn't; it may take all of them at once."""


def raise_limit() -> int | None:
    """Raise the limit of open files as far as this process may. What it is then; None where there is none."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - only there elsewhere

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return None if soft == resource.RLIM_INFINITY else soft


def backlog(limit: int | None) -> int:
    """How many connections may wait to be taken, with so many open files at most."""
    return _LONGEST_BACKLOG if limit is None else max(1, min(_LONGEST_BACKLOG, limit // 8))


def room_for_connections(limit: int | None) -> int:
    """How many connections leave room for other open files, such as the database's. 0: any number."""
    return 0 if limit is None else max(1, limit - backlog(limit) - min(_OTHERS, limit // 4))


def share_of_address(wanted: int, most: int) -> int:
    """How many of `most` connections one address may have: those wanted, but never all. 0: any number."""
    return min(wanted, max(1, most * 3 // 4)) if wanted and most else wanted
