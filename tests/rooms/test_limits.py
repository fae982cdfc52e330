"""How much is let through."""

from app.rooms.limits import TokenBucket


def test_a_burst_is_let_through_and_then_so_many_a_second() -> None:
    now = 100.0
    bucket = TokenBucket(2, 3, lambda: now)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_rest_gathers_no_more_than_a_burst() -> None:
    now = 100.0
    bucket = TokenBucket(2, 3, lambda: now)
    now += 3600
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
