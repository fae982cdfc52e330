"""Guests over REST: becoming one, seeing and changing who one is."""

import secrets
from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Depends, Request, Response

from app.accounts.identity import COOKIE, Identify, Identity, hash_of_token, make_token
from app.accounts.origins import make_origin_check
from app.accounts.repository import add_player, add_session, rename_player
from app.accounts.schemas import Me, Named
from app.clock import Now, now_ms
from app.config import Settings
from app.db import Database
from app.problems import Problem, problem_responses

# Browsers keep no cookie longer.
_SESSION_SECONDS = 400 * 24 * 60 * 60
_ID_LETTERS = "abcdefghjkmnpqrstvwxyz0123456789"
_ID_RANDOM_LETTERS = 9


def make_router(
    database: Database, identify: Identify, settings: Settings, *, now: Now = now_ms
) -> APIRouter:
    """The routes. Unsafe ones refuse the pages of other sites."""
    checks = [Depends(make_origin_check(settings.allowed_origins))]
    router = APIRouter(prefix="/api", tags=["players"], dependencies=checks)
    require = make_require_identity(identify)

    @router.post("/guests", status_code=201, responses=problem_responses(403, 422, 503))
    async def become_guest(named: Named, response: Response) -> Me:
        """A new guest, signed in by the answer's cookie. A program may send its value as bearer token."""
        token = make_token()
        me = await _add_guest(database, named.name, token, now())
        response.set_cookie(
            COOKIE,
            token,
            max_age=_SESSION_SECONDS,
            httponly=True,
            samesite="lax",
            secure=settings.cookie_secure,
        )
        return me

    @router.get("/me", responses=problem_responses(401, 503))
    async def who_am_i(request: Request) -> Me | None:
        """The player whose session the request carries; null for a browser that has none.

        To a new visitor that is an answer, no error. A program's bearer token that is not valid is one (401).
        """
        identity = await (require if "authorization" in request.headers else identify)(request)
        return Me(player=identity.player, name=identity.name) if identity else None

    @router.patch("/me", responses=problem_responses(401, 403, 422, 503))
    async def change_me(request: Request, named: Named) -> Me:
        """Bear another name from now on. Games that are finished keep the old one in their records."""
        identity = await require(request)
        async with database.session() as session:
            await rename_player(session, identity.player, named.name)
        return Me(player=identity.player, name=named.name)

    return router


def make_require_identity(identify: Identify) -> Callable[[Request], Awaitable[Identity]]:
    """The function, also a dependency, that ends a request without a valid session by a 401 problem."""

    async def require_identity(request: Request) -> Identity:
        identity = await identify(request)
        if identity is None:
            headers = {"WWW-Authenticate": "Bearer"}
            raise Problem(
                401, "not_signed_in", "there is no valid session: become a guest first", headers=headers
            )
        return identity

    return require_identity


async def _add_guest(database: Database, name: str, token: str, now: int) -> Me:
    async with database.session() as session:
        player = make_player_id()
        while not await add_player(session, player, name, now):
            player = make_player_id()
        expires_at = now + _SESSION_SECONDS * 1000
        add_session(session, hash_of_token(token), player, now=now, expires_at=expires_at)
    return Me(player=player, name=name)


def make_player_id() -> str:
    """A new player's id. Public, and not guessable from another one."""
    return "p" + "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_RANDOM_LETTERS))
