"""A backup of the embedded default's files, while a server uses them."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from app.private_files import keep_private, make_private_folder


def back_up(files: Sequence[Path], folder: Path) -> list[Path]:
    """Copy SQLite files into a folder, one after the other, each as it is at one moment; where they are then.

    A copy takes its place only once it is whole. Raises OSError, sqlite3.Error.
    """
    make_private_folder(folder)
    return [_copied(file, folder / file.name) for file in files if file.exists()]


def _copied(file: Path, copy: Path) -> Path:
    part = copy.with_name(f".{copy.name}.part")
    part.unlink(missing_ok=True)
    keep_private(part)
    with (
        closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(part)) as target,
    ):
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # one file is all of it
    part.replace(copy)
    return copy
