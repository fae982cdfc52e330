"""Half a minute of everything that can go wrong, over two workers, Redis and PostgreSQL."""

from app.rules.custom import custom_variant
from tests.faults.faults import Severity
from tests.faults.run import SHORT_GAMES, Plan, run_faults
from tests.faults.site import two_workers
from tests.faults.view import Message

SMALL: Message = {
    "dice": 5,
    "rows": [{"row": row} for row in ("ones", "sixes", "max", "min")],
    "columns": [{"column": "up"}, {"column": "announced"}],
}
PLAN = Plan(
    seed=20261,
    seconds=30,
    ending=10,
    variants=[SMALL],
    games=[{"variant": custom_variant(SMALL).id}, *SHORT_GAMES],
    tables=3,
    seats=2,
    severity=Severity(frozen_worker=5, frozen_redis=5, database_away=4, client=3),
)


async def test_nothing_is_lost_and_nothing_doubled_whatever_goes_wrong() -> None:
    with two_workers() as site:
        outcome = await run_faults(site, PLAN)
    assert outcome.found == []
    assert outcome.counts["finished games"] >= 1, outcome.counts
    assert outcome.counts["acknowledged"] >= 50, outcome.counts
