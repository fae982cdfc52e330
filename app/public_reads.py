"""What everybody may read, pages of other sites too: known again by its ETag, and open to them (CORS).

Reading only, and never with anybody's session: what is private says so in its Cache-Control.
"""

from hashlib import sha256
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PUBLIC = (
    "/api/variants",
    "/api/leaderboards",
    "/api/games",
    "/api/players",
    "/api/openapi.json",
    "/api/protocol.schema.json",
    "/api/asyncapi.json",
)
_DAY = 24 * 60 * 60
_OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Retry-After, X-Request-ID",
}
_PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "If-None-Match, X-Request-ID",
    "Access-Control-Max-Age": str(_DAY),
}
# All that RFC 9110 wants of a 304, beside what is the same for every answer.
_KEPT_BY_304 = ("cache-control", "content-location", "date", "etag", "expires", "vary")


class PublicReads:
    """Opens what is public to the pages of other sites, and sends nothing again that is there already."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _is_public(scope):
            await self._app(scope, receive, send)
        elif scope["method"] == "OPTIONS" and "access-control-request-method" in Headers(scope=scope):
            await _answer_preflight(send)
        elif scope["method"] == "GET":
            answer = _Answer(Headers(scope=scope).get("if-none-match"), send)
            await self._app(scope, receive, answer.take)
        else:
            await self._app(scope, receive, send)


class _Answer:
    """Holds an answer back until it is whole: only then it is known whether it is news."""

    def __init__(self, known: str | None, send: Send) -> None:
        self._known = known
        self._send = send
        self._start: Message = {}
        self._body: list[bytes] = []

    async def take(self, message: Message) -> None:
        """Take the next part of the answer."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        self._body.append(message.get("body", b""))
        if not message.get("more_body"):
            await self._send_whole(b"".join(self._body))

    async def _send_whole(self, body: bytes) -> None:
        headers = MutableHeaders(scope=self._start)
        is_private = "private" in headers.get("cache-control", "")
        if not is_private:
            headers.update(_OPEN)
        if self._start["status"] == 200:
            headers.setdefault("Cache-Control", "no-cache")
            headers.setdefault("ETag", f'"{sha256(body).hexdigest()[:32]}"')
            if _is_known(headers["etag"], self._known):
                self._start = {**self._start, "status": 304, "headers": _of_304(headers)}
                body = b""
        await self._send(self._start)
        await self._send({"type": "http.response.body", "body": body})


def is_public_path(path: str) -> bool:
    """Whether what is read there is for everybody."""
    return any(path == public or path.startswith(f"{public}/") for public in PUBLIC)


def _is_public(scope: Scope) -> bool:
    """Whether everybody gets the same answer: only `player=me` asks who is asking."""
    return is_public_path(scope["path"]) and "player" not in parse_qs(
        scope["query_string"].decode("latin-1"), keep_blank_values=True
    )


def _is_known(tag: str, known: str | None) -> bool:
    """Whether If-None-Match names the tag. A proxy that compressed the answer has made the tag a weak one."""
    if known is None:
        return False
    return known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))


def _of_304(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [
        (name, value)
        for name, value in headers.raw
        if name.decode("latin-1") in _KEPT_BY_304 or name.startswith(b"access-control-")
    ]


async def _answer_preflight(send: Send) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in _PREFLIGHT.items()]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
