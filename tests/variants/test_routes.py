"""Making a variant, looking at it before, and finding it again."""

import asyncio
import json
from typing import Any

import pytest
from httpx import AsyncClient, Response
from sqlalchemy import text

from app.db import Database
from app.rules.custom import custom_variant, parameters_of
from app.rules.plain import variant_shown
from app.rules.presets import CLASSIC_5X4, PAPIR, PRESETS
from app.rules.share_code import share_code
from app.rules.variant import Variant
from app.variant_parts import VariantParameters, VariantPart
from app.variants.repository import variant_by_id
from tests.variants.conftest import open_client

OWN: dict[str, Any] = parameters_of(PAPIR) | {
    "last_cell_rolls": 5,
    "columns": [{"column": "down"}, {"column": "announced"}, {"column": "notification"}],
}
VARIANT = custom_variant(OWN)
ALONE = custom_variant(OWN | {"columns": OWN["columns"][:2]})


def problem(answer: Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


async def count(database: Database) -> int:
    async with database.reading() as session:
        return int(await session.scalar(text("SELECT count(*) FROM variants")) or 0)


async def test_the_variants_that_ship_come_with_all_their_parameters(client: AsyncClient) -> None:
    variants = (await client.get("/api/variants")).json()
    assert [variant["id"] for variant in variants] == [variant.id for variant in PRESETS]
    for variant in variants:
        VariantPart.model_validate(variant, strict=False)


@pytest.mark.parametrize("variant", [*PRESETS, VARIANT], ids=lambda variant: variant.id)
def test_the_description_of_parameters_lets_in_what_is_read_and_leaves_out_the_same(variant: Variant) -> None:
    given = parameters_of(variant)
    described = VariantParameters.model_validate(given, strict=False)

    assert custom_variant(described.model_dump(mode="json", exclude_none=True)) == variant
    least = {name: value for name, value in given.items() if name in {"dice", "rows", "columns", "middle"}}
    filled = VariantParameters.model_validate(least, strict=False).model_dump(mode="json", exclude_none=True)
    assert custom_variant(filled) == custom_variant(least)


async def test_a_variant_is_made_once_and_found_by_its_id_and_its_code(
    client: AsyncClient, database: Database
) -> None:
    made = await client.post("/api/variants", json=OWN)
    assert made.status_code == 201
    shown = made.json()
    assert shown == variant_shown(VARIANT)
    assert shown["code"] == share_code(VARIANT)
    again = await client.post("/api/variants", json=dict(reversed(OWN.items())))
    assert (again.status_code, again.json()) == (200, shown)
    code = shown["code"]
    for name in (VARIANT.id, code, code.lower(), code.replace("-", ""), code.replace("0", "O")):
        assert (await client.get(f"/api/variants/{name}")).json() == shown
    async with database.reading() as session:
        assert await variant_by_id(session, VARIANT.id) == VARIANT


async def test_of_many_who_make_the_same_at_once_one_makes_it(
    client: AsyncClient, database: Database
) -> None:
    bodies = [OWN, parameters_of(ALONE)] * 4
    answers = await asyncio.gather(*(client.post("/api/variants", json=body) for body in bodies))
    assert {answer.status_code for answer in answers} <= {200, 201}
    assert [answer.json()["id"] for answer in answers] == [VARIANT.id, ALONE.id] * 4
    made = [answer.json()["id"] for answer in answers if answer.status_code == 201]
    assert made.count(VARIANT.id) == 1
    assert await count(database) == 2


async def test_a_sheet_of_few_rows_is_a_variant_like_any_other(client: AsyncClient) -> None:
    few = {"dice": 5, "rows": [{"row": "sixes"}, {"row": "full"}], "columns": [{"column": "free"}]}
    shown = variant_shown(custom_variant(few))
    assert (await client.post("/api/variants/preview", json=few)).json() == shown
    assert (await client.post("/api/variants", json=few)).json() == shown
    assert (await client.get(f"/api/variants/{shown['code']}")).json() == shown


async def test_what_a_table_of_one_plays_of_it_is_known_too(client: AsyncClient, database: Database) -> None:
    await client.post("/api/variants", json=OWN)
    assert await count(database) == 2
    answer = await client.get(f"/api/variants/{ALONE.id}")
    assert [column["column"] for column in answer.json()["columns"]] == ["down", "announced"]
    assert (await client.post("/api/variants", json=parameters_of(ALONE))).status_code == 200


async def test_the_parameters_of_a_preset_are_that_preset_and_nothing_is_kept(
    client: AsyncClient, database: Database
) -> None:
    answer = await client.post("/api/variants", json=parameters_of(CLASSIC_5X4))
    assert (answer.status_code, answer.json()) == (200, variant_shown(CLASSIC_5X4))
    assert answer.json()["code"] is None
    assert await count(database) == 0
    assert (await client.get("/api/variants/classic-5x4")).json() == answer.json()


async def test_a_variant_can_be_looked_at_before_it_is_made(client: AsyncClient, database: Database) -> None:
    del client.headers["authorization"]
    answer = await client.post("/api/variants/preview", json=OWN)
    assert (answer.status_code, answer.json()) == (200, variant_shown(VARIANT))
    assert await count(database) == 0
    assert problem(await client.get(f"/api/variants/{answer.json()['code']}")) == (404, "unknown_variant")


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("body", "[]"),
        ("body", "null"),
        ("body", "NaN"),
        ("body", json.dumps("x" * 60_000)),
        ("columns", json.dumps(OWN | {"columns": []})),
        ("columns", json.dumps(OWN | {"columns": [{"column": "down"}] * 500})),
        ("columns[1].column", json.dumps(OWN | {"columns": [{"column": "up"}, {"column": "sideways"}]})),
        ("dice", json.dumps(OWN | {"dice": float("nan")})),
        ("dice", json.dumps(OWN).replace('"dice": 6', '"dice": 1e400')),
        ("rows[9].bonus", json.dumps(OWN).replace('"bonus": 30', f'"bonus": {2**63}', 1)),
        ("colour", json.dumps(OWN | {"colour": 1})),
        ("?", json.dumps(OWN | {"\ud800": 1})),
    ],
)
async def test_what_makes_no_variant_names_the_field_and_leaves_nothing(
    client: AsyncClient, database: Database, field: str, body: str
) -> None:
    for path in ("/api/variants", "/api/variants/preview"):
        answer = await client.post(path, content=body, headers={"content-type": "application/json"})
        assert problem(answer) == (422, "invalid_variant")
        assert [error["field"] for error in answer.json()["errors"]] == [field]
        assert len(answer.content) < 1000
    assert await count(database) == 0


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", (422, "invalid")),
        (b"{", (422, "invalid")),
        (b"\xff\xfe", (422, "invalid")),
        (b"[" * 60_000, (422, "invalid")),
        (b'{"dice": ' + b"1" * 50_000 + b"}", (422, "invalid")),
        (json.dumps("x" * 1_000_000).encode(), (413, "too_big")),
    ],
    ids=["empty", "half", "no-text", "deep", "long-number", "megabyte"],
)
async def test_a_body_that_can_not_be_read_is_a_problem_too(
    client: AsyncClient, body: bytes, expected: tuple[int, str]
) -> None:
    answer = await client.post("/api/variants", content=body, headers={"content-type": "application/json"})
    assert problem(answer) == expected


async def test_a_variant_is_made_by_somebody_signed_in_and_by_no_foreign_page(
    client: AsyncClient, database: Database
) -> None:
    evil = {"origin": "https://evil.example"}
    for path in ("/api/variants", "/api/variants/preview"):
        assert problem(await client.post(path, json=OWN, headers=evil)) == (403, "forbidden_origin")
    del client.headers["authorization"]
    assert problem(await client.post("/api/variants", json=OWN)) == (401, "not_signed_in")
    assert await count(database) == 0


@pytest.mark.parametrize(
    "name", ["poker", "x-0123456789abcdef", "7KQ2M-4XD9T", "x" * 64, "%F0%9F%8E%B2", "x-%00"]
)
async def test_a_variant_that_is_not_there_is_not_found(client: AsyncClient, name: str) -> None:
    assert problem(await client.get(f"/api/variants/{name}")) == (404, "unknown_variant")


async def test_a_code_that_stands_for_other_parameters_is_refused_and_keeps_them(
    client: AsyncClient, database: Database
) -> None:
    other = custom_variant(OWN | {"dice": 5, "max_hold": 5})
    await _keep_under(database, VARIANT.id, "00000-00000", other)
    assert problem(await client.post("/api/variants", json=OWN)) == (409, "variant_taken")
    async with database.session() as session:
        await session.execute(text("DELETE FROM variants"))
    await _keep_under(database, other.id, str(share_code(VARIANT)), other)
    assert problem(await client.post("/api/variants", json=OWN)) == (409, "variant_taken")
    answer = await client.get(f"/api/variants/{share_code(VARIANT)}")
    assert answer.json()["id"] == other.id
    assert await count(database) == 1


async def _keep_under(database: Database, variant_id: str, code: str, variant: Any) -> None:
    row = {"id": variant_id, "code": code, "parameters": json.dumps(parameters_of(variant))}
    async with database.session() as session:
        statement = (
            "INSERT INTO variants (id, code, parameters, created_at) VALUES (:id, :code, :parameters, 1)"
        )
        if session.get_bind().dialect.name == "postgresql":
            statement = statement.replace(":parameters", "CAST(:parameters AS jsonb)")
        await session.execute(text(statement), row)


async def test_an_address_makes_so_many_variants_an_hour_and_looks_at_any_number(database: Database) -> None:
    others = [OWN | {"columns": OWN["columns"][:number]} for number in (3, 1)]
    async with open_client(database, variants_per_address=1) as few:
        assert (await few.post("/api/variants", json=OWN | {"dice": 9})).status_code == 422
        assert (await few.post("/api/variants", json=others[0])).status_code == 201
        kept = await count(database)

        refused = await few.post("/api/variants", json=others[1])

        assert problem(refused) == (429, "too_many_variants")
        assert refused.headers["retry-after"] == "3600"
        assert await count(database) == kept
        assert (await few.post("/api/variants/preview", json=others[1])).status_code == 200
