"""Accounts over REST: registering, signing in and out, and the way back in without the password."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request, Response

from app.accounts.attempts import address_of
from app.accounts.identity import Identify, Identity
from app.accounts.refusing import (
    WRONG_PASSWORD,
    WRONG_RECOVERY_CODE,
    already_registered,
    too_many_attempts,
    user_name_taken,
    wrong_credentials,
)
from app.accounts.schemas import Credentials, Me, MeWithRecoveryCode, Recovery, Registration
from app.accounts.service import Accounts, Signed
from app.accounts.session_cookie import SessionCookie
from app.problems import problem_responses

_REGISTERING = problem_responses(
    401, 403, already_registered("lija"), user_name_taken("lija"), 422, too_many_attempts(60), 503
)
_SIGNING_IN = problem_responses(wrong_credentials(*WRONG_PASSWORD), 403, 422, too_many_attempts(60), 503)
_RECOVERING = problem_responses(wrong_credentials(*WRONG_RECOVERY_CODE), 403, 422, too_many_attempts(60), 503)


def make_account_router(
    accounts: Accounts,
    identify: Identify,
    require: Callable[[Request], Awaitable[Identity]],
    *,
    cookie: SessionCookie,
) -> APIRouter:
    """The routes; who includes them checks the Origin."""
    router = APIRouter()

    @router.post("/accounts", status_code=201, responses=_REGISTERING)
    async def register(request: Request, response: Response, wanted: Registration) -> MeWithRecoveryCode:
        """An account for the guest who asks, whose games stay his; without a session for a new player.

        The recovery code is told this once. The session goes on under a new token.
        """
        signed = await accounts.register(
            await identify(request),
            cookie.token_of(request),
            wanted.user_name,
            wanted.password,
            address=address_of(request),
        )
        cookie.give(response, signed.token)
        return _with_code(signed)

    @router.post("/sessions", responses=_SIGNING_IN)
    async def sign_in(request: Request, response: Response, given: Credentials) -> Me:
        """Sign in. A guest who was here stays a player of his own: his games don't become the account's."""
        signed = await accounts.sign_in(
            cookie.token_of(request), given.user_name, given.password, address=address_of(request)
        )
        cookie.give(response, signed.token)
        return Me.of(signed.identity)

    @router.post("/accounts/recovery", responses=_RECOVERING)
    async def recover(request: Request, response: Response, given: Recovery) -> MeWithRecoveryCode:
        """A new password by the recovery code, which is worth nothing then: the answer has the next one.

        All other sessions end.
        """
        signed = await accounts.recover(
            cookie.token_of(request),
            given.user_name,
            given.recovery_code,
            password=given.password,
            address=address_of(request),
        )
        cookie.give(response, signed.token)
        return _with_code(signed)

    @router.delete("/sessions/current", status_code=204, responses=problem_responses(401, 403, 503))
    async def sign_out(request: Request, response: Response) -> None:
        """Sign out here. A guest can't come back then."""
        await accounts.sign_out(await require(request))
        cookie.take(response)

    @router.delete("/sessions", status_code=204, responses=problem_responses(401, 403, 503))
    async def sign_out_everywhere(request: Request, response: Response) -> None:
        """Sign out everywhere, here too."""
        await accounts.sign_out_everywhere(await require(request))
        cookie.take(response)

    return router


def _with_code(signed: Signed) -> MeWithRecoveryCode:
    me = Me.of(signed.identity)
    return MeWithRecoveryCode(**me.model_dump(), recovery_code=signed.recovery_code)
