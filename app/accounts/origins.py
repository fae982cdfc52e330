"""Which pages may use a visitor's session: this server's own and those on the allow-list."""

from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request

from app.problems import Problem

_SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS", "TRACE"))


def is_allowed_origin(connection: HTTPConnection, allowed_origins: Collection[str]) -> bool:
    """Whether the page that a connection comes from is trusted. Programs send no Origin and are."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    origin = origin.lower()
    return origin in allowed_origins or _host_of(origin) == connection.headers.get("host", "").lower()


def make_origin_check(allowed_origins: Collection[str]) -> Callable[[Request], None]:
    """A dependency that refuses changes asked for by foreign pages. Raises Problem."""

    def check_origin(request: Request) -> None:
        if request.method not in _SAFE_METHODS and not is_allowed_origin(request, allowed_origins):
            raise Problem(403, "forbidden_origin", "pages of another site may not change anything here")

    return check_origin


def _host_of(origin: str) -> str | None:
    """The host and port of an Origin, as a Host header of the same server has them."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc if parts.scheme in ("http", "https") and parts.netloc else None
