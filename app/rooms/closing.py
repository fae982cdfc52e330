"""Why a socket is closed: the close codes of docs/protocol.md."""

from enum import IntEnum


class CloseCode(IntEnum):
    """Every code that the server closes with."""

    RESTART = 1012
    TRY_LATER = 1013
    MALFORMED = 4400
    NOT_SIGNED_IN = 4401
    FORBIDDEN = 4403
    NO_ROOM = 4404
    NO_HELLO = 4408
    ROOM_GONE = 4410
    TOO_BIG = 4413
    TOO_MANY = 4429
    TOO_SLOW = 4430
    TOO_MANY_SOCKETS = 4431


class Close(Exception):
    """The socket is to be closed with this code."""

    def __init__(self, code: CloseCode) -> None:
        super().__init__(code.name)
        self.code = code
