"""What has to hold after an attack, and whether it did. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.faults.hostile.attacks import Attack
from tests.faults.hostile.measures import Taken, Waits, percentile
from tests.faults.hostile.tally import Tally

_P99 = 0.99


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much people may feel. `ratio`: times the quiet p99. `floor`: milliseconds that nobody notices.

    `memory_left`, `files_left`: MiB and open files more than before, some seconds after the attack.
    `log`: MiB that an attack may write to the log.
    """

    ratio: float = 3.0
    floor: float = 50.0
    memory_left: float = 32.0
    files_left: int = 24
    log: float = 4.0


@dataclass(frozen=True, slots=True)
class Case:
    """An attack as it went. `before`, `after`: what the process took; `troubles`: what else was seen.

    `newcomers`: people who came meanwhile, each on a new connection; of them `let_in` were answered.
    """

    name: str
    way: str
    attack: Attack
    quiet: Waits
    during: Waits
    before: Taken
    peak: float
    after: Taken
    tally: Tally | None
    newcomers: int = 0
    let_in: int = 0
    ends: Sequence[str] = ()
    refusals: Sequence[str] = ()
    troubles: Sequence[str] = field(default_factory=tuple)

    @property
    def quiet_p99(self) -> float:
        """Milliseconds from act to ok, before and after."""
        return percentile(self.quiet.answers, _P99)

    @property
    def p99(self) -> float:
        """Milliseconds from act to ok while it lasted."""
        return percentile(self.during.answers, _P99)

    @property
    def ratio(self) -> float:
        """How many times longer people waited."""
        return self.p99 / self.quiet_p99 if self.quiet_p99 else float("inf")


def is_late(case: Case, bounds: Bounds) -> bool:
    """Whether people waited for too long: the one finding that a busy machine may bring about, too."""
    return case.p99 > max(bounds.floor, bounds.ratio * case.quiet_p99)


def find(case: Case, bounds: Bounds) -> list[str]:
    """What did not hold, a sentence each."""
    return [
        *_of_people(case, bounds),
        *_of_the_server(case, bounds),
        *_of_the_attack(case),
        *case.troubles,
    ]


def _of_people(case: Case, bounds: Bounds) -> Iterator[str]:
    if not case.during.answers:
        yield "nobody could act"
    elif is_late(case, bounds):
        most = max(bounds.floor, bounds.ratio * case.quiet_p99)
        yield f"people waited {case.p99:.0f} ms (p99) for an answer, the bound is {most:.0f}"
    if case.ends:
        yield f"{len(case.ends)} people were disconnected, such as {case.ends[0]}"
    if case.let_in * 2 < case.newcomers:
        yield f"{case.let_in} of {case.newcomers} newcomers were let in"
    if case.refusals:
        yield f"{len(case.refusals)} commands of people were refused, such as {case.refusals[0]}"


def _of_the_server(case: Case, bounds: Bounds) -> Iterator[str]:
    grown = case.peak - case.before.memory
    left = case.after.memory - case.before.memory
    if grown > case.attack.memory:
        yield f"it took {grown:.0f} MiB, the bound is {case.attack.memory}"
    if left > bounds.memory_left:
        yield f"it left {left:.0f} MiB taken, the bound is {bounds.memory_left:.0f}"
    if case.after.files - case.before.files > bounds.files_left:
        yield f"it left {case.after.files - case.before.files} files open, the bound is {bounds.files_left}"
    if case.after.log - case.before.log > bounds.log:
        yield f"it wrote {case.after.log - case.before.log:.1f} MiB of log, the bound is {bounds.log:.0f}"


def _of_the_attack(case: Case) -> Iterator[str]:
    tally = case.tally
    if tally is None:
        return
    if _events(tally) < case.attack.least:
        yield f"the attack did nothing: {tally.sent} bytes, {tally.opened} connections"
    elif not case.attack.fate.is_met(tally):
        yield f"the attack was not {case.attack.fate.words}: {tally.refusals()}"
    if tally.statuses["500"]:
        yield f"{tally.statuses['500']} requests were answered 500"


def _events(tally: Tally) -> int:
    return tally.opened + tally.not_opened + tally.answered + tally.said.total()
