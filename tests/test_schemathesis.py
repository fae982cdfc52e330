"""Whatever is asked by the OpenAPI description is answered as it says, and never by a 500 (schemathesis).

The application is whole, with its embedded defaults, in this process; a game is recorded, a room is open, and
who asks is a guest in it. Some examples of each operation, always the same ones: bounded, not exhaustive.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation.modes import GenerationMode
from schemathesis.python.asgi import get_client, shutdown_lifespans
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.config import Settings
from app.db import Database
from app.main import create_app
from app.schema import migrate
from app.scores.recording import make_record_game
from tests.games import play


def operations() -> Iterator[tuple[str, str, GenerationMode]]:
    """Each with what its schema allows, and with what it doesn't where there is anything to do wrong."""
    description = create_app(Settings(data_dir=Path("unused"))).openapi()
    for path, by_method in description["paths"].items():
        for method, operation in by_method.items():
            yield path, method, GenerationMode.POSITIVE
            parameters = [each for each in operation.get("parameters", []) if each["in"] != "header"]
            if parameters or "requestBody" in operation:
                yield path, method, GenerationMode.NEGATIVE


OPERATIONS = list(operations())
EXAMPLES = {GenerationMode.POSITIVE: 10, GenerationMode.NEGATIVE: 6}
# Each costs the hash of a password.
SLOW = ("/api/accounts", "/api/accounts/recovery", "/api/sessions")
SLOW_EXAMPLES = 4
# Not that all is accepted which the schema allows: what a name may be, no pattern can say.
CHECKS = [
    *(not_a_server_error, status_code_conformance, content_type_conformance),
    *(response_headers_conformance, response_schema_conformance, negative_data_rejection),
]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The schema of the running application, and who asks it."""
    data = Settings(data_dir=tmp_path_factory.mktemp("described"))

    async def fill() -> None:
        database = Database(data.database_url)
        await migrate(database)
        await make_record_game(database)(play(seed=1))
        await database.dispose()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, fill()).result()
    app: Any = create_app(data)
    with get_client(app) as client:
        yield schemathesis.openapi.from_asgi("/api/openapi.json", app), client
    shutdown_lifespans()


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS, ids=lambda value: value.strip("/"))
def test_what_is_asked_is_answered_as_described(
    described: Any, *, path: str, method: str, mode: GenerationMode
) -> None:
    """In every second example what is asked for is there. Some operations end a guest: each has its own."""
    schema, client = described
    operation = schema[path][method]
    client.cookies.clear()
    client.post("/api/guests", json={"name": "Lija"}).raise_for_status()
    headers = {"authorization": f"Bearer {client.cookies['yamb_session']}"}
    code = client.post("/api/rooms", json={"variant": "papir"}, headers=headers).json()["code"]
    known = {"game": "g1", "player": "p0", "code": code, "variant": "papir", "name": "papir"}

    @settings(
        max_examples=SLOW_EXAMPLES if path in SLOW else EXAMPLES[mode],
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(mode), is_there=st.booleans())
    def ask(case: Any, *, is_there: bool) -> None:
        if is_there and mode is GenerationMode.POSITIVE:
            case.path_parameters = {name: known[name] for name in case.path_parameters or {}}
        case.call_and_validate(headers=headers, checks=CHECKS)

    ask()
