"""A minute of everything that can go wrong, over two workers, Redis and PostgreSQL."""

import pytest

from tests.faults.faults import Severity
from tests.faults.run import Plan, run_faults
from tests.faults.site import two_workers

SEED = 20261
SEVERITY = Severity(frozen_worker=6, frozen_redis=5, database_away=4, client=3)


@pytest.mark.timeout(240)
async def test_nothing_is_lost_and_nothing_doubled_whatever_goes_wrong() -> None:
    with two_workers() as site:
        outcome = await run_faults(site, Plan(seed=SEED, seconds=35, tables=3, seats=2, severity=SEVERITY))
    assert outcome.found == []
    assert outcome.counts["finished games"] >= 1, outcome.counts
    assert outcome.counts["acknowledged"] >= 50, outcome.counts
