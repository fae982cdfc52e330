"""Three servers that are broken on purpose: the run finds each of them, and nothing in one that is whole."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Never

import pytest

from tests.faults.broken import BrokenServer
from tests.faults.faults import LINE_FAULTS, SERVER_FAULTS, LineFault, ServerFault
from tests.faults.run import Plan, run_faults
from tests.faults.site import one_worker

SEED = 4
RUNS = 3
NOTHING: Mapping[str, Never] = MappingProxyType({})
KILLING = {"worker killed": SERVER_FAULTS["worker killed"]}
CUTTING = {"client cut before the answer": LINE_FAULTS["client cut before the answer"]}


async def test_a_build_that_acknowledges_before_the_commit_is_caught() -> None:
    sentences = ("is lost", "went back", "another version", "something else", "had been seen", "has lost it")
    await check_caught("acknowledges-first", sentences, server_faults=KILLING)


async def test_a_build_that_forgets_the_request_id_is_caught() -> None:
    sentences = ("was done twice", "acknowledged, and refused", "made by no command")
    await check_caught("forgets-requests", sentences, line_faults=CUTTING)


async def test_a_build_that_publishes_before_the_write_is_caught() -> None:
    sentences = ("went back", "another version", "different states", "had been seen")
    await check_caught("publishes-first", sentences, server_faults=KILLING)


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


async def check_caught(
    build: str,
    sentences: Sequence[str],
    server_faults: Mapping[str, ServerFault] = NOTHING,
    line_faults: Mapping[str, LineFault] = NOTHING,
) -> None:
    """One of them is said; that players didn't come to the same state in time is no proof.

    Of several runs in one: on a busy machine the few seconds of a run may have no moment that proves it.
    """
    found: list[str] = []
    for seed in range(SEED, SEED + RUNS):
        found = await strike(build, seed, server_faults, line_faults)
        if any(sentence in one for one in found for sentence in sentences):
            return
    pytest.fail(f"not caught: {found}")
