"""What whole games are played on."""

import subprocess
import sys

import pytest

from tests.conftest import StartApp
from tests.servers import ROOT, AppServer


@pytest.fixture
def two_workers(start_app: StartApp, redis_url: str, postgres_url: str) -> list[AppServer]:
    """Two processes that share one Redis and one migrated PostgreSQL."""
    env = {"YAMB_REDIS_URL": redis_url, "YAMB_DATABASE_URL": postgres_url}
    subprocess.run(
        [sys.executable, "-m", "app.cli", "migrate"], env=AppServer(env).env(), cwd=ROOT, check=True
    )
    return [start_app(env), start_app(env)]
