"""Tables made ready to play over the public interface: guests, rooms, seats, the start."""

import asyncio
from collections.abc import Sequence

import httpx

from benchmarks.server.frames import Socket, connect
from benchmarks.server.script import SEATS, VARIANT, message_frame

_HELLO = message_frame({"type": "hello", "protocol": 2})
_ANSWER_SECONDS = 20


async def guests(port: int, count: int) -> list[str]:
    """Cookies of new guests."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=_ANSWER_SECONDS) as http:
        return [await _guest(http, f"Guest {number}") for number in range(count)]


async def rooms(port: int, cookies: Sequence[str]) -> list[str]:
    """Codes of new rooms, one for each cookie, whose player is the host."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=_ANSWER_SECONDS) as http:
        return [await _room(http, cookie) for cookie in cookies]


async def sit_down(port: int, code: str, cookies: Sequence[str]) -> list[Socket]:
    """The sockets of a table whose game has just started."""
    sockets = [await watch(port, code, cookie) for cookie in cookies]
    for number, socket in enumerate(sockets):
        await _command(socket, {"type": "join", "request": "join", "text": f"text {number}"})
        await _command(socket, {"type": "ready", "request": "ready", "ready": True})
    await _command(sockets[0], {"type": "start", "request": "start"})
    return sockets


async def watch(port: int, code: str, cookie: str) -> Socket:
    """A socket at a table, welcomed."""
    socket = await connect(port, f"/ws/rooms/{code}", cookie)
    await _answered(socket, _HELLO, "w")
    return socket


async def _guest(http: httpx.AsyncClient, name: str) -> str:
    answer = await http.post("/api/guests", json={"name": name})
    answer.raise_for_status()
    cookies = "; ".join(f"{key}={value}" for key, value in answer.cookies.items())
    http.cookies.clear()
    return cookies


async def _room(http: httpx.AsyncClient, cookie: str) -> str:
    wanted = {"variant": VARIANT.id, "max_seats": SEATS}
    answer = await http.post("/api/rooms", json=wanted, headers={"cookie": cookie})
    answer.raise_for_status()
    return str(answer.json()["code"])


async def _command(socket: Socket, message: dict[str, object]) -> None:
    await _answered(socket, message_frame(message), "o")


async def _answered(socket: Socket, frame: bytes, expected: str) -> None:
    """Send a frame and wait for the message whose type begins so. A refusal is an error."""
    answered = asyncio.get_running_loop().create_future()

    def on_frame(kind: int, _length: int) -> None:
        if chr(kind) in (expected, "r") and not answered.done():
            answered.set_result(chr(kind))

    socket.on_frame = on_frame
    socket.send(frame)
    async with asyncio.timeout(_ANSWER_SECONDS):
        if await answered != expected:
            raise RuntimeError(f"refused: {frame!r}")
