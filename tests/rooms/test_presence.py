"""What is shown of who is at a table: from leases and the time alone."""

from collections.abc import Iterable

import pytest

from app.rooms.presence import Attendance, Leases, Patience, Presence, attend, next_look, sight_of
from app.rooms.store import SeenLease

HERE, AWAY, RECONNECTING, GONE = Presence
PATIENCE = Patience(worse=3_000, gone=60_000)
NOW = 1_000_000


def lease(until: int, *, player: str = "lija", tab: str = "a", is_away: bool = False) -> SeenLease:
    """A connection that is alive for so many milliseconds from NOW, or ended so many ago."""
    return SeenLease(player, tab, is_away, NOW + until)


def known(*leases: SeenLease, known_since: int = 0) -> Leases:
    """The leases of a room."""
    return Leases(leases, known_since)


CASES = [
    ("one tab is open", [lease(1)], HERE),
    ("one tab is open and hidden", [lease(1, is_away=True)], AWAY),
    ("of two tabs one is hidden", [lease(1, is_away=True), lease(1, tab="b")], HERE),
    ("two tabs, one closed, still here", [lease(-5_000), lease(1, tab="b")], HERE),
    ("two tabs, the one in front closed", [lease(-5_000), lease(1, tab="b", is_away=True)], AWAY),
    ("the last tab has just closed", [lease(0)], RECONNECTING),
    ("the last of two tabs closed less than a minute ago", [lease(-90_000), lease(-59_999)], RECONNECTING),
    ("the last tab closed a minute ago", [lease(-60_000)], GONE),
    ("only somebody else has a tab", [lease(1, player="medo")], GONE),
]


@pytest.mark.parametrize(("_case", "leases", "presence"), CASES, ids=[case[0] for case in CASES])
def test_a_player_is_as_his_connections_are(_case: str, leases: list[SeenLease], presence: Presence) -> None:
    assert sight_of("lija", known(*leases), NOW, PATIENCE).presence is presence


def test_who_has_no_lease_is_missed_since_the_table_is_looked_at() -> None:
    leases = known(known_since=NOW - 10)
    assert sight_of("lija", leases, NOW, PATIENCE).missed_since == NOW - 10
    assert sight_of("lija", leases, NOW, PATIENCE).presence is RECONNECTING


def shown_over(leases: Iterable[SeenLease], *, at: Iterable[int], first: Attendance) -> list[Presence]:
    """How Lija is shown at these times after NOW, looked at again and again."""
    shown, presences = first, []
    for after in at:
        shown = attend(shown, ["lija"], known(*leases), NOW + after, patience=PATIENCE)
        presences.append(shown.players["lija"])
    return presences


def test_a_worsening_is_shown_when_it_has_lasted_three_seconds() -> None:
    here = Attendance({"lija": HERE})
    assert shown_over([lease(0)], at=(0, 2_999, 3_000), first=here) == [HERE, HERE, RECONNECTING]
    hidden = [lease(9_000, is_away=True)]
    assert shown_over(hidden, at=(0, 2_999, 3_000), first=here) == [HERE, HERE, AWAY]


def test_what_gets_better_is_shown_at_once() -> None:
    gone = Attendance({"lija": GONE})
    assert shown_over([lease(9_000)], at=(0,), first=gone) == [HERE]


def test_a_page_that_is_loaded_again_shows_nothing() -> None:
    here = Attendance({"lija": HERE})
    shown = attend(here, ["lija"], known(lease(0)), NOW, patience=PATIENCE)
    back = attend(shown, ["lija"], known(lease(0), lease(9_000, tab="b")), NOW + 2_000, patience=PATIENCE)
    assert shown == here
    assert back == here
    # The next worsening is counted from its own beginning.
    assert back.worse_since == {}


def test_a_table_that_is_shown_for_the_first_time_is_shown_what_is_so() -> None:
    shown = attend(None, ["lija", "medo"], known(lease(0), lease(1, player="medo")), NOW, patience=PATIENCE)
    assert shown.players == {"lija": RECONNECTING, "medo": HERE}


def test_spectators_are_people_without_a_seat_and_not_their_tabs() -> None:
    tabs = [lease(1), lease(1, player="zec"), lease(1, player="zec", tab="b"), lease(1, player="vuk")]
    assert attend(None, ["lija"], known(*tabs), NOW, patience=PATIENCE).spectators == 2


def test_a_spectator_who_leaves_is_counted_for_three_more_seconds() -> None:
    counts = [
        attend(None, [], known(lease(0)), NOW + after, patience=PATIENCE).spectators
        for after in (2_999, 3_000)
    ]
    assert counts == [1, 0]


def test_nothing_is_shown_before_the_next_look_that_is_not_shown_already() -> None:
    leases = known(
        lease(5_000), lease(-1_000, player="medo"), lease(-40_000, player="zec"), known_since=NOW - 40_000
    )
    shown = attend(None, ["lija", "medo"], leases, NOW, patience=PATIENCE)
    looks = 0
    for now in range(NOW, NOW + 80_000, 100):
        again = attend(shown, ["lija", "medo"], leases, now, patience=PATIENCE)
        if again != shown or again.worse_since != shown.worse_since:
            due = next_look(shown, leases, now - 100, PATIENCE)
            assert due is not None
            assert due <= now
            looks += 1
        shown = again
    assert shown.players == {"lija": GONE, "medo": GONE}
    assert looks >= 4
