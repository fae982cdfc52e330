"""Who is asking: the one way from a request or a socket to a player.

A session token is random, kept by a browser in a cookie that scripts can't read; here is only its hash.
"""

import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import sha256

from starlette.requests import HTTPConnection

from app.accounts.repository import player_of_session
from app.clock import Now, now_ms
from app.db import Database

COOKIE = "yamb_session"
COOKIE_BEHIND_TLS = f"__Host-{COOKIE}"
"""Browsers take a cookie of this name from the host itself alone, by TLS: no other host can plant one."""
_TOKEN_BYTES = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Identity:
    """A player, the name he bears now, and the user name of his account if he has one.

    `session`: the hash of the token that says so. It tells nothing of who he is.
    """

    player: str
    name: str
    user_name: str | None = None
    session: bytes = field(default=b"", compare=False, repr=False)


Identify = Callable[[HTTPConnection], Awaitable[Identity | None]]


def make_identify(database: Database, *, is_secure: bool = False, now: Now = now_ms) -> Identify:
    """The function that says who a connection is from; None without a valid session.

    `is_secure`: browsers come by TLS. It reads the database once and holds nothing.
    Raises DatabaseUnavailable.
    """

    async def identify(connection: HTTPConnection) -> Identity | None:
        token = token_of(connection, is_secure=is_secure)
        if token is None:
            return None
        token_hash = hash_of_token(token)
        async with database.reading() as session:
            found = await player_of_session(session, token_hash, now())
        return Identity(*found, session=token_hash) if found else None

    return identify


def cookie_name(*, is_secure: bool) -> str:
    """The name of the session cookie; `is_secure`: browsers come by TLS."""
    return COOKIE_BEHIND_TLS if is_secure else COOKIE


def token_of(connection: HTTPConnection, *, is_secure: bool) -> str | None:
    """The session token of a connection: a program's Authorization header, or else the browser's cookie."""
    given = bearer_of(connection)
    token = _token_in_cookie(connection, is_secure=is_secure) if given is None else given
    return token if _TOKEN.fullmatch(token) else None


def _token_in_cookie(connection: HTTPConnection, *, is_secure: bool) -> str:
    """Behind TLS too a browser may have the plain name, from before: it counts while the other is missing."""
    cookies = connection.cookies
    return cookies.get(cookie_name(is_secure=is_secure), cookies.get(COOKIE, ""))


def bearer_of(connection: HTTPConnection) -> str | None:
    """What a program sends as its token. A browser sends none: at most what a proxy asks for, as Basic."""
    scheme, _, given = connection.headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else None


def make_token() -> str:
    """A new session token."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hash_of_token(token: str) -> bytes:
    """What is stored of a token. It is random and long: a plain hash can't be turned back."""
    return sha256(token.encode()).digest()
