"""How Alembic reaches the database: by the connection it is given, or else by the settings."""

import asyncio

from alembic import context
from sqlalchemy import Connection

from app.config import load_settings
from app.db import Database
from app.schema import METADATA, OPTIONS


def run_on(connection: Connection) -> None:
    """Run what the command asks for in the transaction that the connection is in."""
    context.configure(connection=connection, target_metadata=METADATA, **OPTIONS)
    context.run_migrations()


async def run_by_settings() -> None:
    """For Alembic's own command line."""
    database = Database(load_settings().database_url)
    await database.exclusively(run_on)
    await database.dispose()


given = context.config.attributes.get("connection")
if given is None:
    asyncio.run(run_by_settings())
else:
    run_on(given)
