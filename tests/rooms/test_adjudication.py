"""When the others are asked about somebody who is gone, and who is host then: by room and sights alone."""

import pytest

from app.rooms.adjudication import See, call_out, pass_host
from app.rooms.commands import CallOut, Join, PassHost
from app.rooms.presence import Presence, Sight
from app.rooms.room import Offer, OfferReason, Room
from tests.rooms.tables import NAMES, NOW, after, lobby, player_of, seated, started
from tests.values import replace

HERE, AWAY, RECONNECTING, GONE = Presence
GONE_MS = 60_000


def seeing(**presences: Presence) -> See:
    """Players by name, those without a connection missed for a minute; who isn't named is here."""
    sights = {player_of(name): _sight(presence) for name, presence in presences.items()}
    return lambda player: sights.get(player, Sight(HERE))


def _sight(presence: Presence) -> Sight:
    return Sight(presence, NOW - GONE_MS if presence in {RECONNECTING, GONE} else None)


def test_the_others_are_asked_about_a_player_who_is_gone_in_his_turn() -> None:
    room = started(NAMES[:2])
    assert call_out(room, seeing(Lija=GONE), NOW, GONE_MS) == CallOut(0, 1, OfferReason.GONE)


@pytest.mark.parametrize("presence", [HERE, AWAY])
def test_nobody_is_asked_about_a_player_who_has_a_connection(presence: Presence) -> None:
    assert call_out(started(NAMES[:2]), seeing(Lija=presence), NOW, GONE_MS) is None


def test_nobody_is_asked_about_a_player_who_is_not_to_move() -> None:
    assert call_out(started(NAMES[:2]), seeing(Medo=GONE), NOW, GONE_MS) is None


def with_lija(room: Room, **fields: object) -> Room:
    """The room with something else about its first seat."""
    return replace(room, seats=(replace(room.seats[0], **fields), *room.seats[1:]))


def test_nobody_is_asked_twice_or_about_a_turn_that_a_bot_plays_or_about_one_who_has_left() -> None:
    room = started(NAMES[:2])
    asked = replace(room, offer=Offer(0, 1, OfferReason.DEADLINE, NOW))
    for other in (asked, replace(room, bot_turn=1), with_lija(room, left=True), seated(NAMES[:2])):
        assert call_out(other, seeing(Lija=GONE), NOW, GONE_MS) is None


def test_when_the_others_chose_to_wait_they_are_asked_again_after_a_minute_more() -> None:
    room = replace(started(NAMES[:2]), waited_at=NOW)
    times = (NOW + GONE_MS - 1, NOW + GONE_MS)
    asked = [call_out(room, seeing(Lija=GONE), now, GONE_MS) for now in times]
    assert asked == [None, CallOut(0, 1, OfferReason.GONE)]


def test_a_host_who_is_gone_is_followed_by_the_next_player_who_is_here() -> None:
    room = started(NAMES[:4])
    lija = player_of("Lija")
    assert pass_host(room, seeing(Lija=GONE)) == PassHost(player_of("Medo"), "Medo", gone=lija)
    assert pass_host(room, seeing(Lija=GONE, Medo=RECONNECTING, Zec=AWAY)) == PassHost(
        player_of("Vuk"), "Vuk", gone=lija
    )
    hidden = seeing(Lija=GONE, Medo=GONE, Zec=AWAY, Vuk=GONE)
    assert pass_host(room, hidden) == PassHost(player_of("Zec"), "Zec", gone=lija)


def test_a_host_in_the_last_seat_is_followed_by_the_first() -> None:
    room = replace(started(NAMES[:3]), host=player_of("Zec"))
    heir = pass_host(room, seeing(Zec=GONE))
    assert heir is not None
    assert heir.to == player_of("Lija")


@pytest.mark.parametrize("presence", [HERE, AWAY, RECONNECTING])
def test_a_host_who_is_not_gone_stays_host(presence: Presence) -> None:
    assert pass_host(started(NAMES[:2]), seeing(Lija=presence)) is None


def test_with_nobody_here_the_host_stays_host() -> None:
    assert pass_host(started(NAMES[:2]), seeing(Lija=GONE, Medo=GONE)) is None


def test_a_player_who_has_left_does_not_become_host() -> None:
    room = with_lija(replace(started(NAMES[:3]), host=player_of("Medo")), left=True)
    heir = pass_host(room, seeing(Medo=GONE))
    assert heir is not None
    assert heir.to == player_of("Zec")


def test_a_host_who_never_sat_is_followed_by_a_player_or_in_the_lobby_by_an_onlooker() -> None:
    room = lobby()
    onlookers = [(player_of("Lija"), "Lija"), (player_of("Som"), "Som")]
    assert pass_host(room, seeing(Lija=GONE), onlookers) == PassHost(
        player_of("Som"), "Som", gone=player_of("Lija")
    )
    joined = after(room, "Zec", Join("x"))
    heir = pass_host(joined, seeing(Lija=GONE), onlookers)
    assert heir is not None
    assert heir.to == player_of("Zec")


def test_in_a_game_an_onlooker_does_not_become_host() -> None:
    assert pass_host(started(NAMES[:1]), seeing(Lija=GONE), [(player_of("Som"), "Som")]) is None


def test_a_room_without_a_host_has_none_to_miss() -> None:
    assert pass_host(replace(lobby(), host=""), seeing(), [(player_of("Som"), "Som")]) is None
