"""What a player's sockets share, and for how long it is remembered."""

import pytest

from app.rooms.budgets import Budgets
from app.rooms.limits import Limits

LIMITS = Limits(
    messages_per_second=1,
    messages_burst=3,
    player_messages_per_second=1,
    player_messages_burst=4,
    holdings_per_second=1,
    holdings_burst=2,
)


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_socket_has_a_bound_of_its_own_below_that_of_its_player(clock: Clock) -> None:
    budgets = Budgets(LIMITS, clock)
    with budgets.of("p1") as one, budgets.of("p1") as two:
        assert [one.take_message() for _ in range(4)] == [True, True, True, False]
        assert [two.take_message() for _ in range(2)] == [True, False]


def test_players_share_nothing(clock: Clock) -> None:
    budgets = Budgets(LIMITS, clock)
    with budgets.of("p1") as one, budgets.of("p2") as other:
        assert [one.take_holding() for _ in range(3)] == [True, True, False]
        assert other.take_holding()


def test_a_new_socket_does_not_begin_anew(clock: Clock) -> None:
    budgets = Budgets(LIMITS, clock)
    with budgets.of("p1") as first:
        assert [first.take_message() for _ in range(3)] == [True] * 3
    with budgets.of("p1") as second:
        assert [second.take_message() for _ in range(2)] == [True, False]
    clock.now += 60
    with budgets.of("p1") as third:
        assert [third.take_message() for _ in range(3)] == [True] * 3


def test_ten_thousand_players_who_came_and_went_are_not_remembered(clock: Clock) -> None:
    budgets = Budgets(LIMITS, clock)
    with budgets.of("here") as here:
        here.take_message()
        for number in range(10_000):
            with budgets.of(f"p{number}") as budget:
                budget.take_message()
            clock.now += 1
        assert len(budgets) < 150
        assert [here.take_holding() for _ in range(3)] == [True, True, False]
    with budgets.of("here") as again:
        assert not again.take_holding()
