"""Who floods again and again gets no new connection for a while; everybody else does."""

import pytest

from app.floods import FLOOD_SECONDS, MOST_FLOODS, Floods


def after_floods(number: int) -> Floods:
    floods = Floods()
    for at in range(number):
        floods.add("198.51.100.7", float(at) / number)
    return floods


@pytest.mark.parametrize(("number", "is_shut_out"), [(MOST_FLOODS - 1, False), (MOST_FLOODS, True)])
def test_an_address_that_floods_too_often_is_shut_out_alone(number: int, *, is_shut_out: bool) -> None:
    floods = after_floods(number)
    assert floods.is_shut_out("198.51.100.7", 2.0) is is_shut_out
    assert not floods.is_shut_out("198.51.100.8", 2.0)


def test_after_a_minute_it_may_come_again_and_is_counted_anew() -> None:
    floods = after_floods(MOST_FLOODS)
    assert floods.is_shut_out("198.51.100.7", FLOOD_SECONDS - 0.1)
    assert not floods.is_shut_out("198.51.100.7", FLOOD_SECONDS)
    floods.add("198.51.100.7", FLOOD_SECONDS)
    assert not floods.is_shut_out("198.51.100.7", FLOOD_SECONDS)


def test_the_addresses_that_are_remembered_are_so_many_at_most() -> None:
    floods = after_floods(MOST_FLOODS)
    for number in range(10_000):
        floods.add(f"2001:db8:{number:x}", 1.0)
    assert not floods.is_shut_out("198.51.100.7", 2.0)
