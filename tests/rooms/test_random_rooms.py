"""What holds in every room, whatever several players and the server do in whatever order."""

import random
from collections import Counter
from typing import get_args

import orjson
import pytest

from app.rooms.codec import decode_room, encode_room
from app.rooms.commands import BotAct, Command, Leave
from app.rooms.deciding import decide
from app.rooms.room import NOBODY, Pace, Phase, Room
from app.rooms.schedule import due_at, is_bot_to_move
from app.rooms.views import changed_parts, state
from app.rules.legality import is_over, legal_actions
from app.rules.plain import Plain
from tests.rooms.random_rooms import Try, tries
from tests.rooms.tables import NAMES, by, by_server, game_of, player_of

SEEDS = range(12)
TRIES = 600


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_done_a_room_stays_sound(seed: int) -> None:
    after_game: dict[str, str] = {}
    for tried in tries(random.Random(seed), TRIES, own_dice_table=seed % 4 == 3):
        if tried.refusal is not None:
            assert tried.after is tried.before
            continue
        room = tried.after
        check_seats(room)
        check_host(room)
        check_phase(room)
        check_turn(room)
        if room.previous_game is not None:
            assert after_game.setdefault(room.previous_game, room.game_id) == room.game_id


def check_seats(room: Room) -> None:
    """Nobody sits twice, no more sit there than may, and nobody who was sent away."""
    holders = Counter(seat.player for seat in room.seats if not seat.lent)
    if not room.own_dice:
        assert max(holders.values(), default=0) <= 1
        assert not any(seat.lent for seat in room.seats)
    assert len(room.seats) <= room.max_seats
    assert all(seat.left for seat in room.seats if seat.player in room.kicked)
    assert all(seat.left for seat in room.seats if seat.barred)
    if room.phase is Phase.LOBBY:
        assert not any(seat.left for seat in room.seats)


def check_host(room: Room) -> None:
    """The host is no bot, and nobody who has left while others are there."""
    seats = [seat for seat in room.seats if seat.player == room.host]
    assert all(seat.is_person for seat in seats)
    if room.host == NOBODY:
        assert not any(seat.is_person for seat in room.seats)
    if any(seat.is_present for seat in room.seats) and seats:
        assert any(seat.is_present for seat in seats)


def check_phase(room: Room) -> None:
    """There is a game from the start on, and it is over when the room says so."""
    assert (room.game is None and room.own_game is None) is (room.phase is Phase.LOBBY)
    assert (room.ended_at is not None) is (room.phase is Phase.FINISHED)
    if room.game is not None:
        assert is_over(room.game) is (room.phase is Phase.FINISHED)


def check_turn(room: Room) -> None:
    """What belongs to a turn belongs to the one that is on; a person has a deadline, a bot is due."""
    game = room.game
    if game is None or room.phase is not Phase.PLAYING:
        assert (room.deadline, room.offer, room.bot_turn, due_at(room)) == (None, None, None, None)
        return
    is_bot = is_bot_to_move(room)
    if not is_bot:
        assert (room.deadline is not None) is (room.pace is not Pace.NONE)
    assert room.bot_turn in {None, game.turn}
    assert is_bot is (due_at(room) not in {None, room.deadline})
    if room.offer is not None:
        assert not is_bot
        assert (room.offer.seat, room.offer.turn) == (game.seat, game.turn)


def test_the_random_rooms_do_everything_there_is_and_end_games() -> None:
    """Else the test before would say little."""
    done: Counter[type[Command]] = Counter()
    ends = 0
    for seed in SEEDS:
        for tried in tries(random.Random(seed), TRIES, own_dice_table=seed % 4 == 3):
            if tried.refusal is None:
                done[type(tried.command)] += 1
                ends += tried.after.games > tried.before.games
    assert set(done) == set(get_args(Command))
    assert ends > len(SEEDS)


@pytest.mark.parametrize("seed", [21, 23])
def test_updates_lead_to_the_same_state_as_a_snapshot_and_tell_no_secret_before_the_end(seed: int) -> None:
    client: Plain = {}
    room = None
    for tried in tries(random.Random(seed), TRIES // 3, own_dice_table=seed == 23):
        if tried.refusal is not None:
            continue
        if room is not tried.before:  # a new one
            client = orjson.loads(orjson.dumps(state(tried.before)))
        client = following(client, tried)
        room = tried.after
        shown = orjson.dumps(state(tried.after)).decode()
        assert client == orjson.loads(shown)
        assert (tried.after.secret.hex() in shown) is (tried.after.phase is Phase.FINISHED)


def following(client: Plain, tried: Try) -> Plain:
    """What a client has after an update."""
    parts: Plain = orjson.loads(orjson.dumps(changed_parts(tried.before, tried.after)))
    changed = parts.pop("sheets", None)
    if changed is not None:
        sheets = client["sheets"]
        assert isinstance(sheets, list)
        assert isinstance(changed, list)
        by_seat = {} if changed == [] else {sheet["seat"]: sheet for sheet in [*sheets, *changed]}
        parts["sheets"] = [by_seat[seat] for seat in sorted(by_seat)]
    return client | parts


@pytest.mark.parametrize("seed", [31, 33])
def test_every_room_survives_the_store(seed: int) -> None:
    for tried in tries(random.Random(seed), TRIES // 3, own_dice_table=seed == 33):
        if tried.refusal is None:
            assert decode_room(encode_room(tried.after)) == tried.after


@pytest.mark.parametrize("seed", range(40, 46))
def test_a_game_that_all_leave_wherever_it_is_is_played_to_its_end_by_bots(seed: int) -> None:
    rng = random.Random(seed)
    started = [tried.after for tried in tries(rng, TRIES // 2) if tried.after.phase is Phase.PLAYING]
    playing = [room for room in started if room.game is not None]
    room = rng.choice(playing)
    for name in NAMES:
        if any(seat.player == player_of(name) and seat.is_present for seat in room.seats):
            room, _ = decide(room, Leave(), by(name))
    while room.phase is Phase.PLAYING:
        game = game_of(room)
        action = rng.choice(legal_actions(game))
        room, _ = decide(room, BotAct(game.seat, game.turn, game.roll, action), by_server())
    assert room.phase is Phase.FINISHED
