"""An attacker as a program of its own: it must not slow down those who measure.

usage: python -m tests.faults.hostile.program TARGET
TARGET is a line of `Target`. It prints a line when it is ready, waits for one, attacks, and prints its tally.
"""

import asyncio
import json
import os
import sys

from tests.faults.hostile.attacker import Attacker
from tests.faults.hostile.attacks import ATTACKS
from tests.faults.hostile.target import Target

NICE = 10
"""Attackers share the cores with the server: on the internet they would have cores of their own."""


def main(line: str) -> None:
    """Attack once."""
    os.nice(NICE)
    attacker = Attacker(Target.read(line))
    asyncio.run(ATTACKS[attacker.target.attack].strike(attacker))
    print(json.dumps(attacker.tally.plain()), flush=True)  # noqa: T201 - to whoever started this


if __name__ == "__main__":
    main(sys.argv[1])
