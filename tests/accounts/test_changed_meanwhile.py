"""What else was done with the account while a password was being checked or made."""

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from argon2 import PasswordHasher
from httpx import AsyncClient, Response

from app.accounts.identity import COOKIE
from app.accounts.passwords import Passwords
from app.db import Database
from tests.accounts.apps import Clock, count, make_app, open_client, problem_of
from tests.accounts.test_accounts import LIJA, WORDS, me, register, sign_in
from tests.patience import PATIENCE_SECONDS

OTHERS = "words of somebody else"


class HeldUp(PasswordHasher):
    """Hashes as the cheap one, but only when it may go on; `begun` says that one waits."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.begun = threading.Event()
        self.may_go_on = threading.Event()

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self._wait()
        return super().hash(password, salt=salt)

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002 - the library's name
        is_right = super().verify(hash, password)
        self._wait()
        return is_right

    def _wait(self) -> None:
        self.begun.set()
        assert self.may_go_on.wait(PATIENCE_SECONDS)


@pytest.fixture
async def lija(file: Database, clock: Clock) -> AsyncIterator[AsyncClient]:
    """The browser of a guest."""
    async with open_client(make_app(file, clock)) as opened:
        assert (await opened.post("/api/guests", json={"name": "Lija"})).status_code == 201
        yield opened


@dataclass
class SlowBrowser:
    """A browser at a server on which passwords take as long as the test wants."""

    client: AsyncClient
    hasher: HeldUp

    async def asks(
        self, method: str, path: str, body: dict[str, str], *, meanwhile: Coroutine[Any, Any, Response]
    ) -> Response:
        """The answer to what was asked first, and has come as far as a password before the other is done."""
        first = asyncio.create_task(self.client.request(method, path, json=body))
        assert await asyncio.to_thread(self.hasher.begun.wait, PATIENCE_SECONDS)
        assert (await meanwhile).is_success
        self.hasher.may_go_on.set()
        return await first


@pytest.fixture
async def slow(file: Database, clock: Clock, lija: AsyncClient) -> AsyncIterator[SlowBrowser]:
    """The same guest's at another server."""
    hasher = HeldUp()
    async with open_client(make_app(file, clock, passwords=Passwords(hasher))) as opened:
        opened.cookies.set(COOKIE, lija.cookies[COOKIE])
        yield SlowBrowser(opened, hasher)


CHANGES = [
    ("PUT", "/api/me/password", {"password": WORDS, "new_password": OTHERS}),
    ("POST", "/api/me/recovery-code", {"password": WORDS}),
]


@pytest.mark.parametrize("change", CHANGES)
async def test_who_knew_the_old_password_keeps_nothing_when_its_player_has_set_another(
    lija: AsyncClient, slow: SlowBrowser, change: tuple[str, str, dict[str, str]]
) -> None:
    await register(lija)
    slow.client.cookies.set(COOKIE, lija.cookies[COOKIE])
    mine = lija.put("/api/me/password", json={"password": WORDS, "new_password": "words of my own"})

    answer = await slow.asks(*change, meanwhile=mine)

    problem_of(answer, 409, "changed_meanwhile")
    assert (await sign_in(lija, password="words of my own")).status_code == 200


async def test_an_old_password_takes_back_no_recovery(lija: AsyncClient, slow: SlowBrowser) -> None:
    code = (await register(lija)).json()["recovery_code"]
    slow.client.cookies.set(COOKIE, lija.cookies[COOKIE])
    recovery = {"user_name": "lija", "recovery_code": code, "password": "words of my own"}

    answer = await slow.asks(*CHANGES[0], meanwhile=lija.post("/api/accounts/recovery", json=recovery))

    problem_of(answer, 409, "changed_meanwhile")
    problem_of(await sign_in(lija, password=OTHERS), 401, "wrong_credentials")
    assert (await sign_in(lija, password="words of my own")).status_code == 200


async def test_a_password_is_right_also_when_its_hash_is_made_anew_at_that_moment(
    lija: AsyncClient, slow: SlowBrowser, clock: Clock, file: Database
) -> None:
    await register(lija)
    better = Passwords(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    async with open_client(make_app(file, clock, passwords=better)) as other:
        answer = await slow.asks("POST", "/api/sessions", LIJA, meanwhile=sign_in(other))

    assert answer.status_code == 200
    assert (await me(slow.client))["user_name"] == "lija"


async def test_who_registers_twice_at_once_is_told_that_he_has_an_account(
    lija: AsyncClient, slow: SlowBrowser, file: Database
) -> None:
    other_name = LIJA | {"user_name": "medo"}

    answer = await slow.asks("POST", "/api/accounts", other_name, meanwhile=register(lija))

    assert "lija" in problem_of(answer, 409, "already_registered")["detail"]
    assert (await count(file, "accounts"), await count(file, "players")) == (1, 1)
    assert (await me(lija))["user_name"] == LIJA["user_name"]


async def test_who_is_signed_out_meanwhile_registers_nothing(
    lija: AsyncClient, slow: SlowBrowser, file: Database
) -> None:
    answer = await slow.asks("POST", "/api/accounts", LIJA, meanwhile=lija.delete("/api/sessions"))

    problem_of(answer, 401, "not_signed_in")
    assert await me(slow.client) is None
    assert (await count(file, "accounts"), await count(file, "sessions")) == (0, 0)
