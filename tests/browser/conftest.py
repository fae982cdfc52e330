"""What the browser tests share."""

from collections.abc import Iterator

import pytest

from tests.servers import AppServer


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    """The address of one server for all tests that are content with a table of their own.

    A test that kills its server, or looks at what a server has of all its games, starts another.
    """
    with AppServer() as app:
        yield app.base_url
