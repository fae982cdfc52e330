"""Whole trees of toy variants, and the legal actions of positions: counts that were derived by hand.

Five dice fall in 252 distinct ways, which are 252, 126, 56, 21, 6, 1 for 5, 4, 3, 2, 1, 0 dice.
"""

from collections import Counter
from pathlib import Path

import pytest

from app.rules.actions import Action, Announce, Fill, Roll
from app.rules.legality import legal_actions
from app.rules.notation import parse_game, parse_position
from tests.rules.walks import Count, walk

R = 252
# Every way to hold, and then every roll of the other dice: 1·252 + 5·126 + 10·56 + 10·21 + 5·6 + 1·1.
H = 1683
# Every way to roll in a turn without holding, to its entry after roll 1, 2 or 3.
TURN = R + R**2 + R**3

WALKS = [
    # One cell, no holding: after roll 1 and 2 the player rolls again or fills, after roll 3 he fills.
    (
        "(dice=5;ones;down;hold=0)/1",
        [
            Count(1, 0, 0),
            Count(0, 1, 0),
            Count(R, 0, 0),
            Count(0, R, R),
            Count(R**2, 0, 0),
            Count(0, R**2, R**2),
            Count(R**3, 0, 0),
            Count(0, 0, R**3),
        ],
    ),
    # The same with holding: 32 ways to roll again.
    (
        "(dice=5;ones;down)/1",
        [
            Count(1, 0, 0),
            Count(0, 1, 0),
            Count(R, 0, 0),
            Count(0, 32 * R, R),
            Count(R * H, 0, 0),
            Count(0, 32 * R * H, R * H),
            Count(R * H**2, 0, 0),
            Count(0, 0, R * H**2),
        ],
    ),
    # Two cells to be announced: after roll 1 the player announces or fills one of two, and may not roll
    # before. Depth 3: 2 announced, 2 filled. 4: an announced cell is filled or rolled for; the next turn is
    # rolled. 5: both rolls fall, and the turns after the entries of depth 4 are rolled. 6: of the announced,
    # roll 2 was made, so they fill or roll; in the second turn one cell is left, to be announced or filled,
    # which ends it.
    (
        "(dice=5;ones,yamb+50;announced:1;hold=0)/1",
        [
            Count(1, 0, 0),
            Count(0, 1, 0),
            Count(R, 0, 0),
            Count(4 * R, 0, 0),
            Count(2 * R, 4 * R, 0),
            Count(4 * R**2, 2 * R, 0),
            Count(2 * R**2 + 2 * R**2 + 2 * R**2, 2 * R**2, 2 * R**2),
        ],
    ),
    # Two seats, and an announcement that binds the next. Seat 0 must announce or fill after roll 1 (depth 3),
    # and seat 1 is called either way. 4: seat 0 fills or rolls, or seat 1 rolls. 6: fill or roll, in both
    # branches, beside the first rolls of seat 1 after the entries of depth 4.
    (
        "(dice=5;ones;announced:1,notification:next:must;hold=0)/2",
        [
            Count(1, 0, 0),
            Count(0, 1, 0),
            Count(R, 0, 0),
            Count(2 * R, 0, 0),
            Count(R, 2 * R, 0),
            Count(2 * R**2, R, 0),
            Count(3 * R**2, 2 * R**2, 0),
        ],
    ),
    # A hand cell alone: one roll, one entry.
    ("(dice=5;ones;hand)/1", [Count(1, 0, 0), Count(0, 1, 0), Count(R, 0, 0), Count(0, 0, R)]),
]


@pytest.mark.parametrize(("line", "counts"), WALKS, ids=[line for line, _ in WALKS])
def test_a_tree_has_as_many_nodes_at_each_depth_as_were_derived(line: str, counts: list[Count]) -> None:
    assert walk(parse_game(line).first, len(counts) - 1) == counts


@pytest.mark.parametrize(
    ("line", "orders", "turns"),
    [
        ("(dice=5;straight:1:1,yamb;down;hold=0)/1", 1, 2),
        ("(dice=5;straight:1:1,yamb;up;hold=0)/1", 1, 2),
        ("(dice=5;straight:1:1,yamb;free;hold=0)/1", 2, 2),
        ("(dice=5;straight:1:1,yamb;both_ends;hold=0)/1", 2, 2),
        ("(dice=5;straight:1:1;free,final;hold=0)/1", 1, 2),
        ("(dice=5;straight:1:1;down,free,maximum;hold=0)/1", 2, 2),
        ("(dice=5;straight:1:1;down;hold=0)/2", 1, 2),
    ],
)
def test_a_whole_tree_has_an_end_for_every_order_of_entries_and_every_way_to_roll(
    line: str, orders: int, turns: int
) -> None:
    assert sum(count.ends for count in walk(parse_game(line).first, 100)) == orders * TURN**turns


def test_a_cell_of_the_hand_column_has_only_the_first_roll() -> None:
    """Either cell first, and the other after it: the hand cell has R ways, the other TURN."""
    counts = walk(parse_game("(dice=5;straight:1:1;down,hand;hold=0)/1").first, 100)
    assert sum(count.ends for count in counts) == 2 * R * TURN


def test_five_rolls_for_the_last_cell_are_five() -> None:
    counts = walk(parse_game("(dice=5;straight:1:1;down,free;hold=0;last=5)/1").first, 100)
    assert sum(count.ends for count in counts) == 2 * TURN * (TURN + R**4 + R**5)


POSITIONS = (Path(__file__).parent / "positions.txt").read_text(encoding="utf-8").splitlines()


def _numbers(actions: tuple[Action, ...]) -> str:
    kinds = Counter(type(action) for action in actions)
    return " ".join(str(kinds[kind]) for kind in (Roll, Announce, Fill))


@pytest.mark.parametrize("entry", [line for line in POSITIONS if line and not line.startswith("#")])
def test_a_position_has_as_many_legal_actions_as_are_written_down(entry: str) -> None:
    numbers, line = entry.split(": ")
    assert _numbers(legal_actions(parse_position(line))) == numbers


def test_thirty_positions_are_written_down() -> None:
    assert sum(bool(line) and not line.startswith("#") for line in POSITIONS) >= 30
