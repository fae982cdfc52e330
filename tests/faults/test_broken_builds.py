"""Three servers that are broken on purpose: the run finds each of them, and nothing in one that is whole."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Never

import pytest

from tests.faults.broken import BrokenServer
from tests.faults.faults import LINE_FAULTS, SERVER_FAULTS, LineFault, ServerFault
from tests.faults.run import Plan, run_faults
from tests.faults.site import one_worker

pytestmark = pytest.mark.timeout(120)

SEED = 4
NOTHING: Mapping[str, Never] = MappingProxyType({})
KILLING = {"worker killed": SERVER_FAULTS["worker killed"]}
CUTTING = {"client cut before the answer": LINE_FAULTS["client cut before the answer"]}


async def test_a_build_that_acknowledges_before_the_commit_is_caught() -> None:
    found = await strike("acknowledges-first", SEED, server_faults=KILLING)
    assert_caught(
        found, "is lost", "went back", "another version", "something else", "had been seen", "has lost it"
    )


async def test_a_build_that_forgets_the_request_id_is_caught() -> None:
    found = await strike("forgets-requests", SEED, line_faults=CUTTING)
    assert_caught(found, "was done twice", "acknowledged, and refused", "made by no command")


async def test_a_build_that_publishes_before_the_write_is_caught() -> None:
    found = await strike("publishes-first", SEED, server_faults=KILLING)
    assert_caught(found, "went back", "another version", "different states", "had been seen")


async def test_the_same_faults_do_no_harm_to_a_whole_build() -> None:
    assert await strike("whole", SEED, server_faults=KILLING, line_faults=CUTTING) == []


async def strike(
    build: str,
    seed: int,
    server_faults: Mapping[str, ServerFault] = NOTHING,
    line_faults: Mapping[str, LineFault] = NOTHING,
) -> list[str]:
    """What is found when these things go wrong under two tables of two."""
    plan = Plan(
        seed=seed,
        seconds=3,
        ending=0,
        patience=10 if build == "whole" else 3,
        tables=2,
        seats=2,
        server_faults=server_faults,
        line_faults=line_faults,
    )
    with one_worker(BrokenServer(build)) as site:
        return (await run_faults(site, plan)).found


def assert_caught(found: list[str], *sentences: str) -> None:
    """One of them is said; that players didn't come to the same state in time is no proof."""
    assert any(sentence in one for one in found for sentence in sentences), found
