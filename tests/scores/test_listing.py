"""Bests and numbers of rows are the same in whatever order games are stored."""

from collections import Counter
from itertools import groupby
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from app.scores.boards import Board, Mode, Position
from app.scores.listing import Best, Owner, list_positions
from app.scores.periods import keys_of
from tests.scores.books import INSTANTS

GAMES = st.lists(
    st.tuples(
        st.sampled_from(INSTANTS),
        st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2)), min_size=1, max_size=3),
    ),
    max_size=8,
)


@given(games=GAMES, order=st.randoms(use_true_random=False))
def test_bests_and_numbers_are_those_of_the_whole_list(
    games: list[tuple[int, list[tuple[str, int]]]], order: Random
) -> None:
    positions = [
        [
            (player, Position(score, ended_at, f"g{number}", seat))
            for seat, (player, score) in enumerate(seats)
        ]
        for number, (ended_at, seats) in enumerate(games)
    ]
    order.shuffle(positions)
    bests: dict[Owner, Best] = {}
    numbers: Counter[tuple[Board, int]] = Counter()
    for game in positions:
        changes = list_positions("papir", bests, keys_of(game[0][1].ended_at), game)
        bests.update(changes.bests)
        numbers.update(changes.numbers)

    owned = sorted(
        (Owner(player, period), position)
        for game in positions
        for player, position in game
        for period in keys_of(position.ended_at)
    )
    expected = {owner: [each for _, each in group] for owner, group in groupby(owned, lambda pair: pair[0])}
    assert bests == {
        owner: Best(min(each, key=lambda position: position.order), len(each))
        for owner, each in expected.items()
    }
    rows = Counter((Board("papir", owner.period), position.score) for owner, position in owned)
    rows.update(
        (Board("papir", owner.period, Mode.PLAYERS), best.position.score) for owner, best in bests.items()
    )
    assert {key: number for key, number in numbers.items() if number} == rows
