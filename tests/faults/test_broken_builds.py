"""Broken builds: some of them are found within their time, and nothing in a server that is whole."""

import pytest

from tests.faults.broken import BROKEN, BrokenServer
from tests.faults.catching import BUILDS, CRASH, KILL, catch
from tests.faults.faults import LINE_FAULTS, SERVER_FAULTS
from tests.faults.machine import can_crash
from tests.faults.run import Plan, run_faults
from tests.faults.site import one_worker

SEED = 4
SHORT = (
    "acknowledges-first",
    "forgets-requests",
    "publishes-first",
    "never-syncs",
    "tells-the-key",
    "tells-the-next-roll",
)
"""Some that need one worker alone, one of each kind; `dev.py faults --broken` tries all."""


@pytest.mark.parametrize("name", SHORT)
async def test_a_broken_build_is_caught(name: str) -> None:
    if not can_crash() and set(CRASH) & set(BUILDS[name].server_faults):
        pytest.skip("machines crash on Linux alone, where there is a C compiler")
    caught = await catch(name, SEED)
    assert caught.sentence, f"not caught: {caught.found}"


async def test_the_same_faults_do_no_harm_to_a_whole_build() -> None:
    plan = Plan(
        seed=SEED,
        seconds=6,
        ending=0,
        patience=20,
        tables=2,
        seats=2,
        server_faults={name: SERVER_FAULTS[name] for name in (*KILL, *CRASH)},
        line_faults={name: LINE_FAULTS[name] for name in ("client cut before the answer",)},
    )
    with one_worker(BrokenServer("whole")) as site:
        assert (await run_faults(site, plan)).found == []


def test_each_broken_store_is_one_that_a_run_has_to_find() -> None:
    assert {build.store or name for name, build in BUILDS.items()} == set(BROKEN)
