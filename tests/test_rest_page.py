"""docs/rest.md against the application: what the page asks is answered as the page shows."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient

from app.config import Settings
from app.db import Database
from app.main import create_app
from app.schema import migrate
from tests.scores.told import record_told_games
from tests.servers import ROOT

PAGE = (ROOT / "docs/rest.md").read_text()
TOLD = re.findall(r"```http\nGET (\S+)\n```\n```json\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AsyncClient]:
    data = Settings(data_dir=tmp_path_factory.mktemp("told"))
    database = Database(data.database_url)
    await migrate(database)
    await record_told_games(database)
    await database.dispose()
    app = create_app(data)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://test") as opened:
        yield opened


def shortened(answer: Any, shown: Any) -> Any:
    """The answer with its lists as long as they are shown, and cursors, which have a key in them, as such."""
    if isinstance(answer, dict) and isinstance(shown, dict):
        return {
            name: "(a cursor)"
            if shown.get(name) == "(a cursor)" and value
            else shortened(value, shown.get(name))
            for name, value in answer.items()
        }
    if isinstance(answer, list) and isinstance(shown, list) and shown:
        return [shortened(*both) for both in zip(answer, shown, strict=False)]
    return answer


def test_the_page_tells_of_every_address_that_everybody_may_read() -> None:
    paths = {
        path
        for path, operations in create_app(Settings(data_dir=Path("unused"))).openapi()["paths"].items()
        if "304" in operations.get("get", {}).get("responses", {})
    }
    told = {re.sub("{.*?}", "{}", path) for path in re.findall(r"`GET (/api/[^`?]*)", PAGE)}
    assert {re.sub("{.*?}", "{}", path) for path in paths} <= told


@pytest.mark.parametrize(("address", "shown"), TOLD)
async def test_what_the_page_asks_is_answered_as_it_shows(
    client: AsyncClient, address: str, shown: str
) -> None:
    answer = await client.get(address)
    expected = json.loads(shown)
    assert answer.status_code == expected.get("status", 200)
    assert shortened(answer.json(), expected) == expected
