"""Whether the migrations make exactly the tables that the code describes, on both databases. A program.

Each database starts empty, so that every migration runs once on the way. Exits 1 at the first difference.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.postgres import Databases, PostgresServer
from tests.servers import ROOT


def main() -> None:
    """Compare on SQLite, then on PostgreSQL."""
    with TemporaryDirectory(prefix="yamb-test-") as folder:
        compare(f"sqlite+aiosqlite:///{Path(folder, 'yamb.db').as_posix()}")
    if given := os.environ.get("TEST_DATABASE_URL"):
        compare_on(Databases(given))
    else:
        with PostgresServer() as server:
            compare_on(server.databases)


def compare_on(databases: Databases) -> None:
    """Compare on a new database there."""
    with databases.fresh() as url:
        compare(url)


def compare(url: str) -> None:
    """Migrate, then compare what is there with what the code describes."""
    env = os.environ | {"YAMB_DATABASE_URL": url}
    for options in ([], ["--check"]):
        done = subprocess.run([sys.executable, "-m", "app.cli", "migrate", *options], cwd=ROOT, env=env)
        if done.returncode != 0:
            sys.exit(f"migrate {' '.join(options)} failed on {url.partition(':')[0]}")


if __name__ == "__main__":
    main()
