"""The cookie by which a browser keeps its session."""

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.accounts.identity import COOKIE, cookie_name, token_of
from app.accounts.service import SESSION_SECONDS


class SessionCookie:
    """Scripts and other sites don't get it, and behind TLS it goes by TLS alone."""

    def __init__(self, *, is_secure: bool) -> None:
        self._is_secure = is_secure
        self._name = cookie_name(is_secure=is_secure)

    def token_of(self, connection: HTTPConnection) -> str | None:
        """The session token of a connection, by the cookie or as a program sends it."""
        return token_of(connection, is_secure=self._is_secure)

    def give(self, response: Response, token: str) -> None:
        """Let the browser keep the token, and none under the name that it may have from before."""
        response.set_cookie(
            self._name, token, max_age=SESSION_SECONDS, httponly=True, samesite="lax", secure=self._is_secure
        )
        if self._name != COOKIE:
            self._delete(response, COOKIE)

    def take(self, response: Response) -> None:
        """Let the browser forget it, under each name that is read."""
        for name in dict.fromkeys((self._name, COOKIE)):
            self._delete(response, name)

    def _delete(self, response: Response, name: str) -> None:
        response.delete_cookie(name, httponly=True, samesite="lax", secure=self._is_secure)
