"""Registering, signing in and out, and the way back in without the password."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any, Literal

import pytest
from argon2 import PasswordHasher
from httpx import AsyncClient, Response
from sqlalchemy import text

from app.accounts.identity import COOKIE
from app.accounts.passwords import Passwords
from app.db import Database
from app.requests import BodyLimit
from tests.accounts.apps import Clock, count, make_app, open_client, problem_of

WORDS = "four words or more"
LIJA = {"user_name": "lija", "password": WORDS}
CODE = re.compile(r"([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}")


@pytest.fixture
async def lija(file: Database, clock: Clock) -> AsyncIterator[AsyncClient]:
    """A guest's browser."""
    async with open_client(make_app(file, clock)) as opened:
        assert (await opened.post("/api/guests", json={"name": "Lija"})).status_code == 201
        yield opened


async def register(client: AsyncClient, **changes: Any) -> Response:
    return await client.post("/api/accounts", json=LIJA | changes)


async def sign_in(client: AsyncClient, **changes: Any) -> Response:
    return await client.post("/api/sessions", json=LIJA | changes)


async def me(client: AsyncClient) -> Any:
    return (await client.get("/api/me")).json()


async def test_a_guest_who_registers_stays_the_player_he_is(client: AsyncClient, database: Database) -> None:
    guest = (await client.post("/api/guests", json={"name": "Lija"})).json()
    old_token = client.cookies[COOKIE]

    made = await register(client, user_name="Lija.99")

    assert made.status_code == 201
    expected = guest | {"tag": None, "user_name": "lija.99"}
    assert made.json() == expected | {"recovery_code": made.json()["recovery_code"]}
    assert CODE.fullmatch(made.json()["recovery_code"])
    assert await me(client) == expected
    assert client.cookies[COOKIE] != old_token
    assert await count(database, "sessions") == 1
    assert await count(database, "players") == 1


async def test_who_is_nobody_yet_registers_as_a_new_player(file: Database, clock: Clock) -> None:
    async with open_client(make_app(file, clock)) as client:
        made = await register(client)

        assert (made.json()["name"], made.json()["user_name"]) == ("lija", "lija")
        assert (await me(client))["player"] == made.json()["player"]


async def test_what_is_stored_of_secrets_are_hashes(lija: AsyncClient, file: Database) -> None:
    code = (await register(lija)).json()["recovery_code"]

    async with file.reading() as session:
        row = (await session.execute(text("SELECT * FROM accounts"))).mappings().one()
    assert row["password_hash"].startswith("$argon2id$")
    assert len(row["recovery_hash"]) == 32
    assert not {WORDS, code} & {str(value) for value in row.values()}


@pytest.mark.parametrize("user_name", ["lija", "LIJA", "1ija", "ＬＩＪＡ"])
async def test_a_user_name_like_anothers_is_taken(lija: AsyncClient, file: Database, user_name: str) -> None:
    await register(lija)
    lija.cookies.clear()

    problem = problem_of(await register(lija, user_name=user_name), 409, "user_name_taken")

    assert problem["errors"][0]["field"] == "user_name"
    assert (await count(file, "accounts"), await count(file, "players")) == (1, 1)


async def test_a_player_has_one_account(lija: AsyncClient, file: Database) -> None:
    await register(lija)

    problem_of(await register(lija, user_name="another"), 409, "already_registered")

    assert await count(file, "accounts") == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"user_name": "a"}, "user_name"),
        ({"user_name": "a" * 10_000}, "user_name"),
        ({"user_name": "\u202eajil"}, "user_name"),
        ({"user_name": "li\u200bja"}, "user_name"),
        ({"user_name": "lija🎲"}, "user_name"),
        ({"user_name": "lиja"}, "user_name"),
        ({"user_name": None}, "user_name"),
        ({"user_name": 7}, "user_name"),
        ({"password": "short"}, "password"),
        ({"password": "a" * 257}, "password"),
        ({"password": "a" * 50_000}, "password"),
        ({"password": None}, "password"),
        ({"password": 12345678}, "password"),
        ({"admin": True}, "admin"),
    ],
    ids=lambda given: f"{given!a:.40} of {len(str(given))}",
)
async def test_what_can_not_be_registered_names_the_field_and_stores_nothing(
    lija: AsyncClient, file: Database, changes: dict[str, object], field: str
) -> None:
    attempts = await count(file, "attempts")  # what she has made as a guest is counted there too
    problem = problem_of(await register(lija, **changes), 422, "invalid")

    assert [error["field"] for error in problem["errors"]] == [field]
    assert "a" * 30 not in str(problem)
    assert (await count(file, "accounts"), await count(file, "attempts")) == (0, attempts)


async def test_a_password_that_is_no_text_or_too_big_is_refused(file: Database, clock: Clock) -> None:
    app = BodyLimit(make_app(file, clock))
    async with open_client(app) as client:
        lone = b'{"user_name": "lija", "password": "\\ud800 is no character"}'
        json = {"Content-Type": "application/json"}
        problem = problem_of(await client.post("/api/accounts", content=lone, headers=json), 422, "invalid")
        assert problem["errors"][0]["field"] == "password"

        problem_of(await register(client, password="a" * 1_000_000), 413, "too_big")


@pytest.mark.parametrize(
    "password", ["пароль за јамб", "🎲" * 8, " " * 8, "a" * 256, "e\u0301" * 8, "\x00" * 8]
)
async def test_any_characters_make_a_password(lija: AsyncClient, password: str) -> None:
    assert (await register(lija, password=password)).status_code == 201

    assert (await sign_in(lija, password=password)).status_code == 200
    problem_of(await sign_in(lija, password=password[:-1] + "x"), 401, "wrong_credentials")


async def test_a_password_is_the_same_however_a_keyboard_composes_it(lija: AsyncClient) -> None:
    await register(lija, password="S\u030cari\u0107 i deca")

    assert (await sign_in(lija, password="\u0160ari\u0107 i deca")).status_code == 200


async def test_another_device_signs_in(lija: AsyncClient, file: Database, clock: Clock) -> None:
    await register(lija)
    async with open_client(make_app(file, clock)) as other:
        guest = (await other.post("/api/guests", json={"name": "Somebody"})).json()

        answer = await sign_in(other, user_name=" LIJA ")

        assert (answer.status_code, answer.json()) == (200, await me(lija))
        assert await me(other) == await me(lija)
        assert guest["player"] != answer.json()["player"]
    assert await me(lija)
    assert (await count(file, "players"), await count(file, "sessions")) == (2, 2)


class CountingHasher(PasswordHasher):
    """Says how often it had work to do."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.worked = 0

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.worked += 1
        return super().hash(password, salt=salt)

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002 - the library's name
        self.worked += 1
        return super().verify(hash, password)


async def test_a_wrong_name_and_a_wrong_password_have_one_answer_and_cost_the_same(
    file: Database, clock: Clock
) -> None:
    hasher = CountingHasher()
    async with open_client(make_app(file, clock, passwords=Passwords(hasher))) as client:
        await register(client)
        answers = []
        for wrong in (
            {"password": "wrong"},
            {"user_name": "nobody"},
            {"user_name": "\u202e"},
            {"user_name": ""},
        ):
            hasher.worked = 0
            answers.append((await sign_in(client, **wrong)).text)
            assert hasher.worked == 1

    assert len(set(answers)) == 1
    assert "wrong_credentials" in answers[0]


async def test_a_hash_of_other_parameters_is_made_anew(file: Database, clock: Clock) -> None:
    async with open_client(make_app(file, clock)) as client:
        await register(client)
    better = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    async with open_client(make_app(file, clock, passwords=Passwords(better))) as client:
        for _ in range(2):
            assert (await sign_in(client)).status_code == 200

    async with file.reading() as session:
        stored = await session.scalar(text("SELECT password_hash FROM accounts"))
    assert "$m=16,t=2,p=1$" in str(stored)


async def test_signing_out_ends_this_session_alone(lija: AsyncClient, file: Database, clock: Clock) -> None:
    await register(lija)
    token = lija.cookies[COOKIE]
    async with open_client(make_app(file, clock)) as other:
        await sign_in(other)

        assert (await lija.delete("/api/sessions/current")).status_code == 204

        assert COOKIE not in lija.cookies
        bearer = {"Authorization": f"Bearer {token}"}
        problem_of(await lija.get("/api/me", headers=bearer), 401, "not_signed_in")
        assert await me(other)
        problem_of(await lija.delete("/api/sessions/current"), 401, "not_signed_in")


async def test_signing_out_everywhere_ends_all_of_a_players_sessions(
    lija: AsyncClient, file: Database, clock: Clock
) -> None:
    await register(lija)
    async with open_client(make_app(file, clock)) as other, open_client(make_app(file, clock)) as medo:
        await sign_in(other)
        await medo.post("/api/guests", json={"name": "Medo"})

        assert (await other.delete("/api/sessions")).status_code == 204

        assert (await me(lija), await me(other)) == (None, None)
        assert (await me(medo))["name"] == "Medo"


async def test_a_recovery_code_sets_a_new_password_once(
    lija: AsyncClient, file: Database, clock: Clock
) -> None:
    code = (await register(lija)).json()["recovery_code"]
    typed = code.replace("-", " ").lower().replace("0", "o").replace("1", "l")
    recovery = {"user_name": "Lija", "recovery_code": f" {typed} ", "password": "another password"}
    async with open_client(make_app(file, clock)) as other:
        answer = await other.post("/api/accounts/recovery", json=recovery)

        assert answer.status_code == 200
        assert CODE.fullmatch(answer.json()["recovery_code"])
        assert answer.json()["recovery_code"] != code
        assert (await me(other))["user_name"] == "lija"
        assert await me(lija) is None
        again = await other.post("/api/accounts/recovery", json=recovery)
        assert problem_of(again, 401, "wrong_credentials")["errors"][0]["field"] == "recovery_code"
        problem_of(await sign_in(other), 401, "wrong_credentials")
        assert (await sign_in(other, password="another password")).status_code == 200


async def test_a_wrong_code_and_a_wrong_name_have_one_answer_and_change_nothing(lija: AsyncClient) -> None:
    await register(lija)
    wrong = {"user_name": "lija", "recovery_code": "0000-0000-0000-0000-0000-0000", "password": WORDS + "!"}

    answers = [
        await lija.post("/api/accounts/recovery", json=given)
        for given in (wrong, wrong | {"user_name": "who"})
    ]

    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].json() == answers[1].json()
    assert await me(lija)
    assert (await sign_in(lija)).status_code == 200


async def test_a_new_recovery_code_is_made_by_the_password(lija: AsyncClient) -> None:
    old = (await register(lija)).json()["recovery_code"]

    wrong = await lija.post("/api/me/recovery-code", json={"password": "wrong"})
    made = await lija.post("/api/me/recovery-code", json={"password": WORDS})

    assert problem_of(wrong, 403, "wrong_password")["errors"][0]["field"] == "password"
    assert CODE.fullmatch(made.json()["recovery_code"])
    recovery = {"user_name": "lija", "recovery_code": old, "password": WORDS}
    problem_of(await lija.post("/api/accounts/recovery", json=recovery), 401, "wrong_credentials")


async def test_a_new_password_ends_all_other_sessions(
    lija: AsyncClient, file: Database, clock: Clock
) -> None:
    await register(lija)
    change = {"password": WORDS, "new_password": "another password"}
    async with open_client(make_app(file, clock)) as other:
        await sign_in(other)

        problem_of(
            await lija.put("/api/me/password", json=change | {"password": "wrong"}), 403, "wrong_password"
        )
        assert await me(other)
        assert (await lija.put("/api/me/password", json=change)).status_code == 204

        assert (await me(lija), await me(other)) == (await me(lija), None)
        assert (await me(lija))["user_name"] == "lija"
        problem_of(await sign_in(other), 401, "wrong_credentials")
        assert (await sign_in(other, password="another password")).status_code == 200
    short = problem_of(
        await lija.put("/api/me/password", json=change | {"new_password": "x"}), 422, "invalid"
    )
    assert short["errors"][0]["field"] == "new_password"


async def test_a_guest_has_no_password_to_change(lija: AsyncClient) -> None:
    change = {"password": WORDS, "new_password": WORDS}

    problem_of(await lija.put("/api/me/password", json=change), 409, "no_account")
    problem_of(await lija.post("/api/me/recovery-code", json={"password": WORDS}), 409, "no_account")


UNSAFE = [
    ("POST", "/api/accounts", LIJA),
    ("POST", "/api/sessions", LIJA),
    ("DELETE", "/api/sessions", None),
    ("DELETE", "/api/sessions/current", None),
    ("POST", "/api/accounts/recovery", LIJA | {"recovery_code": "x"}),
    ("POST", "/api/me/recovery-code", {"password": WORDS}),
    ("PUT", "/api/me/password", {"password": WORDS, "new_password": WORDS}),
    ("PATCH", "/api/me", {"name": "Medo"}),
    ("DELETE", "/api/me", None),
]


async def test_pages_of_other_sites_change_nothing_of_an_account(lija: AsyncClient) -> None:
    await register(lija)
    for method, path, body in UNSAFE:
        answer = await lija.request(method, path, json=body, headers={"Origin": "https://evil.example"})
        problem_of(answer, 403, "forbidden_origin")
    assert (await me(lija))["name"] == "Lija"


async def test_nobody_is_told_to_sign_in_first(file: Database, clock: Clock) -> None:
    async with open_client(make_app(file, clock)) as client:
        for method, path, body in UNSAFE[2:4] + UNSAFE[5:] + [("GET", "/api/me/export", None)]:
            problem_of(await client.request(method, path, json=body), 401, "not_signed_in")


async def test_look_alikes_that_register_at_once_are_one_account(
    database: Database, database_url: str, clock: Clock
) -> None:
    """Whichever of both comes first; each through a server of its own."""
    other = Database(database_url)
    async with open_client(make_app(database, clock)) as one, open_client(make_app(other, clock)) as two:
        answers = await asyncio.gather(
            *(register(client, user_name=name) for client, name in ((one, "lija"), (two, "1ija")) * 3)
        )
    await other.dispose()

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5
    assert (await count(database, "accounts"), await count(database, "players")) == (1, 1)
