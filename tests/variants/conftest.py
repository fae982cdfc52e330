"""Both databases for these tests, and a client of the routes over each."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from app.config import Settings
from app.db import Database, DatabaseUnavailable
from app.problems import install_problem_handlers
from app.requests import BodyLimit
from app.variants.routes import make_router
from tests.databases import database, database_url, migrated_file, migrated_name
from tests.rooms.serving import identify_by_name

__all__ = ["client", "database", "database_url", "migrated_file", "migrated_name"]

NOW = 1_790_000_000_000


@pytest.fixture
async def client(database: Database) -> AsyncIterator[AsyncClient]:
    """Somebody who is signed in."""
    async with open_client(database) as opened:
        yield opened


@asynccontextmanager
async def open_client(database: Database, **options: Any) -> AsyncIterator[AsyncClient]:
    """Somebody who is signed in where these settings hold."""
    app = FastAPI()
    install_problem_handlers(app, [DatabaseUnavailable])
    app.add_middleware(BodyLimit)
    app.include_router(make_router(database, identify_by_name, Settings(**options), now=lambda: NOW))
    headers = {"authorization": "Bearer Lija"}
    async with AsyncClient(transport=ASGITransport(app), base_url="http://test", headers=headers) as opened:
        yield opened
