"""What the scenarios are played on."""

from collections.abc import Iterator

import pytest

from tests.faults.site import Site, two_workers
from tests.postgres import Databases


@pytest.fixture(scope="module")
def servers(postgres_server: Databases) -> Iterator[Site]:
    """Two workers over a Redis and a database of their own, for all tests of a file."""
    with postgres_server.fresh() as url, two_workers(url) as site:
        yield site


@pytest.fixture
def site(servers: Site) -> Site:
    """The same, both workers running."""
    for worker in servers.workers:
        if not worker.is_running:
            servers.thread.submit(worker.start).result()
    return servers
