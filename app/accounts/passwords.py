"""Passwords: kept as argon2id hashes, which are made and checked in threads of their own, a few at a time."""

import asyncio
import os
import sys
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from app.problems import Problem
from app.spending import counted

LEAST_CHARACTERS = 8
MOST_CHARACTERS = 256

_T = TypeVar("_T")
# Each of them takes 64 MiB and a core or two for a part of a second.
_AT_ONCE = 2
_NICENESS = 10
# Who comes after so many would wait longer than anybody does.
_MOST_UNDER_WAY = 16


class Passwords:
    """Hashes and checks passwords without holding up anything else. `hasher`: a cheaper one, for tests."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
        self._threads = ThreadPoolExecutor(
            _AT_ONCE, thread_name_prefix="passwords", initializer=_give_way_to_players
        )
        self._under_way = 0

    async def hash(self, password: str) -> str:
        """What is stored of a password. Raises Problem when too many are under way."""
        return await self._in_a_thread(lambda: self._hasher.hash(_composed(password)))

    async def is_right(self, password: str, stored: str | None) -> bool:
        """Whether the hash is of that password. Without a hash it takes as long. Raises Problem."""
        if stored is None:
            await self.hash(password)
            return False
        return await self._in_a_thread(lambda: self._verify(password, stored))

    def is_outdated(self, stored: str) -> bool:
        """Whether the hash was made with other parameters than are used now."""
        return self._hasher.check_needs_rehash(stored)

    def _verify(self, password: str, stored: str) -> bool:
        try:
            return self._hasher.verify(stored, _composed(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _in_a_thread(self, work: Callable[[], _T]) -> _T:
        if self._under_way >= _MOST_UNDER_WAY:
            raise Problem(503, "unavailable", "too many sign in at this moment", headers={"Retry-After": "2"})
        self._under_way += 1
        done = asyncio.get_running_loop().run_in_executor(self._threads, counted(work))
        done.add_done_callback(self._count_down)
        return await done

    def _count_down(self, _done: "asyncio.Future[_T]") -> None:
        self._under_way -= 1


def _give_way_to_players() -> None:
    """Have this thread run when others don't. Elsewhere than on Linux it would be the whole process."""
    if sys.platform == "linux":
        os.nice(_NICENESS)


def _composed(password: str) -> str:
    """The same from every keyboard: NFKC, as RFC 8265 and NIST SP 800-63B have it for typed secrets."""
    return unicodedata.normalize("NFKC", password)
