"""A cursor is what was given, for what it was given: anything else is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.boards import Edge, Position, Side
from app.scores.cursors import Mark, WrongCursor, read_cursor, write_cursor

KEY = b"k" * 32
PURPOSE = ("leaderboard", "papir", "all", "results", "")
MARK = Mark("", Edge(Side.AFTER, Position(912, 1_790_003_600_000, "g7d1", 1)))
CURSOR = write_cursor(KEY, PURPOSE, MARK)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@given(
    period=st.sampled_from(["", "2026-11", "2026-11-30"]),
    side=st.sampled_from(list(Side)),
    score=st.integers(-(2**31), 2**31 - 1),
    ended_at=st.integers(0, 2**62),
    game=st.text(alphabet=LETTERS, min_size=1, max_size=64),
    seat=st.integers(0, 7),
)
def test_a_cursor_says_what_was_put_in(
    *, period: str, side: Side, score: int, ended_at: int, game: str, seat: int
) -> None:
    mark = Mark(period, Edge(side, Position(score, ended_at, game, seat)))

    cursor = write_cursor(KEY, PURPOSE, mark)

    assert set(cursor) <= set(LETTERS)
    assert read_cursor(KEY, PURPOSE, cursor) == mark


def test_any_letter_changed_left_out_or_added_makes_it_wrong() -> None:
    for place in range(len(CURSOR)):
        for other in {*LETTERS, "=", "+", "/", " ", "é"} - {CURSOR[place]}:
            refuse(CURSOR[:place] + other + CURSOR[place + 1 :])
        refuse(CURSOR[:place] + CURSOR[place + 1 :])
        refuse(CURSOR[:place])
        refuse(f"{CURSOR[:place]}A{CURSOR[place:]}")


@pytest.mark.parametrize("purpose", [PURPOSE[:-1], (*PURPOSE, ""), ("leaderboardpapir", *PURPOSE[2:])])
def test_a_cursor_is_wrong_elsewhere(purpose: tuple[str, ...]) -> None:
    refuse(CURSOR, purpose=purpose)


def test_a_cursor_of_another_installation_is_wrong() -> None:
    refuse(write_cursor(b"l" * 32, PURPOSE, MARK))


@pytest.mark.parametrize(
    "cursor", ["", "=", "A", "AAAA", "A" * 10_000, "\0", "null", f"{CURSOR}=", f"{CURSOR}\n"]
)
def test_what_was_never_a_cursor_is_wrong(cursor: str) -> None:
    refuse(cursor)


def refuse(cursor: str, purpose: tuple[str, ...] = PURPOSE) -> None:
    with pytest.raises(WrongCursor):
        read_cursor(KEY, purpose, cursor)
