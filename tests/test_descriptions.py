"""What is always the same is made once, however often it is asked for."""

from pathlib import Path
from time import perf_counter

import pytest
from httpx import ASGITransport, AsyncClient

from app.config import Settings
from app.main import create_app


@pytest.mark.parametrize("path", ["openapi.json", "asyncapi.json", "protocol.schema.json"])
async def test_a_description_costs_little_once_it_is_made(tmp_path: Path, path: str) -> None:
    """Compared with the answer to a question that is about nothing, in the same process."""
    app = create_app(Settings(data_dir=tmp_path, share_per_address=0))
    async with AsyncClient(transport=ASGITransport(app), base_url="http://localhost") as client:
        first = await client.get(f"/api/{path}")
        assert first.json()
        assert first.headers["etag"]

        async def fastest(asked: str) -> float:
            times = []
            for _ in range(20):
                begun = perf_counter()
                await client.get(asked)
                times.append(perf_counter() - begun)
            return min(times)

        assert await fastest(f"/api/{path}") < 4 * await fastest("/healthz")
        again = await client.get(f"/api/{path}", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
