"""What the server says, as JSON texts. Each is encoded once, however many sockets it goes to.

The shapes are those of docs/protocol.md.
"""

from collections.abc import Iterable, Mapping

import orjson

from app.accounts.identity import Identity
from app.rooms.event_views import encode_event
from app.rooms.events import RoomEvent
from app.rooms.messages import PROTOCOL, EmoteMessage, Holding, Malformed, SayMessage
from app.rooms.presence import Attendance
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import Room
from app.rooms.store import Stored
from app.rooms.views import changed_parts, state
from app.rules.plain import Plain


def encode(plain: Plain) -> str:
    """A plain value as compact JSON."""
    return orjson.dumps(plain).decode()


def welcome(stored: Stored, identity: Identity, now: int) -> str:
    """A snapshot for one player. `now`: the server's clock, which deadlines are told by."""
    return encode(
        {
            "type": "welcome",
            "protocol": PROTOCOL,
            "epoch": stored.epoch,
            "version": stored.version,
            "now": now,
            "you": {"player": identity.player, "name": identity.name},
            "state": state(stored.room),
        }
    )


def shown(happened: Iterable[RoomEvent]) -> list[bytes]:
    """What happened, as `update` and the log of a game tell of it."""
    return [encode_event(one) for one in happened]


def update(before: Stored, after: Room, events: Iterable[bytes], at: int) -> bytes:
    """The step from a stored room to the next version, for everybody. `events`: what happened, as `shown`."""
    return orjson.dumps(
        {
            "type": "update",
            "version": before.version + 1,
            "at": at,
            "events": [orjson.Fragment(one) for one in events],
            **changed_parts(before.room, after),
        }
    )


def ok(request: str, version: int) -> str:
    """The command was committed as that version. A request id needs no escaping: see `messages`."""
    return f'{{"type":"ok","request":"{request}","version":{version}}}'


def refused(request: str | None, refusal: RoomRefusal) -> str:
    """The command changed nothing."""
    plain: Plain = {
        "type": "refused",
        "request": request,
        "code": refusal.code.value,
        "sentence": refusal.sentence,
        "retry": refusal.retry,
    }
    return encode(plain | {"detail": refusal.detail} if refusal.detail else plain)


def malformed(error: Malformed) -> str:
    """What came was not a message."""
    return refused(None, RoomRefusal(RefusalCode.MALFORMED, str(error), {"field": error.field}))


def holding(message: Holding) -> str:
    """Another player moves his holds."""
    return encode(message.model_dump())


def presence(names: Mapping[str, str], attendance: Attendance) -> str:
    """Who is at the table. `names` of the players with a seat, by player."""
    players = [
        {"player": player, "name": names[player], "state": state.value}
        for player, state in attendance.players.items()
    ]
    return encode({"type": "presence", "players": players, "spectators": attendance.spectators})


def said(message: SayMessage, identity: Identity, at: int) -> str:
    """What a player says to the table."""
    by = {"player": identity.player, "name": identity.name}
    return encode({"type": "said", "request": message.request, **by, "text": message.text, "at": at})


def emoted(message: EmoteMessage, identity: Identity, at: int) -> str:
    """What a player shows the table without words."""
    by = {"player": identity.player, "name": identity.name}
    return encode(
        {"type": "emoted", "request": message.request, **by, "emote": message.emote.value, "at": at}
    )


PRESENCE_HINT = "presence"
"""Passed on between workers instead of a message: who sits or looks on at a table has changed."""


def presence_hint(worker: str = "") -> bytes:
    """The hint to every worker but that one."""
    return relayed(worker, PRESENCE_HINT)


def relayed(player: str, message: str) -> bytes:
    """A passing message for every worker's viewers but those of the player himself; "" for really all."""
    return f"{player}\n{message}".encode()


def read_relayed(encoded: bytes) -> tuple[str, str]:
    """The player and the message that `relayed` put together."""
    player, _, message = encoded.decode().partition("\n")
    return player, message


def notice(code: str) -> str:
    """Something about the server."""
    return encode({"type": "notice", "code": code})


def pong(version: int) -> str:
    """The room's version."""
    return encode({"type": "pong", "version": version})
