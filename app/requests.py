"""What every request goes through before any route sees it: how large it may be, and which method it has."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.problems import Problem, problem_response

MAX_BODY_BYTES = 64 * 1024


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
        await self._app({**scope, "method": "GET"} if is_head else scope, receive, send)


def _is_said_to_be_too_big(scope: Scope) -> bool:
    length = Headers(scope=scope).get("content-length", "0")
    return not length.isdecimal() or int(length[:20]) > MAX_BODY_BYTES


async def _read(receive: Receive) -> list[Message] | None:
    """The messages that the body came in, and what follows it where that is here; None when it is too big."""
    messages: list[Message] = []
    size = 0
    while not messages or messages[-1].get("more_body"):
        messages.append(await receive())
        size += len(messages[-1].get("body", b""))
        if size > MAX_BODY_BYTES:
            return None
    return messages


def _replayed(messages: list[Message], receive: Receive) -> Receive:
    """What was read already, then what comes."""
    waiting = iter(messages)

    async def replay() -> Message:
        message = next(waiting, None)
        return await receive() if message is None else message

    return replay
