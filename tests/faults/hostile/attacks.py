"""The attacks as a table: what each does, and what has to become of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from tests.faults.hostile import heads, routes, sockets
from tests.faults.hostile.frames import CLOSE, CONTINUATION, PING, PONG, TEXT, frame
from tests.faults.hostile.sockets import Strike
from tests.faults.hostile.tally import Tally

ROUTE_SHARE = 0.3
"""Of the time of an attack: there are many routes."""
_SIGNING_IN_SHARE = 1.0  # of that, where each answer takes a part of a second


class Way(Enum):
    """How players and attackers reach the server."""

    DIRECT = "direct"
    PROXY = "proxy"
    FEW = "few"
    """Directly, and the server may open few files."""


BOTH = (Way.DIRECT, Way.PROXY)


@dataclass(frozen=True, slots=True)
class Fate:
    """What has to become of an attack, in words and as a question to its tally."""

    words: str
    is_met: Callable[[Tally], bool]


def _ends_of(tally: Tally, stage: str) -> int:
    return sum(times for how, times in tally.ends.items() if how.startswith(stage))


def _is_refused(tally: Tally) -> bool:
    return any(status[0] == "4" for status in tally.statuses)


def _is_turned_away(tally: Tally) -> bool:
    """Whether something was said other than that there is no such room."""
    told = {how for how in tally.ends if how not in {"4404", "cut"}}
    return bool(told) or bool(tally.statuses["429"]) or tally.not_opened > 0


ENDED = Fate("ended", lambda tally: bool(tally.ends))
STAGES = Fate(
    "ended at every stage",
    lambda tally: all(_ends_of(tally, stage) for stage in ("stranger", "before hello", "seated")),
)
CUT_OFF = Fate("refused or ended", lambda tally: bool(tally.ends) or _is_refused(tally))
LIMITED = Fate("answered 429", lambda tally: bool(tally.statuses["429"]))
TURNED_AWAY = Fate("limited, not only answered", _is_turned_away)
TOLD_TOO_MANY = Fate("kept to its budget or less", lambda tally: bool(tally.said["ok"]))
ANSWERED = Fate("answered", lambda tally: tally.answered > 0)
BORNE = Fate("borne", lambda _: True)


@dataclass(frozen=True, slots=True)
class Attack:
    """One line of the table.

    `share`: of the usual time; `seconds`: no less than so many. `least`: so many connections, answers or
    messages it has to bring about, else it has done nothing. `memory`: so many MiB more than before it may
    cost while it lasts. `spares`: it uses the name of somebody's account, and that person has to get in
    afterwards.
    """

    what: str
    strike: Strike
    fate: Fate
    ways: tuple[Way, ...] = BOTH
    share: float = 1.0
    seconds: float = 0.0
    least: int = 1
    memory: int = 64
    spares: bool = False


def _flood(what: str, piece: bytes, first: bytes = b"", ways: tuple[Way, ...] = BOTH) -> Attack:
    return Attack(what, sockets.flood(piece, first), STAGES, ways, least=3)


def _endless(what: str, part: tuple[bytes, bytes], ways: tuple[Way, ...] = (Way.DIRECT,)) -> Attack:
    return Attack(what, heads.endless(*part), CUT_OFF, ways)


def _half(what: str, beginning: bytes, *, how_many: int = 2500) -> Attack:
    return Attack(
        what, heads.half(beginning, how_many), CUT_OFF, (Way.DIRECT,), seconds=_HEAD_SECONDS, least=100
    )


_BEGUN = frame(TEXT, b"a", is_last=False)
_HEAD_SECONDS = 13  # a little longer than a server waits for the rest of a head
_SIGNING_IN_MIB = 192  # two hashes at once take 64 each

_SOCKETS: Mapping[str, Attack] = {
    "pings": _flood("pings as fast as they go", frame(PING, b"x")),
    "pongs": _flood("pongs as fast as they go", frame(PONG)),
    "closes": _flood("the socket's end said again and again", frame(CLOSE, b"\x03\xe8"), ways=(Way.DIRECT,)),
    "empty fragments": _flood("a text of empty fragments", frame(CONTINUATION, is_last=False), _BEGUN),
    "tiny fragments": _flood(
        "a text of fragments of one byte", frame(CONTINUATION, b"a", is_last=False), _BEGUN, (Way.DIRECT,)
    ),
    "unfinished text": Attack(
        "a text that never comes to its end", sockets.unfinished_text(), STAGES, (Way.DIRECT,), least=3
    ),
    "oversized frames": Attack(
        "frames of 2^62 bytes and of 60,000", sockets.oversized(), ENDED, (Way.DIRECT,)
    ),
    "old versions": Attack(
        "ping with version 0: told everything again", sockets.said(b'{"type":"ping","version":0}'), ENDED
    ),
    "malformed texts": Attack("texts that are no messages", sockets.said(b"{"), ENDED, (Way.DIRECT,)),
    "commands": Attack(
        "what six sockets may ask for, all the time", sockets.commands_at_the_limit, TOLD_TOO_MANY, least=50
    ),
    "slow readers": Attack(
        "300 sockets at the ten tables that never read", sockets.slow_readers, BORNE, least=20, memory=128
    ),
    "guessed sockets": Attack(
        "codes of rooms guessed by sockets", sockets.guess_rooms, TURNED_AWAY, least=20
    ),
    "no hello": Attack(
        "600 sockets that say nothing", sockets.never_hello, ENDED, (Way.DIRECT,), seconds=8, least=20
    ),
    "comers and goers": Attack(
        "hello and away, as fast as it goes", sockets.come_and_go, BORNE, (Way.DIRECT,), least=20
    ),
    "handshakes": Attack(
        "handshakes without a session, and away", sockets.shake_hands_and_go, BORNE, least=20
    ),
}
_HEADS: Mapping[str, Attack] = {
    "endless headers": _endless("a head of ever more headers", heads.HEADERS, BOTH),
    "endless header value": _endless("a header without end", heads.HEADER_VALUE),
    "endless header name": _endless("a header's name without end", heads.HEADER_NAME),
    "endless address": _endless("an address without end", heads.ADDRESS, BOTH),
    "endless query": _endless("a query without end", heads.QUERY),
    "endless method": _endless("a method without end", heads.METHOD),
    "endless trailers": _endless("trailers without end", heads.TRAILERS),
    "endless extensions": _endless("a chunk's extension without end", heads.EXTENSIONS),
    "endless lines": _endless("empty lines before a request", heads.WHITESPACE),
    "endless spaces": _endless("spaces before a header's value", heads.SPACES),
    "endless body": _endless("a body in chunks without end", heads.BODY, BOTH),
    "tiny chunks": _endless("a body in chunks of one byte", heads.TINY_PARTS),
    "said body": _endless("a body that is said to be huge", heads.SAID_BODY),
    "endless handshake": _endless("a handshake of ever more headers", heads.HANDSHAKE, BOTH),
    "silent connections": _half("2,500 connections that say nothing", heads.NOTHING),
    "half requests": _half("2,500 half requests", heads.HALF_REQUEST),
    "half bodies": _half("2,500 requests with half a body", heads.HALF_BODY),
    "half handshakes": _half("2,500 half handshakes", heads.HALF_HANDSHAKE),
    "dripping heads": Attack(
        "200 heads, a header a second", heads.dripping(*heads.HEADERS), CUT_OFF, (Way.DIRECT,),
        seconds=_HEAD_SECONDS, least=20,
    ),
    "connections": Attack("connections made and left at once", heads.connect_and_go, BORNE, least=50),
    "files used up": Attack(
        "more connections than the server may open files", heads.half(heads.HALF_REQUEST, 600), CUT_OFF,
        (Way.FEW,), seconds=_HEAD_SECONDS, least=50,
    ),
    "sockets used up": Attack(
        "more sockets than the server may open files", heads.half(heads.HALF_HANDSHAKE, 600), CUT_OFF,
        (Way.FEW,), seconds=_HEAD_SECONDS, least=50,
    ),
}  # fmt: skip
_REST: Mapping[str, Attack] = {
    "slow requests": Attack(
        "200 connections that ask for much and never read", routes.slow_rest_readers, BORNE,
        least=20, memory=128,
    ),
    "guessed rooms": Attack("codes of rooms guessed by requests", routes.guess_rooms, LIMITED, least=20),
    "wrong passwords": Attack(
        "wrong passwords of somebody's account", routes.signing_in(routes.WRONG_PASSWORD, is_own=False),
        LIMITED, least=10, memory=_SIGNING_IN_MIB, spares=True,
    ),
    "wrong passwords of many": Attack(
        "the same from 249 addresses", routes.signing_in(routes.WRONG_PASSWORD, is_own=False, stations=True),
        BORNE, (Way.DIRECT,), least=10, memory=_SIGNING_IN_MIB, spares=True,
    ),
    "right passwords": Attack(
        "an account of its own signed in to again", routes.signing_in(routes.RIGHT_PASSWORD, is_own=True),
        ANSWERED, (Way.DIRECT,), least=5, memory=_SIGNING_IN_MIB,
    ),
    "guests and rooms": Attack(
        "guests, and a room of each", routes.make_rooms_of_many, ANSWERED, (Way.DIRECT,), least=20
    ),
}  # fmt: skip


def _of_route(route: routes.Route) -> Attack:
    """The fate of a route is to be answered: what it costs is felt by the players."""
    is_hashing = "account" in _needs(route)
    return Attack(
        f"{route[0]} {route[1]} as fast as it goes", routes.asking(route), ANSWERED, (Way.DIRECT,),
        share=_SIGNING_IN_SHARE if is_hashing else ROUTE_SHARE, least=5,
        memory=_SIGNING_IN_MIB if is_hashing else 64,
    )  # fmt: skip


def _needs(route: routes.Route) -> str:
    is_hashing = route in {("POST", "/api/accounts"), ("POST", "/api/sessions")}
    return "account" if is_hashing else (routes.ROUTES | routes.UNDESCRIBED)[route].needs


OF_ROUTES: Mapping[str, Attack] = {
    f"{method} {path}": _of_route((method, path)) for method, path in (*routes.ROUTES, *routes.UNDESCRIBED)
}
ATTACKS: Mapping[str, Attack] = {**_SOCKETS, **_HEADS, **_REST, **OF_ROUTES}
