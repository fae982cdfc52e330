"""The cookie by which a browser keeps its session."""

from starlette.responses import Response

from app.accounts.identity import COOKIE
from app.accounts.service import SESSION_SECONDS


class SessionCookie:
    """Scripts and other sites don't get it, and behind TLS it goes by TLS alone."""

    def __init__(self, *, is_secure: bool) -> None:
        self._is_secure = is_secure

    def give(self, response: Response, token: str) -> None:
        """Let the browser keep the token."""
        response.set_cookie(
            COOKIE, token, max_age=SESSION_SECONDS, httponly=True, samesite="lax", secure=self._is_secure
        )

    def take(self, response: Response) -> None:
        """Let the browser forget it."""
        response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=self._is_secure)
