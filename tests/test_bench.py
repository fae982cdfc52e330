"""The benchmarks of the server measure on a machine of any speed: games may end before the rounds do."""

import pytest

from benchmarks.server.measuring import Contender, Measure, begin_bare, pace_one, ratio, saturate_in_turn
from benchmarks.server.part import measured
from benchmarks.server.processes import CeilingServer
from benchmarks.server.script import script

ROUNDS = 4


def expect_all_was_measured(one: Contender) -> None:
    assert len(one.actions) == ROUNDS
    assert min(one.actions) > 0
    assert min(one.core_rates) > 0
    assert one.late_ms(50) > 0
    assert one.update_bytes > 0


@pytest.mark.parametrize("actions", [1, 30, 1000])
async def test_a_machine_that_plays_games_faster_than_rounds_last_is_measured(actions: int) -> None:
    """A game of few actions on this machine is a long one on a fast machine."""
    measure = Measure(tables=3, rounds=ROUNDS, round_seconds=0.2, paced_seconds=0.2)
    with CeilingServer(200) as bare:
        ceiling = await begin_bare(bare.port, script(1)[:actions], measure.tables, pids=[bare.pid])
        await saturate_in_turn([ceiling], measure)
        await pace_one(ceiling, measure)

    expect_all_was_measured(ceiling)


async def test_a_machine_that_gets_nothing_done_within_a_round_is_measured() -> None:
    measure = Measure(tables=3, rounds=ROUNDS, round_seconds=1e-6, paced_seconds=1e-6)
    with CeilingServer(200) as bare:
        ceiling = await begin_bare(bare.port, script(1), measure.tables, pids=[bare.pid])
        await saturate_in_turn([ceiling], measure)
        await pace_one(ceiling, measure)

    expect_all_was_measured(ceiling)


async def test_a_single_game_is_enough_for_both_stores_and_the_ceiling() -> None:
    measure = Measure(tables=1, rounds=ROUNDS, round_seconds=0.3, paced_seconds=0.2)
    *servers, ceiling = await measured({}, script(1)[:60], measure)

    for one in (*servers, ceiling):
        expect_all_was_measured(one)
    assert [ratio(one, ceiling) > 0 for one in servers] == [True, True]
