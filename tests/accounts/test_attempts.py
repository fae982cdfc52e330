"""How often a password may be tried, over several servers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, cast

import pytest
from httpx import AsyncClient
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.accounts.attempts import PROVING, REGISTERING, Attempts, Limit, Trying, address_of
from app.accounts.identity import COOKIE
from app.accounts.service import MOST_SESSIONS
from app.db import Database
from app.problems import Problem
from tests.accounts.apps import NOW, Clock, count, make_app, open_client, problem_of
from tests.accounts.test_accounts import LIJA, register, sign_in

MINUTE = 60_000


@pytest.fixture
async def stranger(file: Database, clock: Clock) -> AsyncIterator[AsyncClient]:
    """Somebody at another address than the player Lija, who has registered."""
    async with open_client(make_app(file, clock)) as lija:
        await register(lija)
    async with open_client(make_app(file, clock), "198.51.100.9") as opened:
        yield opened


async def test_guessing_is_refused_for_a_while_and_says_how_long(stranger: AsyncClient, clock: Clock) -> None:
    for _ in range(10):
        problem_of(await sign_in(stranger, password="a guess"), 401, "wrong_credentials")
        clock.now += 1_000

    refused = await sign_in(stranger)
    problem_of(refused, 429, "too_many_attempts")
    assert refused.headers["retry-after"] == str(15 * 60 - 10)
    recovery = LIJA | {"recovery_code": "a guess"}
    problem_of(await stranger.post("/api/accounts/recovery", json=recovery), 429, "too_many_attempts")

    clock.now = NOW + 15 * MINUTE
    assert (await sign_in(stranger)).status_code == 200


async def test_the_player_himself_is_not_locked_out_by_a_stranger(
    stranger: AsyncClient, file: Database, clock: Clock
) -> None:
    for _ in range(12):
        await sign_in(stranger, password="a guess")

    async with open_client(make_app(file, clock)) as lija:
        assert (await sign_in(lija)).status_code == 200


async def test_strangers_at_many_addresses_lock_nobody_out(
    stranger: AsyncClient, file: Database, clock: Clock
) -> None:
    attempts = Attempts(file, clock)
    for number in range(220):
        with suppress(Problem):
            await attempts.begin(PROVING, name="lija", address=f"203.0.113.{number}")

    async with open_client(make_app(file, clock), "198.51.100.77") as lija:
        for _ in range(2):
            problem_of(await sign_in(lija, password="mistyped"), 401, "wrong_credentials")
        assert (await sign_in(lija)).status_code == 200, "the right password gets in from a new place at once"
    for _ in range(3):
        problem_of(await sign_in(stranger, password="a guess"), 401, "wrong_credentials")
    problem_of(await sign_in(stranger), 429, "too_many_attempts")


async def test_an_account_has_so_many_sessions_and_one_more_ends_the_oldest(
    stranger: AsyncClient, clock: Clock
) -> None:
    tokens = []
    for _ in range(MOST_SESSIONS + 2):
        clock.now += 1000
        stranger.cookies.clear()
        tokens.append((await sign_in(stranger)).cookies[COOKIE])

    stranger.cookies.clear()
    answers = [
        (await stranger.get("/api/me", headers={"Authorization": f"Bearer {token}"})).status_code
        for token in tokens
    ]
    assert answers == [401] * 2 + [200] * MOST_SESSIONS


async def test_right_passwords_are_bounded_too(stranger: AsyncClient, clock: Clock) -> None:
    answers = [(await sign_in(stranger)).status_code for _ in range(61)]

    assert answers == [200] * 60 + [429]
    clock.now += 60 * MINUTE
    assert (await sign_in(stranger)).status_code == 200


async def test_behind_a_proxy_that_is_trusted_its_word_for_the_address_counts(
    file: Database, clock: Clock
) -> None:
    proxied = ProxyHeadersMiddleware(cast("Any", make_app(file, clock)), trusted_hosts=["192.0.2.7"])

    async def statuses(proxy: str, forwarded: list[str]) -> list[int]:
        async with open_client(cast("ASGIApp", proxied), proxy) as client:
            return [
                (await client.post("/api/sessions", json=LIJA, headers={"X-Forwarded-For": one})).status_code
                for one in forwarded
            ]

    assert await statuses("192.0.2.7", ["203.0.113.1"] * 11) == [401] * 10 + [429]
    assert await statuses("192.0.2.7", ["203.0.113.2", "203.0.113.1"]) == [401, 429]
    assert await statuses("198.51.100.9", [f"203.0.113.{last}" for last in range(11)]) == [401] * 10 + [429]


async def test_right_passwords_are_not_counted_as_wrong_ones(stranger: AsyncClient) -> None:
    for _ in range(12):
        assert (await sign_in(stranger)).status_code == 200


async def test_a_password_that_is_asked_for_again_can_not_be_guessed_either(stranger: AsyncClient) -> None:
    await sign_in(stranger)
    codes = [
        (await stranger.post("/api/me/recovery-code", json={"password": "a guess"})).status_code
        for _ in range(11)
    ]

    assert codes == [403] * 10 + [429]
    problem_of(await stranger.request("DELETE", "/api/me", json={"password": "x"}), 429, "too_many_attempts")


async def test_an_address_registers_a_few_accounts_in_an_hour(file: Database, clock: Clock) -> None:
    attempts = Attempts(file, clock)
    async with open_client(make_app(file, clock), "198.51.100.9") as client:
        for _ in range(20):
            await attempts.begin(REGISTERING, address="198.51.100.9")
        problem_of(await register(client), 429, "too_many_attempts")
    assert await count(file, "accounts") == 0


SMALL = Trying(
    "try",
    (
        Limit(2, 10 * MINUTE, by_name=True, by_address=True),
        Limit(4, 10 * MINUTE, by_address=True),
        Limit(5, 10 * MINUTE, by_name=True),
    ),
)


async def allowed(attempts: Attempts, name: str, address: str) -> bool:
    try:
        await attempts.begin(SMALL, name=name, address=address)
    except Problem:
        return False
    return True


async def test_names_and_addresses_are_limited_by_themselves_and_together(
    file: Database, clock: Clock
) -> None:
    attempts = Attempts(file, clock)

    assert [await allowed(attempts, "lija", "A") for _ in range(9)] == [True] * 2 + [False] * 7
    assert [await allowed(attempts, "medo", "A") for _ in range(3)] == [True, True, False]
    assert not await allowed(attempts, "zec", "A"), "the address has had four"
    assert [await allowed(attempts, "lija", address) for address in "BCD"] == [True] * 3
    assert not await allowed(attempts, "lija", "E"), "the name has had five: what was refused counts for none"
    assert await allowed(attempts, "zec", "E")


async def test_no_attempt_slips_through_between_servers(
    database: Database, database_url: str, clock: Clock
) -> None:
    other = Database(database_url)
    servers = [Attempts(each, clock) for each in (database, other)]

    answers = await asyncio.gather(*(allowed(each, "lija", "A") for each in servers * 6))

    await other.dispose()
    assert sum(answers) == 2


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
        ("2001:db8:1:2::7", "2001:0db8:0001:0002"),
        ("testclient", "testclient"),
    ],
)
def test_of_a_network_of_ipv6_all_addresses_count_as_one(host: str, address: str) -> None:
    assert address_of(HTTPConnection({"type": "http", "client": (host, 1)})) == address


def test_who_comes_by_a_local_socket_has_no_address() -> None:
    assert address_of(HTTPConnection({"type": "http", "client": None})) == ""
