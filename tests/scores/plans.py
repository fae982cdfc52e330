"""The plans by which a database answers what a page of a leaderboard asks."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.ext.asyncio import AsyncConnection

Asked = list[tuple[str, Any]]


@contextmanager
def listening(target: Engine | Connection) -> Iterator[Asked]:
    """Every statement meanwhile that reads, with its parameters."""
    asked: Asked = []

    def note(*call: Any) -> None:
        _connection, _cursor, statement, parameters, *_ = call
        if statement.lstrip().startswith("SELECT"):
            asked.append((statement, parameters))

    event.listen(target, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(target, "before_cursor_execute", note)


async def plan_of(connection: AsyncConnection, statement: str, parameters: Any, *, explain: str) -> list[str]:
    """The plan, line by line. `explain`: how this database is asked for it."""
    rows = await connection.exec_driver_sql(f"{explain} {statement}", parameters)
    return [str(row[-1]) for row in rows]
