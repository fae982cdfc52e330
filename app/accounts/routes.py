"""Players over REST: becoming a guest, seeing and changing who one is, and what is one's own."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Request, Response
from fastapi.responses import StreamingResponse

from app.accounts.account_routes import make_account_router
from app.accounts.attempts import address_of
from app.accounts.exporting import export
from app.accounts.identity import Identify, Identity, bearer_of
from app.accounts.making import GUEST, Making
from app.accounts.origins import make_origin_check
from app.accounts.own_games import OwnGames
from app.accounts.passwords import Passwords
from app.accounts.refusing import (
    changed_meanwhile,
    no_account,
    not_signed_in,
    too_many_attempts,
    too_many_made,
    wrong_password,
)
from app.accounts.repository import rename_player
from app.accounts.schemas import Deletion, Export, Me, Named, NewPasswordWanted, NewRecoveryCode, Proof
from app.accounts.service import Accounts, TellEnded, tell_nobody
from app.accounts.session_cookie import SessionCookie
from app.clock import Now, now_ms
from app.config import Settings
from app.db import Database
from app.problems import FieldError, Problem, problem_responses

RequireIdentity = Callable[[Request], Awaitable[Identity]]

_EXPORT: dict[int | str, dict[str, Any]] = {
    200: {"model": Export, "description": "All that is kept about the player, for him to keep"}
}


def make_router(
    database: Database,
    identify: Identify,
    settings: Settings,
    *,
    games: OwnGames,
    passwords: Passwords | None = None,
    tell_ended: TellEnded = tell_nobody,
    now: Now = now_ms,
) -> APIRouter:
    """The routes. Unsafe ones refuse the pages of other sites. `passwords`: cheaper ones, for tests.

    `tell_ended` is told of players whose sessions have been ended, also by deletion.
    """
    accounts = Accounts(database, passwords or Passwords(), now=now, tell_ended=tell_ended)
    making = Making(database, settings, now=now)
    cookie = SessionCookie(is_secure=settings.cookie_secure)
    require = make_require_identity(identify)
    router = APIRouter(
        prefix="/api", tags=["players"], dependencies=[Depends(make_origin_check(settings.allowed_origins))]
    )
    router.include_router(_make_guest_router(database, accounts, identify, making=making, cookie=cookie))
    router.include_router(make_account_router(accounts, identify, require, cookie=cookie))
    router.include_router(_make_secrets_router(accounts, require, cookie))
    router.include_router(
        _make_own_router(database, accounts, require, games=games, cookie=cookie, tell_ended=tell_ended)
    )
    return router


def make_require_identity(identify: Identify) -> RequireIdentity:
    """The function, also a dependency, that ends a request without a valid session by a 401 problem."""

    async def require_identity(request: Request) -> Identity:
        identity = await identify(request)
        if identity is None:
            raise not_signed_in()
        return identity

    return require_identity


def _make_guest_router(
    database: Database, accounts: Accounts, identify: Identify, *, making: Making, cookie: SessionCookie
) -> APIRouter:
    router = APIRouter()
    require = make_require_identity(identify)
    responses = problem_responses(403, 422, too_many_made(GUEST, 60), 503)

    @router.post("/guests", status_code=201, responses=responses)
    async def become_guest(request: Request, named: Named, response: Response) -> Me:
        """A new guest, signed in by the answer's cookie. A program may send its value as bearer token."""
        await making.begin(GUEST, address=address_of(request))
        signed = await accounts.become_guest(named.name)
        cookie.give(response, signed.token)
        return Me.of(signed.identity)

    @router.get("/me", responses=problem_responses(401, 503))
    async def who_am_i(request: Request) -> Me | None:
        """The player whose session the request carries; null for a browser that has none.

        To a new visitor that is an answer, no error. A program's bearer token that is not valid is one (401).
        """
        identity = await (identify if bearer_of(request) is None else require)(request)
        return Me.of(identity) if identity else None

    @router.patch("/me", responses=problem_responses(401, 403, 422, 503))
    async def change_me(request: Request, named: Named) -> Me:
        """Bear another name from now on. Games that are finished keep the old one in their records."""
        identity = await require(request)
        async with database.session() as session:
            await rename_player(session, identity.player, named.name)
        return Me.of(Identity(identity.player, named.name, identity.user_name))

    return router


def _make_secrets_router(accounts: Accounts, require: RequireIdentity, cookie: SessionCookie) -> APIRouter:
    router = APIRouter()
    refused = (401, 403, wrong_password(), no_account(), changed_meanwhile(), 422, too_many_attempts(60), 503)
    by_password = problem_responses(*refused)

    @router.post("/me/recovery-code", responses=by_password)
    async def renew_recovery_code(request: Request, proof: Proof) -> NewRecoveryCode:
        """Another recovery code. The one before is worth nothing from now on."""
        who = await require(request)
        code = await accounts.renew_recovery_code(who, proof.password, address=address_of(request))
        return NewRecoveryCode(recovery_code=code)

    @router.put("/me/password", status_code=204, responses=by_password)
    async def change_password(request: Request, wanted: NewPasswordWanted) -> None:
        """Another password. All other sessions end."""
        await accounts.change_password(
            await require(request),
            cookie.token_of(request),
            wanted.password,
            wanted.new_password,
            address=address_of(request),
        )

    return router


def _make_own_router(
    database: Database,
    accounts: Accounts,
    require: RequireIdentity,
    *,
    games: OwnGames,
    cookie: SessionCookie,
    tell_ended: TellEnded,
) -> APIRouter:
    router = APIRouter()

    @router.get(
        "/me/export", response_class=StreamingResponse, responses=_EXPORT | problem_responses(401, 503)
    )
    async def export_me(request: Request) -> StreamingResponse:
        """All that is kept about the player who asks, as a file."""
        who = await require(request)
        headers = {"Content-Disposition": f'attachment; filename="yamb-{who.player}.json"'}
        return StreamingResponse(
            export(database, games, who.player), media_type="application/json", headers=headers
        )

    @router.delete(
        "/me",
        status_code=204,
        responses=problem_responses(
            401, 403, wrong_password(), no_account(), 422, too_many_attempts(60), 503
        ),
    )
    async def delete_me(
        request: Request, response: Response, given: Annotated[Deletion | None, Body()] = None
    ) -> None:
        """The player's name, account and sessions are gone for good; his games stay, without his name."""
        who = await require(request)
        if who.user_name is not None:
            await accounts.prove(who, _password_of(given), address=address_of(request))
        await games.delete_player(who.player)
        tell_ended(who.player)
        cookie.take(response)

    return router


def _password_of(given: Deletion | None) -> str:
    if given is None or given.password is None:
        missing = FieldError(field="password", sentence="an account is deleted by its password")
        raise Problem(422, "invalid", f"{missing.field}: {missing.sentence}", errors=[missing])
    return given.password
