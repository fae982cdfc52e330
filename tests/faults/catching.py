"""Which broken builds a run has to find, by which faults, and within how many seconds of them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from tests.faults.broken import BrokenServer, BrokenWorker
from tests.faults.faults import LINE_FAULTS, SERVER_FAULTS, Severity
from tests.faults.run import Plan, run_faults
from tests.faults.site import Site, one_worker, two_workers

LOST = ("is lost", "went back", "another version", "something else", "had been seen", "has lost it")
UNTRUE = ("was done twice", "acknowledged, and refused", "made by no command")
_BEHIND = ("never got beyond", "not everybody came to the same version")
_UNRECORDED = ("was never recorded", "is not recorded")
_PATIENCE = 3.0
_SEVERITY = Severity(database_away=4)


def alone(name: str) -> AbstractContextManager[Site]:
    """One worker of that build that keeps everything by itself."""
    return one_worker(BrokenServer(name))


def shared(name: str, redis_syncs: str = "always") -> AbstractContextManager[Site]:
    """Two workers of that build over Redis and PostgreSQL."""
    return two_workers(make_worker=partial(BrokenWorker, name), redis_syncs=redis_syncs)


@dataclass(frozen=True, slots=True)
class Build:
    """A build that is broken in one way, and is found when one of the `sentences` is said of it.

    `seconds`: within so many seconds of faults, in runs of `at_once` seconds, each with a seed of its own. In
    `ending` seconds after each, games may be played to their end. `store`: its name in `broken`.
    """

    sentences: Sequence[str]
    server_faults: Sequence[str] = ()
    line_faults: Sequence[str] = ()
    seconds: float = 9
    at_once: float = 3
    ending: float = 0
    site: Callable[[str], AbstractContextManager[Site]] = alone
    store: str = ""


class Caught(NamedTuple):
    """What was said that is proof, "" when nothing was; after how many seconds; and all that was said."""

    sentence: str
    seconds: float
    found: Sequence[str]


CRASH = ("machine crashed",)
KILL = ("worker killed",)
BUILDS: Mapping[str, Build] = {
    "acknowledges-first": Build(LOST, KILL),
    "never-syncs": Build(LOST, CRASH, seconds=20, at_once=5),
    "redis-never-syncs": Build(
        LOST, CRASH, seconds=30, at_once=6, site=partial(shared, redis_syncs="no"), store="whole"
    ),
    "keeps-the-epoch": Build(
        ("went back",), CRASH, seconds=30, at_once=6, site=partial(shared, redis_syncs="everysec")
    ),
    "forgets-requests": Build(UNTRUE, line_faults=("client cut before the answer",)),
    "refuses-what-it-did": Build(UNTRUE),
    "publishes-first": Build(LOST, KILL),
    "skips-updates": Build(_BEHIND),
    "changes-updates": Build(("another version",)),
    "drops-events": Build(("is not in its log",)),
    "never-records": Build(_UNRECORDED, seconds=30, at_once=10, ending=20),
    "loses-the-outbox": Build(
        _UNRECORDED, ("database stopped",), seconds=100, at_once=20, ending=10, site=shared
    ),
    "tells-the-key": Build(("was shown the key",), seconds=40, at_once=8),
    "tells-the-secret": Build(("was shown the secret",)),
    "tells-the-next-roll": Build(("was shown the faces",)),
}


async def catch(name: str, seed: int) -> Caught:
    """Run a build under its faults until it is found, or its time is over."""
    build, struck, found = BUILDS[name], 0.0, list[str]()
    while struck < build.seconds:
        found = await strike(name, seed)
        struck, seed = struck + build.at_once, seed + 1
        for one in found:
            if any(sentence in one for sentence in build.sentences):
                return Caught(one, struck, found)
    return Caught("", struck, found)


async def strike(name: str, seed: int) -> list[str]:
    """What is found in one run of a build, at two tables of two."""
    build = BUILDS[name]
    plan = Plan(
        seed=seed,
        seconds=build.at_once,
        ending=build.ending,
        patience=_PATIENCE,
        tables=2,
        seats=2,
        severity=_SEVERITY,
        server_faults={fault: SERVER_FAULTS[fault] for fault in build.server_faults},
        line_faults={fault: LINE_FAULTS[fault] for fault in build.line_faults},
    )
    with build.site(build.store or name) as site:
        return (await run_faults(site, plan)).found
