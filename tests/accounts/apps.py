"""The accounts' routes in an application of their own, for the tests in this folder."""

from typing import Any

from argon2 import PasswordHasher
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response
from sqlalchemy import text
from starlette.types import ASGIApp

from app.accounts.identity import make_identify
from app.accounts.passwords import Passwords
from app.accounts.routes import make_router
from app.config import Settings
from app.db import Database, DatabaseUnavailable
from app.problems import install_problem_handlers
from app.scores.own_games import make_own_games

NOW = 1_790_000_000_000
DAY = 86_400_000
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Clock:
    """A time of day that a test sets."""

    now = NOW

    def __call__(self) -> int:
        return self.now


def make_app(
    database: Database, clock: Clock, *, passwords: Passwords | None = None, **options: Any
) -> FastAPI:
    app = FastAPI()
    install_problem_handlers(app, [DatabaseUnavailable])
    app.include_router(
        make_router(
            database,
            make_identify(database, is_secure=Settings(**options).cookie_secure, now=clock),
            Settings(**options),
            games=make_own_games(database, now=clock),
            passwords=passwords or Passwords(CHEAP),
            now=clock,
        )
    )
    return app


def open_client(
    app: ASGIApp, address: str = "192.0.2.7", *, base_url: str = "http://yamb.test"
) -> AsyncClient:
    return AsyncClient(transport=ASGITransport(app, client=(address, 1)), base_url=base_url)


async def count(database: Database, table: str) -> int:
    async with database.reading() as session:
        return int(await session.scalar(text(f"SELECT count(*) FROM {table}")) or 0)  # noqa: S608 - ours


def problem_of(answer: Response, status: int, code: str) -> dict[str, Any]:
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    return problem
