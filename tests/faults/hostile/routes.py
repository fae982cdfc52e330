"""For each route of the OpenAPI description its most expensive request; a route without one fails the run."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from tests.faults.hostile.attacker import Attacker, Refused
from tests.faults.hostile.sockets import Strike, some_code
from tests.faults.hostile.wire import Wire

_AT_ONCE = 16
_PASSWORD = "four words or more"
_LONG_NAME = "Ж" * 24
_BOARD = "/api/leaderboards/classic-5x4"
_DICE = "1,2,3,4,5,6"

Route = tuple[str, str]
"""Method and path, as the description has them."""


@dataclass(frozen=True, slots=True)
class Known:
    """What an attacker found out and was given before it attacks."""

    attacker: Attacker
    cookie: str = ""
    account: str = ""
    user_name: str = ""
    cursor: str = ""

    @property
    def table(self) -> str:
        """A room where people play."""
        return self.attacker.target.tables[0]


@dataclass(frozen=True, slots=True)
class Ask:
    """A request, by what is known. `needs`: what of `Known` has to be there."""

    path: Callable[[Known], str]
    body: Callable[[Known], object] | None = None
    needs: str = ""


def _plain(path: str, needs: str = "") -> Ask:
    return Ask(lambda _: path, needs=needs)


def _at_table(part: str) -> Ask:
    return Ask(lambda known: f"/api/rooms/{known.table}{part}")


def _new_variant(known: Known) -> object:
    """The widest of sheets, with other bonuses each time: so it is a new one."""
    awards = sorted(known.attacker.chance.randint(1, 1000) for _ in range(20))
    steps = [{"at_least": number, "award": award} for number, award in enumerate(awards, start=60)]
    return _WIDEST | {"bonus_steps": steps}


_ROWS = ("ones", "twos", "threes", "fours", "fives", "sixes", "max", "min", "full", "poker", "yamb")
_COLUMNS = ("down", "free", "up", "hand", "final", "maximum")
_WIDEST = {
    "dice": 6,
    "rows": [
        *({"row": row} for row in _ROWS),
        {"row": "straight", "straight": {"by_roll": [66, 56, 46], "shortest": 5}},
    ],
    "columns": [
        *({"column": column} for column in _COLUMNS),
        {"column": "announced", "window": [1]},
        {"column": "notification", "reach": "next", "duty": "must"},
        {"column": "from_middle", "split": "max"},
        {"column": "ends_in", "split": "max"},
    ],
    "middle": {"formula": "times_ones", "floor": False},
}


ROUTES: dict[Route, Ask] = {
    ("POST", "/api/guests"): Ask(lambda _: "/api/guests", lambda _: {"name": _LONG_NAME}),
    ("GET", "/api/me"): _plain("/api/me", "cookie"),
    ("PATCH", "/api/me"): Ask(lambda _: "/api/me", lambda _: {"name": _LONG_NAME}, "cookie"),
    ("DELETE", "/api/me"): Ask(lambda _: "/api/me", lambda _: {"password": "wrong password"}, "account"),
    ("POST", "/api/accounts"): Ask(
        lambda _: "/api/accounts",
        lambda known: {"user_name": _new_name(known.attacker), "password": "ﷺ" * 256},
    ),
    ("POST", "/api/sessions"): Ask(
        lambda _: "/api/sessions",
        lambda known: {"user_name": known.user_name, "password": _PASSWORD},
        "account",
    ),
    ("DELETE", "/api/sessions"): _plain("/api/sessions", "cookie"),
    ("POST", "/api/accounts/recovery"): Ask(
        lambda _: "/api/accounts/recovery",
        lambda known: {
            "user_name": known.user_name,
            "recovery_code": "7K2M-9QXT-0RBA-W4HD-3NEV-Y8CP",
            "password": "ﷺ" * 256,
        },
        "account",
    ),
    ("DELETE", "/api/sessions/current"): _plain("/api/sessions/current", "cookie"),
    ("POST", "/api/me/recovery-code"): Ask(
        lambda _: "/api/me/recovery-code", lambda _: {"password": _PASSWORD}, "account"
    ),
    ("PUT", "/api/me/password"): Ask(
        lambda _: "/api/me/password",
        lambda _: {"password": _PASSWORD, "new_password": _PASSWORD},
        "account",
    ),
    ("GET", "/api/me/export"): _plain("/api/me/export", "account"),
    ("POST", "/api/rooms"): Ask(
        lambda _: "/api/rooms", lambda _: {"variant": "papir", "max_seats": 8}, "cookie"
    ),
    ("GET", "/api/rooms/{code}"): _at_table(""),
    ("GET", "/api/rooms/{code}/panel"): _at_table("/panel"),
    ("GET", "/api/rooms/{code}/values"): _at_table(f"/values?dice={quote(_DICE)}"),
    ("GET", "/api/rooms/{code}/replay"): _at_table("/replay"),
    ("GET", "/api/rooms/{code}/qr.svg"): _at_table("/qr.svg"),
    ("GET", "/api/leaderboards/{variant}"): Ask(
        lambda known: f"{_BOARD}?mode=players&limit=100&cursor={known.cursor}", needs="cursor"
    ),
    ("GET", "/api/games/{game}"): Ask(lambda known: f"/api/games/{known.attacker.target.game}"),
    ("GET", "/api/games/{game}/replay"): Ask(lambda known: f"/api/games/{known.attacker.target.game}/replay"),
    ("GET", "/api/players/{player}"): Ask(lambda known: f"/api/players/{known.attacker.target.player}"),
    ("GET", "/api/players/{player}/scores"): Ask(
        lambda known: f"/api/players/{known.attacker.target.player}/scores"
    ),
    ("GET", "/api/variants"): _plain("/api/variants"),
    ("POST", "/api/variants"): Ask(lambda _: "/api/variants", _new_variant, "cookie"),
    ("POST", "/api/variants/preview"): Ask(lambda _: "/api/variants/preview", _new_variant),
    ("GET", "/api/variants/{name}"): Ask(lambda known: f"/api/variants/{some_code(known.attacker)}"),
    ("GET", "/healthz"): _plain("/healthz"),
    ("GET", "/readyz"): _plain("/readyz"),
}
UNDESCRIBED: dict[Route, Ask] = {
    ("GET", "/api/openapi.json"): _plain("/api/openapi.json"),
    ("GET", "/api/asyncapi.json"): _plain("/api/asyncapi.json"),
    ("GET", "/api/protocol.schema.json"): _plain("/api/protocol.schema.json"),
    ("GET", "/metrics"): _plain("/metrics"),
    ("GET", "/"): _plain("/"),
    ("GET", "/rooms/{code}"): Ask(lambda known: f"/rooms/{known.table}"),
    ("GET", "/{nothing}"): Ask(lambda known: f"/{some_code(known.attacker)}/{some_code(known.attacker)}"),
}
"""What is answered too, and isn't in the description."""


def unlisted(described: Mapping[str, Mapping[str, object]]) -> list[str]:
    """What the paths of a description and the table don't have both."""
    there = {(method.upper(), path) for path, methods in described.items() for method in methods}
    missing = [
        f"the route {method} {path} has no attack: give it one" for method, path in there - set(ROUTES)
    ]
    gone = [f"the attack on {method} {path} has no route" for method, path in set(ROUTES) - there]
    return sorted(missing) + sorted(gone)


def asking(route: Route) -> Strike:
    """The most expensive request of a route as fast as it is answered, on several connections."""
    ask = (ROUTES | UNDESCRIBED)[route]

    async def strike(attacker: Attacker) -> None:
        known = await _find_out(attacker, ask.needs.split())
        attacker.begin()

        async def keep_asking() -> None:
            wire = await attacker.wire()
            try:
                while not attacker.is_over:
                    body = ask.body(known) if ask.body else None
                    await wire.send(
                        attacker.request(route[0], ask.path(known), body, known.account or known.cookie)
                    )
                    await wire.answer()
            finally:
                wire.close()

        await attacker.repeat(_AT_ONCE, keep_asking)

    return strike


async def slow_rest_readers(attacker: Attacker) -> None:
    """Connections that ask for much, many times, and don't read any of it."""
    attacker.begin()
    asked = b"".join(
        attacker.request("GET", path)
        for path in ("/api/openapi.json", f"{_BOARD}?limit=100", f"/api/games/{attacker.target.game}/replay")
    )

    async def stare() -> None:
        wire = await attacker.wire(receive=4096)
        await attacker.hold(wire, _ask_on(wire, asked))

    await attacker.repeat(attacker.many(200), stare)


async def _ask_on(wire: Wire, asked: bytes) -> None:
    while True:
        await wire.send(asked)


async def guess_rooms(attacker: Attacker) -> None:
    """Codes by chance, each looked up by a request."""
    attacker.begin()

    async def guess() -> None:
        wire = await attacker.wire()
        try:
            while not attacker.is_over:
                await wire.send(attacker.request("GET", f"/api/rooms/{some_code(attacker)}"))
                await wire.answer()
        finally:
            wire.close()

    await attacker.repeat(8, guess)


def signing_in(password: str, *, is_own: bool, stations: bool = False) -> Strike:
    """Passwords as fast as they are checked, of an account of its own or of somebody's who plays."""

    async def strike(attacker: Attacker) -> None:
        name = attacker.target.user_name
        if is_own:
            name = _new_name(attacker)
            await attacker.account(name, _PASSWORD)
        attacker.begin()

        async def sign_in() -> None:
            source = next(attacker.stations) if stations else None
            body = {"user_name": name, "password": password}
            await attacker.ask("POST", "/api/sessions", body, source=source)

        await attacker.repeat(_AT_ONCE, sign_in)

    return strike


async def make_rooms_of_many(attacker: Attacker) -> None:
    """Guests, and a room of each, as fast as they are made."""
    attacker.begin()

    async def make() -> None:
        try:
            await attacker.room(await attacker.guest())
        except Refused:
            return

    await attacker.repeat(8, make)


RIGHT_PASSWORD, WRONG_PASSWORD = _PASSWORD, "wrong password"


async def _find_out(attacker: Attacker, needs: list[str]) -> Known:
    cookie = await attacker.guest() if "cookie" in needs else ""
    name = _new_name(attacker) if "account" in needs else ""
    account = await attacker.account(name, _PASSWORD) if name else ""
    cursor = await _deep_cursor(attacker) if "cursor" in needs else ""
    return Known(attacker, cookie, account, name, cursor)


async def _deep_cursor(attacker: Attacker) -> str:
    answer = await attacker.ask("GET", f"{_BOARD}?mode=players&limit=100")
    return str(json.loads(answer.body)["next"])


def _new_name(attacker: Attacker) -> str:
    return "x" + "".join(attacker.chance.choices("abcdefghjk23456789", k=12))
