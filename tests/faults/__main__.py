"""The command line of the long run: `python3 dev.py faults [--seed N] [--seconds S] …`."""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Sequence

from tests.faults.catching import BUILDS, catch
from tests.faults.faults import SERVER_FAULTS, Severity
from tests.faults.hostile.main import main as hostile
from tests.faults.options import seconds_between
from tests.faults.run import Outcome, Plan, run_faults
from tests.faults.site import two_workers

_HOSTILE = "--hostile"


def main(arguments: list[str] | None = None) -> int:
    """Run, print what was done and found; 1 when something was found."""
    asked = sys.argv[1:] if arguments is None else arguments
    if _HOSTILE in asked:
        return hostile([one for one in asked if one != _HOSTILE])
    given = _parser().parse_args(asked)
    if given.broken is not None:
        return asyncio.run(_catch(given.broken or list(BUILDS), given.seed))
    print(f"seed {given.seed}: {given.seconds:g} s of faults at {given.tables} tables", flush=True)
    plan = Plan(
        seed=given.seed,
        seconds=given.seconds,
        tables=given.tables,
        severity=Severity(),
        server_faults={name: SERVER_FAULTS[name] for name in given.only or SERVER_FAULTS},
    )
    started = time.monotonic()
    with two_workers() as site:
        outcome = asyncio.run(
            run_faults(
                site, plan, lambda name: print(f"{time.monotonic() - started:6.1f} s  {name}", flush=True)
            )
        )
    _show(outcome)
    return 1 if outcome.found else 0


async def _catch(names: Sequence[str], seed: int) -> int:
    """Try builds that are broken on purpose; 1 when the faults of any aren't found in its time."""
    missed = 0
    for name in names:
        caught = await catch(name, seed)
        missed += not caught.sentence
        said = caught.sentence or f"of {BUILDS[name].seconds:g} s; said was {caught.found}"
        print(
            f"{'found' if caught.sentence else 'MISSED'}  {caught.seconds:5g} s  {name}: {said}", flush=True
        )
    print(f"{len(names) - missed} of {len(names)} broken builds found")
    return 1 if missed else 0


def _show(outcome: Outcome) -> None:
    for name, count in outcome.counts.items():
        print(f"{count:8}  {name}")
    for fault in outcome.found:
        print(f"FAULT: {fault}")
    print(f"{len(outcome.found)} faults found" if outcome.found else "nothing lost, nothing doubled")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dev.py faults", description="Let things go wrong under play, and prove that nothing is lost."
    )
    parser.add_argument(
        "--seed", type=int, default=random.SystemRandom().randrange(10**6), help="repeat a run"
    )
    parser.add_argument(
        "--seconds",
        type=seconds_between(1, 86400),
        default=300.0,
        help="how long faults strike (%(default)g)",
    )
    parser.add_argument(
        "--tables", type=int, choices=range(1, 33), default=6, metavar="1-32", help="how many tables"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=SERVER_FAULTS,
        metavar="FAULT",
        help=f"of the servers: {', '.join(SERVER_FAULTS)}",
    )
    parser.add_argument(
        _HOSTILE,
        action="store_true",
        help="another run: strangers attack while people play (it has options of its own: --hostile --help)",
    )
    parser.add_argument(
        "--broken",
        nargs="*",
        choices=BUILDS,
        metavar="BUILD",
        help=f"try builds that are broken on purpose, all or some of: {', '.join(BUILDS)}",
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
