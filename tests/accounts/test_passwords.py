"""Hashing takes long and much memory: beside everything else, and not too often at once."""

import asyncio
import os
import sys
from threading import Event, get_native_id

import pytest
from argon2 import PasswordHasher

from app.accounts.passwords import Passwords
from app.problems import Problem
from tests.accounts.apps import CHEAP


class HeldHasher(PasswordHasher):
    """Hashes when it is let, and says how many did at once."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.go_on = Event()
        self.at_once = 0
        self.most = 0

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        assert self.go_on.wait(20)
        self.at_once -= 1
        return super().hash(password, salt=salt)


async def test_the_hash_is_argon2id_with_the_parameters_of_rfc_9106() -> None:
    made = await Passwords().hash("four words or more")

    assert made.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


async def test_a_password_is_right_or_wrong() -> None:
    passwords = Passwords(CHEAP)
    stored = await passwords.hash("four words")

    assert await passwords.is_right("four words", stored)
    assert not await passwords.is_right("five words", stored)
    assert not await passwords.is_right("four words", None)
    assert not await passwords.is_right("four words", "no hash at all")
    assert await passwords.hash("four words") != stored


async def test_while_passwords_are_hashed_the_server_goes_on_and_too_many_are_refused() -> None:
    hasher = HeldHasher()
    passwords = Passwords(hasher)
    under_way = [asyncio.create_task(passwords.hash("four words")) for _ in range(16)]
    await asyncio.sleep(0)

    with pytest.raises(Problem) as refused:
        await passwords.hash("four words")

    assert (refused.value.status, refused.value.headers) == (503, {"Retry-After": "2"})
    hasher.go_on.set()
    assert len(set(await asyncio.gather(*under_way))) == 16
    assert hasher.most <= 2
    assert await passwords.hash("four words")


class WatchedHasher(PasswordHasher):
    """Notes how nice the thread is in which it hashes."""

    niceness = -1

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.niceness = os.getpriority(os.PRIO_PROCESS, get_native_id())
        return super().hash(password, salt=salt)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no niceness of their own")
async def test_hashing_gives_way_to_those_who_play() -> None:
    here = os.getpriority(os.PRIO_PROCESS, get_native_id())
    hasher = WatchedHasher(time_cost=1, memory_cost=8, parallelism=1)
    await Passwords(hasher).hash("five words of nonsense")
    assert (hasher.niceness, os.getpriority(os.PRIO_PROCESS, get_native_id())) == (min(19, here + 10), here)
