"""What those who watch over a server are told of it."""

import httpx
import pytest
from fastapi import FastAPI

from app.health import make_health_router
from app.observability import Check
from app.problems import install_problem_handlers


async def is_well() -> None:
    """Something that answers."""


async def is_ill() -> None:
    """Something that doesn't."""
    raise ConnectionError("no answer")


@pytest.mark.parametrize(
    ("checks", "is_draining", "status"),
    [
        ({"store": is_well}, False, 200),
        ({"store": is_well, "database": is_ill}, False, 503),
        ({"store": is_well}, True, 503),
    ],
)
async def test_nobody_is_to_be_sent_to_a_server_that_lacks_something_or_is_about_to_stop(
    checks: dict[str, Check], *, is_draining: bool, status: int
) -> None:
    app = FastAPI()
    install_problem_handlers(app)
    app.include_router(make_health_router(checks, lambda: is_draining))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://yamb.example") as http:
        assert (await http.get("/readyz")).status_code == status
        assert (await http.get("/healthz")).status_code == 200
