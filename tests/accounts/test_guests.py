"""Becoming a guest, staying one, and changing one's name."""

from hashlib import sha256

import pytest
from httpx import AsyncClient
from sqlalchemy import text

from app.accounts.identity import COOKIE
from app.db import Database
from tests.accounts.apps import DAY, NOW, Clock, count, make_app, open_client, problem_of


async def test_a_guest_is_known_by_the_cookie(client: AsyncClient) -> None:
    made = await client.post("/api/guests", json={"name": " Lija "})
    me = await client.get("/api/me")

    assert made.status_code == 201
    assert made.json()["name"] == "Lija"
    assert made.json()["player"].startswith("p")
    assert set(made.json()) == {"player", "name", "tag", "user_name"}
    assert made.json()["player"].endswith(made.json()["tag"])
    assert made.json()["user_name"] is None
    assert me.json() == made.json()


async def test_scripts_and_other_sites_do_not_get_the_cookie(database: Database, clock: Clock) -> None:
    for is_secure in (False, True):
        async with open_client(make_app(database, clock, cookie_secure=is_secure)) as client:
            made = await client.post("/api/guests", json={"name": "Lija"})
        cookie = made.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Path=/" in cookie
        assert ("Secure" in cookie) is is_secure


BEHIND_TLS = "https://yamb.test"


async def test_behind_tls_no_neighbouring_host_can_plant_the_cookie(database: Database, clock: Clock) -> None:
    """Browsers refuse the prefix without TLS, with a domain, and for another path than `/`."""
    async with open_client(make_app(database, clock, cookie_secure=True), base_url=BEHIND_TLS) as client:
        made = await client.post("/api/guests", json={"name": "Lija"})
        me = await client.get("/api/me")

    name, _, told = made.headers.get_list("set-cookie")[0].partition("=")
    assert name == "__Host-yamb_session"
    assert {"Secure", "HttpOnly", "Path=/"} <= set(told.split("; "))
    assert "domain" not in told.lower()
    assert me.json() == made.json()


async def test_a_session_from_before_moves_to_the_name_behind_tls(database: Database, clock: Clock) -> None:
    async with open_client(make_app(database, clock)) as client:
        token = (await client.post("/api/guests", json={"name": "Lija"})).cookies["yamb_session"]
    async with open_client(make_app(database, clock, cookie_secure=True), base_url=BEHIND_TLS) as client:
        client.cookies.set("yamb_session", token, domain="yamb.test")
        before = await client.get("/api/me")
        account = {"user_name": "lija", "password": "four words or more"}
        registered = await client.post("/api/accounts", json=account)
        kept = dict(client.cookies)
        after = await client.get("/api/me")

    assert before.json()["name"] == "Lija"
    assert registered.json()["player"] == before.json()["player"] == after.json()["player"]
    assert set(kept) == {"__Host-yamb_session"}
    assert kept["__Host-yamb_session"] != token


async def test_the_name_behind_tls_goes_before_the_plain_one(database: Database, clock: Clock) -> None:
    async with open_client(make_app(database, clock, cookie_secure=True), base_url=BEHIND_TLS) as client:
        lija = await client.post("/api/guests", json={"name": "Lija"})
        medo = await client.post("/api/guests", json={"name": "Medo"})
        planted = lija.cookies["__Host-yamb_session"]
        client.cookies.set(COOKIE, planted, domain="yamb.test")
        me = await client.get("/api/me")
        await client.delete("/api/sessions/current")

    assert me.json() == medo.json()
    assert dict(client.cookies) == {}


async def test_a_program_sends_the_token_as_bearer(client: AsyncClient) -> None:
    made = await client.post("/api/guests", json={"name": "Lija"})
    token = made.cookies[COOKIE]
    client.cookies.clear()

    me = await client.get("/api/me", headers={"Authorization": f"bearer {token}"})

    assert me.json() == made.json()


async def test_the_token_itself_is_not_stored(client: AsyncClient, database: Database) -> None:
    made = await client.post("/api/guests", json={"name": "Lija"})

    async with database.reading() as session:
        stored = await session.scalar(text("SELECT token_hash FROM sessions"))
    assert stored == sha256(made.cookies[COOKIE].encode()).digest()


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "A" * 100_000, "ü" * 43, "\x00" * 43, '"; --'])
async def test_a_token_that_is_none_is_nobody(client: AsyncClient, token: str) -> None:
    headers = [(b"authorization", b"Bearer " + token.encode())]
    problem_of(await client.get("/api/me", headers=headers), 401, "not_signed_in")


async def test_a_session_ends(client: AsyncClient, clock: Clock) -> None:
    await client.post("/api/guests", json={"name": "Lija"})
    token = client.cookies[COOKIE]
    headers = {"Authorization": f"Bearer {token}"}

    clock.now = NOW + 399 * DAY
    assert (await client.get("/api/me", headers=headers)).status_code == 200
    clock.now = NOW + 400 * DAY
    problem_of(await client.get("/api/me", headers=headers), 401, "not_signed_in")


async def test_a_browser_without_a_session_is_told_that_it_is_nobody(client: AsyncClient) -> None:
    for cookies in ({}, {COOKIE: "A" * 43}):
        answer = await client.get("/api/me", headers={"Cookie": "; ".join(map("=".join, cookies.items()))})
        assert (answer.status_code, answer.json()) == (200, None)


async def test_a_password_of_a_proxy_is_no_session(file: Database, clock: Clock) -> None:
    """A browser sends it along with everything, also before its player is anybody."""
    async with open_client(make_app(file, clock)) as client:
        client.headers["Authorization"] = "Basic ZXZlbmluZzpkaWNl"
        assert (await client.get("/api/me")).json() is None

        made = await client.post("/api/guests", json={"name": "Lija"})

        assert (await client.get("/api/me")).json() == made.json()


async def test_a_player_bears_another_name(client: AsyncClient) -> None:
    made = await client.post("/api/guests", json={"name": "Lija"})

    changed = await client.patch("/api/me", json={"name": "Medo 🐻"})

    assert changed.json() == made.json() | {"name": "Medo 🐻"}
    assert (await client.get("/api/me")).json() == changed.json()


async def test_nobody_changes_a_name_without_a_session(client: AsyncClient) -> None:
    problem_of(await client.patch("/api/me", json={"name": "Medo"}), 401, "not_signed_in")


@pytest.mark.parametrize(
    "body",
    [
        {"name": "a" * 10_000},
        {"name": "\u202eajiL"},
        {"name": ""},
        {"name": 7},
        {"name": None},
        {"name": ["Lija"]},
        {},
    ],
    ids=lambda body: ascii(body)[:30],
)
async def test_a_name_that_is_none_names_the_field_and_stores_nothing(
    client: AsyncClient, database: Database, body: dict[str, object]
) -> None:
    problem = problem_of(await client.post("/api/guests", json=body), 422, "invalid")

    assert [error["field"] for error in problem["errors"]] == ["name"]
    assert "a" * 30 not in str(problem)
    assert await count(database, "players") == 0


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"[" * 100_000])
async def test_a_body_that_is_no_object_is_a_problem(client: AsyncClient, body: bytes) -> None:
    answer = await client.post("/api/guests", content=body, headers={"Content-Type": "application/json"})

    assert answer.status_code in (400, 422)
    problem_of(answer, answer.status_code, "invalid" if answer.status_code == 422 else "bad_request")


async def test_unknown_fields_are_refused(client: AsyncClient) -> None:
    answer = await client.post("/api/guests", json={"name": "Lija", "admin": True})

    assert problem_of(answer, 422, "invalid")["errors"][0]["field"] == "admin"


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 201),
        ("http://yamb.test", 201),
        ("https://yamb.test", 201),
        ("https://game.example", 201),
        ("https://evil.example", 403),
        ("http://yamb.test.evil.example", 403),
        ("http://yamb.test:81", 403),
        ("null", 403),
        ("", 403),
        ("http://[", 403),
    ],
)
async def test_pages_of_other_sites_change_nothing(
    database: Database, clock: Clock, origin: str | None, status: int
) -> None:
    app = make_app(database, clock, allowed_origins=("https://game.example",))
    async with open_client(app) as client:
        headers = {} if origin is None else {"Origin": origin}
        answer = await client.post("/api/guests", json={"name": "Lija"}, headers=headers)

    assert answer.status_code == status
    assert await count(database, "players") == (status == 201)


async def test_players_have_ids_of_their_own(client: AsyncClient) -> None:
    players = {(await client.post("/api/guests", json={"name": "Lija"})).json()["player"] for _ in range(20)}

    assert len(players) == 20
    assert all(player.isalnum() and player == player.lower() for player in players)


async def test_a_database_that_is_gone_is_a_503(clock: Clock) -> None:
    database = Database("postgresql+asyncpg://yamb@127.0.0.1:1/yamb")
    async with open_client(make_app(database, clock)) as client:
        answer = await client.post("/api/guests", json={"name": "Lija"})

    problem_of(answer, 503, "unavailable")
    assert answer.headers["retry-after"] == "2"
