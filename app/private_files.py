"""Files that nobody but this program's own user may read: they hold secrets of dice, sessions and names."""

import os
from contextlib import suppress
from pathlib import Path

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700
_OTHERS = 0o077
_BESIDE_SQLITE = ("", "-wal", "-shm", "-journal")


def make_private_folder(folder: Path) -> None:
    """Make the folder, for this user alone. One that is there stays as its owner made it. Raises OSError."""
    folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)


def keep_private(database: str | Path) -> None:
    """See that an SQLite file is this user's alone: made so where it is missing, tightened where it is there.

    SQLite gives the files beside it the same mode. Raises OSError.
    """
    file = Path(database).resolve()  # as SQLite does: they are beside the file that a link leads to
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE))
    for end in _BESIDE_SQLITE:
        _tighten(file.with_name(file.name + end))


def _tighten(file: Path) -> None:
    # Another's file can't be changed: whoever made that so knows who reads it.
    with suppress(FileNotFoundError, PermissionError):
        mode = file.stat().st_mode
        if mode & _OTHERS:
            file.chmod(mode & 0o7777 & ~_OTHERS)
