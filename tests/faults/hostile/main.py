"""The command line: `python3 dev.py faults --hostile [--only NAME …] [--seconds S] …`."""

import argparse
import random
import time

from tests.faults.hostile import report
from tests.faults.hostile.attacks import ATTACKS, Way
from tests.faults.hostile.program import NICE
from tests.faults.hostile.run import Judged, Plan, run_hostile
from tests.faults.hostile.verdict import Bounds
from tests.faults.options import seconds_between


def main(arguments: list[str]) -> int:
    """Attack, print what people felt; 1 when something didn't hold."""
    given = _parser().parse_args(arguments)
    plan = Plan(
        seed=given.seed,
        seconds=given.seconds,
        names=given.only or tuple(ATTACKS),
        ways=given.ways or tuple(Way),
    )
    print(_begin(plan), report.head(), sep="\n", flush=True)
    judged: list[Judged] = []

    def tell(one: Judged) -> None:
        judged.append(one)
        print(report.row(one), flush=True)

    started = time.monotonic()
    others = run_hostile(plan, tell)
    found = list(report.faults(judged, others))
    print(*found, sep="\n")
    held = sum(not one.found for one in judged)
    print(f"{held} of {len(judged)} attacks held off, in {time.monotonic() - started:.0f} s")
    return 1 if found or not judged else 0


def _begin(plan: Plan) -> str:
    bounds: Bounds = plan.bounds
    return (
        f"seed {plan.seed}: attacks of {plan.seconds:g} s on people at {plan.tables} tables, "
        f"attackers with nice {NICE}\n"
        f"held: p99 of act to ok below {bounds.ratio:g} times the quiet one or {bounds.floor:g} ms; nobody "
        f"disconnected; memory back within {bounds.memory_left:g} MiB, files within {bounds.files_left}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dev.py faults --hostile",
        description="Attack a server under play, and measure what people feel.",
    )
    parser.add_argument(
        "--seed", type=int, default=random.SystemRandom().randrange(10**6), help="repeat a run"
    )
    parser.add_argument(
        "--seconds", type=seconds_between(0.5, 60), default=5.0, help="how long an attack lasts (%(default)g)"
    )
    parser.add_argument("--only", nargs="+", choices=ATTACKS, metavar="NAME", help=", ".join(ATTACKS))
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--direct",
        dest="ways",
        action="store_const",
        const=(Way.DIRECT, Way.FEW),
        help="without the proxy only",
    )
    ways.add_argument("--proxy", dest="ways", action="store_const", const=(Way.PROXY,), help="with it only")
    return parser
