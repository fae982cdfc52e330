"""Commands on rooms over the local store: once for each request, decided again where others came first."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Iterable

import pytest

from app.rooms.codes import LENGTH, LETTERS, codes_for
from app.rooms.commands import Act, Command, Join, Leave, MarkReady, Rematch, Start
from app.rooms.redis_store import RedisStore
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import Phase, Room
from app.rooms.service import Asked, RoomService
from app.rooms.store import Commit, Committed, Conflict, FinishedGame, RoomNotFound, Stored, StoreUnavailable
from app.rules.actions import Fill, Roll, Undo
from app.rules.game import MAX_SEATS
from app.rules.legality import legal_actions
from tests.rooms.serving import Rooms, make_rooms
from tests.rooms.tables import NAMES, NOW, game_of, identity
from tests.values import replace

ROLL = Act(0, 1, 0, Roll())


def asked(code: str, name: str, request: str, command: Command) -> Asked:
    """A player's command."""
    return Asked(code, identity(name), request, command)


async def carry_out(rooms: Rooms, code: str, name: str, *commands: Command) -> Committed:
    """Carry out a player's commands, each under a request id of its own; the last answer."""
    answers = [
        await rooms.service.carry_out(asked(code, name, f"{type(command).__name__}-{at}", command))
        for at, command in enumerate(commands)
    ]
    return answers[-1]


async def start_game(rooms: Rooms, names: Iterable[str] = NAMES[:1], variant: str = "classic-5x4") -> str:
    """A room whose game has begun; its code."""
    code = await rooms.make(variant)
    for name in names:
        await carry_out(rooms, code, name, Join(f"text of {name}"), MarkReady(ready=True))
    await carry_out(rooms, code, NAMES[0], Start())
    return code


async def finish_game(rooms: Rooms, code: str) -> Room:
    """The room after its game, in which everybody rolled once a turn."""
    while (room := (await rooms.service.load(code)).room).phase is Phase.PLAYING:
        game = game_of(room)
        fills = [action for action in legal_actions(game) if isinstance(action, Fill)]
        action = Act(game.seat, game.turn, game.roll, fills[0] if fills else Roll())
        name = room.seats[game.seat].name
        await rooms.service.carry_out(asked(code, name, f"{game.turn}-{game.roll}", action))
    return room


async def test_a_new_room_has_a_code_that_is_easy_to_say_and_dice_that_are_committed_to(
    unserved: Rooms,
) -> None:
    stored = await unserved.service.create(identity("Lija"), "papir", 4)
    assert len(stored.room.code) == LENGTH
    assert set(stored.room.code) <= set(LETTERS)
    assert (len(stored.room.secret), stored.version, stored.room.phase) == (32, 0, Phase.LOBBY)


async def test_a_code_that_is_taken_is_drawn_again(unserved: Rooms) -> None:
    draws = iter([b"g" * 10, b"s" * 32, b"aaaaaa", b"h" * 10, b"t" * 32, b"aaaaaa", b"bbbbbb"])
    service = RoomService(
        unserved.store, now=lambda: NOW, draw=lambda _: next(draws), on_finished=lambda: None
    )
    codes = [(await service.create(identity("Lija"), "papir", 4)).room.code for _ in range(2)]
    assert len(set(codes)) == 2


async def test_a_request_sent_again_gives_its_room_also_when_the_game_has_begun(unserved: Rooms) -> None:
    lija, service = identity(NAMES[0]), unserved.service
    first = await service.create(lija, "papir", 4, request="r1")
    again = await asyncio.gather(*(service.create(lija, "papir", 4, request="r1") for _ in range(9)))
    assert again == [first] * 9
    for command in (Join("x"), MarkReady(ready=True), Start()):
        await carry_out(unserved, first.room.code, NAMES[0], command)
    begun = await service.create(lija, "papir", 4, request="r1")
    assert (begun.room.code, begun.room.phase) == (first.room.code, Phase.PLAYING)


async def test_another_request_or_the_same_of_somebody_else_is_another_room(unserved: Rooms) -> None:
    asked = [(NAMES[0], "r1"), (NAMES[0], "r2"), (NAMES[1], "r1"), (NAMES[0], None), (NAMES[0], None)]
    made = [
        await unserved.service.create(identity(name), "papir", 4, request=request) for name, request in asked
    ]
    assert len({stored.room.code for stored in made}) == len(asked)


async def test_a_code_that_somebody_else_has_is_passed_over_for_the_next_of_the_request(
    unserved: Rooms,
) -> None:
    codes = codes_for("pLija:r1", secrets.token_bytes)
    taken, following = next(codes), next(codes)
    other = await unserved.service.create(identity(NAMES[1]), "papir", 4)
    await unserved.store.create(replace(other.room, code=taken))
    made = await unserved.service.create(
        replace(identity(NAMES[0]), player="pLija"), "papir", 4, request="r1"
    )
    assert made.room.code == following


async def test_an_unknown_variant_makes_no_room(unserved: Rooms) -> None:
    with pytest.raises(RoomRefusal) as refusal:
        await unserved.service.create(identity("Lija"), "poker", 4)
    assert refusal.value.code is RefusalCode.UNKNOWN_VARIANT


async def test_every_command_that_succeeds_is_the_next_version(unserved: Rooms) -> None:
    code = await unserved.make()
    assert await carry_out(unserved, code, "Lija", Join("x")) == Committed(1)
    assert await carry_out(unserved, code, "Medo", Join("y")) == Committed(2)
    assert (await unserved.service.load(code)).version == 2


async def test_a_request_sent_again_gets_its_first_answer_and_changes_nothing(unserved: Rooms) -> None:
    code = await unserved.make()
    first = await unserved.service.carry_out(asked(code, "Lija", "a", Join("x")))
    await unserved.service.carry_out(asked(code, "Medo", "a", Join("y")))
    again = await unserved.service.carry_out(asked(code, "Lija", "a", Join("x")))
    assert (first, again) == (Committed(1), Committed(1, is_duplicate=True))
    assert (await unserved.service.load(code)).version == 2


async def test_request_ids_are_of_the_player(unserved: Rooms) -> None:
    code = await unserved.make()
    for name in NAMES[:3]:
        answer = await unserved.service.carry_out(asked(code, name, "same", Join("x")))
        assert not answer.is_duplicate


async def test_a_refused_command_changes_nothing(unserved: Rooms) -> None:
    code = await unserved.make()
    before = await unserved.service.load(code)
    with pytest.raises(RoomRefusal):
        await unserved.service.carry_out(asked(code, "Medo", "a", Start()))
    assert await unserved.service.load(code) == before
    assert await unserved.store.updates_since(code, 0) == []


async def test_two_identical_commands_sent_at_once_give_one_roll(unserved: Rooms) -> None:
    code = await start_game(unserved)
    twice = [unserved.service.carry_out(asked(code, "Lija", "roll", ROLL)) for _ in range(2)]
    answers = await asyncio.gather(*twice)
    assert sorted(answer.is_duplicate for answer in answers) == [False, True]
    assert len({answer.version for answer in answers}) == 1
    assert len(await unserved.store.log(code)) == 1


async def test_one_roll_sent_at_once_under_two_ids_is_made_once(unserved: Rooms) -> None:
    code = await start_game(unserved)
    both = [unserved.service.carry_out(asked(code, "Lija", request, ROLL)) for request in ("a", "b")]
    outcomes = await asyncio.gather(*both, return_exceptions=True)
    refusals = [outcome for outcome in outcomes if isinstance(outcome, RoomRefusal)]
    assert [refusal.code for refusal in refusals] == [RefusalCode.STALE]


async def test_fifty_parallel_joins_on_one_free_seat_give_one_success(unserved: Rooms) -> None:
    code = await unserved.make(max_seats=2)
    await carry_out(unserved, code, "Lija", Join("x"))
    joins = [unserved.service.carry_out(asked(code, f"Guest{at}", "j", Join("y"))) for at in range(50)]
    outcomes = await asyncio.gather(*joins, return_exceptions=True)
    codes = Counter(outcome.code for outcome in outcomes if isinstance(outcome, RoomRefusal))
    assert codes == {RefusalCode.ROOM_FULL: 49}
    assert len((await unserved.service.load(code)).room.seats) == 2


async def test_two_dozen_at_once_over_redis_are_all_served(redis_url: str) -> None:
    """A step there takes a round trip, in which all others decide on the same state."""
    store = RedisStore(redis_url)
    rooms = make_rooms(store)
    await store.open(rooms.hub)
    try:
        code = await rooms.make()
        guests = [f"Guest{at}" for at in range(24)]
        joins = (rooms.service.carry_out(asked(code, guest, "j", Join("y"))) for guest in guests)
        outcomes = await asyncio.gather(*joins, return_exceptions=True)
    finally:
        await store.close()
    codes = Counter(outcome.code for outcome in outcomes if isinstance(outcome, RoomRefusal))
    assert codes == {RefusalCode.ROOM_FULL: 24 - MAX_SEATS}


async def test_a_room_that_keeps_changing_is_given_up_after_some_tries(unserved: Rooms) -> None:
    code = await unserved.make()
    await carry_out(unserved, code, "Lija", Join("x"))
    store = BusyStore(unserved)
    service = RoomService(store, now=lambda: NOW, draw=bytes, on_finished=lambda: None)  # type: ignore[arg-type]  # some of the port
    with pytest.raises(RoomRefusal) as refusal:
        await service.carry_out(asked(code, "Medo", "a", Join("x")))
    assert (refusal.value.code, refusal.value.retry) == (RefusalCode.CONFLICT, True)
    assert store.tries == 3 * MAX_SEATS


async def test_what_an_old_state_refuses_is_decided_again_on_the_newest(unserved: Rooms) -> None:
    code = await unserved.make()
    store = OldStore(unserved, await unserved.store.load(code))
    service = RoomService(store, now=lambda: NOW, draw=bytes, on_finished=lambda: None)  # type: ignore[arg-type]  # some of the port
    await carry_out(unserved, code, "Lija", Join("x"))
    ready = asked(code, "Lija", "ready", MarkReady(ready=True))
    assert (await service.carry_out(ready)).version == 2
    with pytest.raises(RoomRefusal) as refusal:
        await service.carry_out(asked(code, "Medo", "ready", MarkReady(ready=True)))
    assert refusal.value.code is RefusalCode.NOT_SEATED


class OldStore:
    """A store that remembers a room as it was long ago."""

    def __init__(self, rooms: Rooms, old: Stored) -> None:
        self.load, self.answered, self.commit = rooms.store.load, rooms.store.answered, rooms.store.commit
        self._old = old

    async def recent(self, _code: str) -> Stored:
        return self._old


class BusyStore:
    """A store on which somebody else is always faster."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self.tries = 0

    async def load(self, code: str) -> Stored:
        return await self._rooms.store.load(code)

    async def recent(self, code: str) -> Stored:
        return await self.load(code)

    async def commit(self, commit: Commit) -> Committed:
        self.tries += 1
        mark = MarkReady(ready=self.tries % 2 == 1)
        await self._rooms.service.carry_out(asked(commit.room.code, "Lija", f"r{self.tries}", mark))
        with pytest.raises(Conflict) as conflict:
            await self._rooms.store.commit(commit)
        raise conflict.value


async def test_a_store_that_does_not_answer_makes_commands_unavailable(unserved: Rooms) -> None:
    code = await unserved.make()
    await unserved.store.close()
    with pytest.raises(RoomRefusal) as refusal:
        await unserved.service.carry_out(asked(code, "Lija", "a", Join("x")))
    assert (refusal.value.code, refusal.value.retry) == (RefusalCode.UNAVAILABLE, True)
    with pytest.raises(StoreUnavailable):
        await unserved.service.create(identity("Lija"), "papir", 4)


async def test_a_rematch_asked_for_by_all_at_once_is_one_game_with_dice_of_its_own(unserved: Rooms) -> None:
    code = await start_game(unserved, NAMES[:3], "my-yahtzee")
    first = await finish_game(unserved, code)
    again = Rematch(first.game_id)
    answers = await asyncio.gather(
        *(unserved.service.carry_out(asked(code, name, "again", again)) for name in NAMES[:3])
    )
    room = (await unserved.service.load(code)).room
    assert len({answer.version for answer in answers}) == 3
    assert (room.phase, room.previous_game) == (Phase.LOBBY, first.game_id)
    assert room.game_id != first.game_id
    assert len(room.secret) == len(first.secret)
    assert room.secret != first.secret
    late = await unserved.service.carry_out(asked(code, "Lija", "once more", again))
    after = (await unserved.service.load(code)).room
    assert (late.is_duplicate, after.game_id, after.secret) == (False, room.game_id, room.secret)


async def test_a_room_that_is_not_there_is_not_found(unserved: Rooms) -> None:
    with pytest.raises(RoomNotFound):
        await unserved.service.carry_out(asked("NOWAY", "Lija", "a", Leave()))


async def test_the_log_has_the_events_of_the_game_alone(unserved: Rooms) -> None:
    code = await start_game(unserved)
    await carry_out(unserved, code, "Lija", ROLL)
    [event] = await unserved.store.log(code)
    assert event.startswith(b'{"type":"rolled","seat":0,"roll":1')


async def test_the_commit_that_ends_a_game_puts_it_in_the_outbox_and_wakes_the_archiver(
    unserved: Rooms,
) -> None:
    code = await start_game(unserved)
    while (stored := await unserved.service.load(code)).room.phase is Phase.PLAYING:
        assert await unserved.store.unrecorded(1) == []
        game = stored.room.game
        assert game is not None
        # The last that is listed would be an undo, again and again.
        onward = [action for action in legal_actions(game) if action != Undo()]
        action = Act(game.seat, game.turn, game.roll, onward[-1])
        await unserved.service.carry_out(asked(code, "Lija", f"v{stored.version}", action))
    assert await unserved.store.unrecorded(1) == [FinishedGame(code, stored.room.game_id)]
    assert await unserved.archiver.record_all()
    assert set(unserved.recorded) == {stored.room.game_id}
