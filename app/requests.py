"""What every request goes through before any route sees it: its id, how large it may be, and its method."""

import re
import secrets

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.problems import REQUEST_ID, Problem, problem_response

MAX_BODY_BYTES = 64 * 1024
_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
# A socket's own commands have request ids too: the one of its handshake is the socket's.
_LOGGED_AS = {"http": "request", "websocket": "socket"}


class RequestId:
    """Gives every request and socket an id, or takes the one that a proxy sent. It is in the answer's header,
    and in every line of the logs about it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in _LOGGED_AS:
            await self._app(scope, receive, send)
            return
        request_id = _given_id(scope) or secrets.token_hex(8)
        scope[REQUEST_ID] = request_id
        # Never unbound: the line that tells of a defect is written by the server, after everything here.
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(**{_LOGGED_AS[scope["type"]]: request_id})

        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        await self._app(scope, receive, send_with_id)


def _given_id(scope: Scope) -> str | None:
    given = Headers(scope=scope).get("x-request-id", "")
    return given if _ID.fullmatch(given) else None


class BodyLimit:
    """Refuses a body that is too big, before it is all here: no request of this server needs a large one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = None if _is_said_to_be_too_big(scope) else await _read(receive)
        if body is None:
            too_big = Problem(413, "too_big", f"a body has at most {MAX_BODY_BYTES} bytes")
            await problem_response(too_big)(scope, receive, send)
            return
        await self._app(scope, _replayed(body, receive), send)


class HeadAsGet:
    """Has HEAD answered as GET is. The body is left out by the server that speaks HTTP."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["type"] == "http" and scope["method"] == "HEAD"
        if not is_head:
            await self._app(scope, receive, send)
            return
        as_get = {**scope, "method": "GET"}
        try:
            await self._app(as_get, receive, send)
        finally:
            scope["route"] = as_get.get("route")  # for those who measure


def _is_said_to_be_too_big(scope: Scope) -> bool:
    length = Headers(scope=scope).get("content-length", "0")
    return not length.isdecimal() or int(length[:20]) > MAX_BODY_BYTES


async def _read(receive: Receive) -> list[Message] | None:
    """The body as one message, and the client's end where it came first; None when the body is too big."""
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return [_body(body, more=True), message]
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            return None
        more = message.get("more_body", False)
    return [_body(body, more=False)]


def _body(body: bytearray, *, more: bool) -> Message:
    return {"type": "http.request", "body": bytes(body), "more_body": more}


def _replayed(messages: list[Message], receive: Receive) -> Receive:
    """What was read already, then what comes."""
    waiting = iter(messages)

    async def replay() -> Message:
        message = next(waiting, None)
        return await receive() if message is None else message

    return replay
