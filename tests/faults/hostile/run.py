"""A hostile run: people play, strangers attack one way after the other, and each time is measured."""

import asyncio
import json
import os
import random
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpx

from tests.faults.hostile.attacks import ATTACKS, Attack, Way
from tests.faults.hostile.ground import Ground, UsualServer, open_ground
from tests.faults.hostile.measures import Peak, Taken, Waits, taken_by, waits_between
from tests.faults.hostile.people import Newcomers, People, client_at, invite
from tests.faults.hostile.routes import unlisted
from tests.faults.hostile.tally import Tally
from tests.faults.hostile.target import Target
from tests.faults.hostile.verdict import Bounds, Case, find, is_late
from tests.servers import ROOT

_OWNER, _OWNERS_PASSWORD, _OWNERS_ADDRESS = "owner", "what the owner knows", "127.0.0.9"
_PREPARE_SECONDS = 45.0
_GRACE_SECONDS = 40.0
_SETTLE_SECONDS = 20.0
_SETTLE_LOOK_SECONDS = 0.25
_WARM_UP_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run does. `seconds`: how long an attack lasts; `quiet`: how long is measured between two.

    `share`: of the usual number of connections. `env`: settings of the server, `serve`: its kind. `again`:
    how often an attack is made again after which only people's waiting was too long.
    """

    seed: int
    names: Sequence[str] = tuple(ATTACKS)
    ways: Sequence[Way] = tuple(Way)
    seconds: float = 5.0
    quiet: float = 1.5
    share: float = 1.0
    tables: int = 10
    again: int = 1
    bounds: Bounds = field(default_factory=Bounds)
    env: Mapping[str, str] = field(default_factory=dict)
    serve: type[UsualServer] = UsualServer


@dataclass(frozen=True, slots=True)
class Judged:
    """An attack as it went, and what did not hold."""

    case: Case
    found: Sequence[str]
    times: int = 1


Tell = Callable[[Judged], None]


def run_hostile(plan: Plan, tell: Tell) -> list[str]:
    """Attack by every way. `tell` hears of each attack when it is over. Gives what was found beside those."""
    found: list[str] = []
    for way in plan.ways:
        names = [name for name in plan.names if way in ATTACKS[name].ways]
        if names:
            with open_ground(way, plan.seed, plan.env, serve=plan.serve) as ground:
                found += asyncio.run(Siege(plan, ground).attack_all(names, tell))
    return found


class Siege:
    """All attacks on one ground, under one set of people."""

    def __init__(self, plan: Plan, ground: Ground) -> None:
        self._plan = plan
        self._ground = ground
        self._people: People = invite(plan.seed, plan.tables)
        self._chance = random.Random(plan.seed)
        self._networks = self._all_networks()
        self._attacked_at = 0.0

    async def attack_all(self, names: Sequence[str], tell: Tell) -> list[str]:
        """Attack by each name in turn. What was found beside the attacks, a line each."""
        found = await self._unlisted_routes()
        await self._register_owner()
        await self._people.sit_down(self._ground.base_url)
        async with _running(self._people.play(self._ground.port)):
            await asyncio.sleep(_WARM_UP_SECONDS)
            quiet = await self._be_quiet()
            for name in names:
                quiet = await self._attack(name, quiet, tell)
        return found

    async def _attack(self, name: str, quiet: Waits, tell: Tell) -> Waits:
        """Attack, once more where that may be the machine's; the quiet after it."""
        for times in range(1, self._plan.again + 2):
            case, quiet = await self._attack_once(name, quiet)
            found = find(case, self._plan.bounds)
            if times > self._plan.again or len(found) != 1 or not is_late(case, self._plan.bounds):
                tell(Judged(case, found, times))
                break
        return quiet

    async def _attack_once(self, name: str, quiet: Waits) -> tuple[Case, Waits]:
        attack = ATTACKS[name]
        felt, server = self._people.felt, self._ground.server
        troubles: list[str] = []
        printed = server.log.stat().st_size
        async with _attacker(self._target(name, attack)) as attacker:
            await _ready(attacker, troubles)
            before = taken_by(server.pid, server.log)
            peak, started = Peak(server.pid, server.log), time.monotonic()
            newcomers = Newcomers(self._ground.base_url)
            async with _running(peak.watch()), _running(newcomers.come()):
                tally = await _strike(attacker, self._seconds(attack), troubles)
        ended = time.monotonic()
        after = await self._settle(before, troubles)
        troubles += await self._look_after(attack, printed)
        during = waits_between(felt, started, ended)
        calm = await self._be_quiet()
        case = Case(
            name=name,
            way=self._ground.way.value,
            attack=attack,
            quiet=quiet + calm,
            during=during,
            before=before,
            peak=peak.memory,
            after=after,
            tally=tally,
            newcomers=newcomers.tried,
            let_in=newcomers.let_in,
            ends=[how for at, how in felt.ends if at >= started],
            refusals=[why for at, why in felt.refusals if at >= started],
            troubles=troubles,
        )
        return case, calm

    async def _be_quiet(self) -> Waits:
        """How long people wait while nobody attacks."""
        started = time.monotonic()
        await asyncio.sleep(self._plan.quiet)
        ended = time.monotonic()
        await asyncio.sleep(0.1)  # for the last answers
        return waits_between(self._people.felt, started, ended)

    async def _settle(self, before: Taken, troubles: list[str]) -> Taken:
        """Wait until the server is as it was, for no longer than some seconds; what it takes then."""
        server, bounds = self._ground.server, self._plan.bounds
        end = time.monotonic() + _SETTLE_SECONDS
        while True:
            is_ready = await asyncio.to_thread(self._ground.is_ready)
            now = taken_by(server.pid, server.log)
            is_back = (
                now.memory - before.memory <= bounds.memory_left
                and now.files - before.files <= bounds.files_left
            )
            if (is_ready and is_back and not self._people.felt.is_waiting) or time.monotonic() >= end:
                break
            await asyncio.sleep(_SETTLE_LOOK_SECONDS)
        if not is_ready:
            troubles.append(f"the server wasn't ready {_SETTLE_SECONDS:.0f} s later")
        return now

    async def _look_after(self, attack: Attack, printed: int) -> list[str]:
        """What the log says since then, and whether the owner of an account that was attacked gets in."""
        found = []
        text = self._ground.server.log.read_bytes()[printed:].decode(errors="replace")
        if "Traceback" in text:
            last = text[text.index("Traceback") :].splitlines()
            reason = next((line for line in last[1:] if line and not line.startswith(" ")), last[0])
            found.append(f"{text.count('Traceback')} tracebacks in the log, such as {reason[:100]}")
        if attack.spares and (status := await self._sign_in_as_owner()) != httpx.codes.OK:
            found.append(f"the account's owner was answered {status} afterwards")
        return found

    async def _unlisted_routes(self) -> list[str]:
        async with client_at(self._ground.base_url, _OWNERS_ADDRESS) as http:
            return unlisted((await http.get("/api/openapi.json")).json()["paths"])

    async def _register_owner(self) -> None:
        async with client_at(self._ground.base_url, _OWNERS_ADDRESS) as http:
            wanted = {"user_name": _OWNER, "password": _OWNERS_PASSWORD}
            (await http.post("/api/accounts", json=wanted)).raise_for_status()

    async def _sign_in_as_owner(self) -> int:
        async with client_at(self._ground.base_url, _OWNERS_ADDRESS) as http:
            given = {"user_name": _OWNER, "password": _OWNERS_PASSWORD}
            return (await http.post("/api/sessions", json=given)).status_code

    def _target(self, name: str, attack: Attack) -> Target:
        """Each attack comes from addresses of its own: none bears what an earlier one has used up."""
        network = next(self._networks)
        return Target(
            attack=name,
            port=self._ground.port,
            source=f"{network}250",
            network=network,
            seconds=self._seconds(attack),
            seed=self._chance.randrange(10**6),
            share=self._plan.share,
            tables=self._people.codes,
            game=self._ground.books.game,
            player=self._ground.books.player,
            user_name=_OWNER,
        )

    def _seconds(self, attack: Attack) -> float:
        return max(self._plan.seconds * attack.share, attack.seconds)

    def _all_networks(self) -> Iterator[str]:
        yield from (f"127.{first}.{second}." for first in range(1, 100) for second in range(1, 250))


@asynccontextmanager
async def _running(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Some work beside the block, cancelled at its end; where it broke down the block does too."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        if task.done():
            task.result()
        task.cancel()
        await asyncio.wait([task])


@asynccontextmanager
async def _attacker(target: Target) -> AsyncIterator[Process]:
    """The program of an attack, ended with the block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.faults.hostile.program",
        target.line(),
        cwd=ROOT,
        env=dict(os.environ) | {"PYTHONPATH": str(ROOT)},
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _ready(attacker: Process, troubles: list[str]) -> None:
    assert attacker.stdout
    assert attacker.stderr
    with suppress(TimeoutError):
        async with asyncio.timeout(_PREPARE_SECONDS):
            if await attacker.stdout.readline():
                return
            troubles.append(f"the attack broke down: {(await attacker.stderr.read()).decode()[-300:]}")
            return
    troubles.append("the attack could not be prepared")


async def _strike(attacker: Process, seconds: float, troubles: list[str]) -> Tally | None:
    if troubles:
        return None
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds + _GRACE_SECONDS):
            said, complaints = await attacker.communicate(b"go\n")
            if attacker.returncode == 0:
                return Tally.from_plain(json.loads(said.splitlines()[-1]))
            troubles.append(f"the attack broke down: {complaints.decode()[-300:]}")
            return None
    troubles.append("the attack did not come to its end")
    return None
