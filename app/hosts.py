"""Under which names a server answers: else another site could have its own name lead here (DNS rebinding).

Such a page needs a name that its author can register. So addresses, names without a dot and those of local
networks are answered always, and every other name only where it is allowed.
"""

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.problems import Problem, problem_response
from app.rooms.closing import CloseCode

# Nobody can register a name that ends so: RFC 2606, 6761, 6762, 8375, and what routers use.
_LOCAL = (".localhost", ".local", ".lan", ".internal", ".home.arpa", ".test", ".example", ".invalid")


class KnownHosts:
    """Answers only under names that are known. `allowed`: further names, or `*` for any."""

    def __init__(self, app: ASGIApp, allowed: Collection[str]) -> None:
        self._app = app
        self._allowed = frozenset(name.lower() for name in allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = Headers(scope=scope).get("host") if scope["type"] in ("http", "websocket") else None
        if given is None or "*" in self._allowed or self._is_known(given):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await problem_response(unknown_host())(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": int(CloseCode.FORBIDDEN)})

    def _is_known(self, given: str) -> bool:
        try:
            name = (urlsplit(f"//{given}").hostname or "").removesuffix(".")
        except ValueError:
            return False
        return ("." not in name and ":" not in name) or name in self._allowed or _is_local(name)


def unknown_host() -> Problem:
    """For a name that isn't allowed; it isn't said again, it may be anything."""
    sentence = (
        "this server doesn't answer under this name: whoever runs it adds the name to YAMB_ALLOWED_HOSTS"
    )
    return Problem(421, "unknown_host", sentence, headers={"Cache-Control": "no-store"})


def _is_local(name: str) -> bool:
    if name.endswith(_LOCAL):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
