"""Bytes of websockets and of HTTP, right ones and wrong ones. Pure."""

import json
from collections.abc import Iterator

TEXT, CONTINUATION, CLOSE, PING, PONG = 0x1, 0x0, 0x8, 0x9, 0xA
_LAST = 0x80
_MASKED = 0x80
_NO_MASK = bytes(4)  # a mask of zeros is one, and costs the attacker nothing


def frame(opcode: int, payload: bytes = b"", *, is_last: bool = True) -> bytes:
    """A frame of a client."""
    first = opcode | (_LAST if is_last else 0)
    return bytes([first]) + _length(len(payload)) + _NO_MASK + payload


def announced(opcode: int, size: int) -> bytes:
    """The beginning of a frame that is said to have so many bytes."""
    return bytes([opcode | _LAST]) + _length(size) + _NO_MASK


def message(**parts: object) -> bytes:
    """A message of the protocol in its frame."""
    return frame(TEXT, json.dumps(parts).encode())


def handshake(host: str, path: str, cookie: str = "") -> bytes:
    """The head of a websocket."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def request(method: str, path: str, host: str, *, body: bytes | None = None, cookie: str = "") -> bytes:
    """A whole request; a body is JSON."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}"]
    lines += [f"Cookie: {cookie}"] if cookie else []
    lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if body is not None else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + (body or b"")


def take_frames(buffer: bytearray) -> Iterator[tuple[int, bytes]]:
    """Take the whole frames of a server out of what came: opcode and payload of each."""
    while len(buffer) >= 2:
        size, start = buffer[1] & 0x7F, 2
        if size >= 126:
            start += 2 if size == 126 else 8
            size = int.from_bytes(buffer[2:start]) if len(buffer) >= start else len(buffer)
        if len(buffer) < start + size:
            return
        opcode, payload = buffer[0] & 0x0F, bytes(buffer[start : start + size])
        del buffer[: start + size]
        yield opcode, payload


def _length(size: int) -> bytes:
    if size < 126:
        return bytes([_MASKED | size])
    if size < 1 << 16:
        return bytes([_MASKED | 126]) + size.to_bytes(2)
    return bytes([_MASKED | 127]) + size.to_bytes(8)
