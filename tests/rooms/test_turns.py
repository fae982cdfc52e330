"""What happens without anybody's command: bots play, and the others are asked when a turn's time is over."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.rooms.closing import Close, CloseCode
from app.rooms.commands import (
    Act,
    AddBot,
    ChangeSettings,
    Choice,
    Choose,
    Command,
    Join,
    Leave,
    MarkReady,
    Rematch,
    SetChat,
    Start,
)
from app.rooms.hub import Viewer
from app.rooms.local_store import LocalStore
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import OfferReason, Pace, Phase, Room
from app.rooms.schedule import BOT_PAUSE_MS, KEEP_MS
from app.rooms.store import FIRING_MS, Commit, Committed, StoreUnavailable
from app.rules.actions import Action, Fill, Roll
from app.rules.legality import legal_actions
from app.rules.record import verify
from app.rules.state import Game
from tests.around_store import AroundStore
from tests.rooms.clocks import Clock
from tests.rooms.outboxes import next_of
from tests.rooms.serving import Rooms, choose_first, make_rooms
from tests.rooms.tables import NAMES, identity, played_out, started
from tests.rooms.test_service import asked

BRISK_MS = 40_000
ROLL = Act(0, 1, 0, Roll())


class Table:
    """A room, its players by name, and a clock of their own."""

    def __init__(self, rooms: Rooms, clock: Clock, code: str) -> None:
        self.rooms = rooms
        self.clock = clock
        self.code = code
        self._requests = 0

    async def give(self, name: str, *commands: Command) -> Committed:
        """Carry out a player's commands, each under a request id of its own; the last answer."""
        answers = []
        for command in commands:
            self._requests += 1
            request = asked(self.code, name, f"r{self._requests}", command)
            answers.append(await self.rooms.service.carry_out(request))
        return answers[-1]

    async def start(self, *names: str, bots: int = 0, pace: Pace = Pace.NONE) -> None:
        """Seat these players and bots, and begin."""
        await self.give(names[0], ChangeSettings("classic-5x4", 8, pace=pace))
        for name in names:
            await self.give(name, Join(f"text of {name}"), MarkReady(ready=True))
        await self.give(names[0], *[AddBot()] * bots, Start())

    async def play(self, name: str) -> None:
        """A whole turn of the player to move: one roll, and the first cell that can be filled."""
        for kind in (Roll, Fill):
            game = await self.game()
            action = next(action for action in legal_actions(game) if isinstance(action, kind))
            await self.give(name, Act(game.seat, game.turn, game.roll, action))

    async def refusal(self, name: str, command: Command) -> RefusalCode:
        """Why a command is refused."""
        with pytest.raises(RoomRefusal) as refusal:
            await self.give(name, command)
        assert isinstance(refusal.value.code, RefusalCode)
        return refusal.value.code

    async def after(self, ms: int) -> None:
        """Let time pass, and fire what is due then."""
        self.clock.now += ms
        await self.rooms.worker.turns.fire_due()

    async def room(self) -> Room:
        """The newest state."""
        return (await self.rooms.store.load(self.code)).room

    async def game(self) -> Game:
        """That of the game."""
        game = (await self.room()).game
        assert game is not None
        return game

    async def rolls(self) -> list[tuple[int, int]]:
        """Seat and number of every roll that was made."""
        events = [json.loads(event) for event in await self.rooms.store.log(self.code)]
        return [(event["seat"], event["roll"]) for event in events if event["type"] == "rolled"]


def store_of(folder: Path, clock: Clock) -> LocalStore:
    """A store in a folder that lives by that clock."""
    return LocalStore(folder / "rooms.db", clock=lambda: clock.now / 1000)


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    """A new room of Lija's over an open store."""
    clock = Clock()
    rooms = make_rooms(store_of(tmp_path, clock), now=clock)
    await rooms.store.open(rooms.hub)
    yield Table(rooms, clock, await rooms.make())
    await rooms.store.close()


async def test_a_bot_acts_when_its_pause_is_over_and_not_before(table: Table) -> None:
    await table.start("Lija", bots=1)
    await table.play("Lija")
    await table.after(BOT_PAUSE_MS - 1)
    assert await table.rolls() == [(0, 1)]
    await table.after(1)
    assert await table.rolls() == [(0, 1), (1, 1)]
    await table.after(BOT_PAUSE_MS - 1)
    assert (await table.game()).roll == 1


async def test_how_late_a_timer_fires_is_counted(table: Table) -> None:
    await table.start("Lija", bots=1)
    await table.play("Lija")
    await table.after(BOT_PAUSE_MS + 300)
    timers = table.rooms.hub.meters.timers
    assert sum(timers.counts) == 1
    assert timers.sum == pytest.approx(0.3)


async def test_bots_play_one_after_the_other_until_a_person_is_to_move(table: Table) -> None:
    await table.start("Lija", bots=2)
    await table.play("Lija")
    while (await table.game()).seat != 0:
        await table.after(BOT_PAUSE_MS)
    assert (await table.game()).turn == 4
    version = (await table.rooms.store.load(table.code)).version
    await table.after(10 * BRISK_MS)
    assert (await table.rooms.store.load(table.code)).version == version


async def test_a_game_of_people_who_have_all_left_is_played_to_its_end_and_recorded(table: Table) -> None:
    await table.start("Lija", "Medo")
    await table.play("Lija")
    await table.give("Lija", Leave())
    await table.give("Medo", Leave())
    while (await table.room()).phase is Phase.PLAYING:
        await table.after(BOT_PAUSE_MS)
    assert await table.rooms.archiver.record_all()
    [record] = table.rooms.recorded.values()
    verify(record)
    assert [seat.ended for seat in record.seats] == ["bot_from_turn_3", "bot_from_turn_2"]


async def test_a_bot_that_cannot_choose_or_chooses_what_is_illegal_plays_something_legal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def choose_badly(game: Game) -> Action:
        if game.roll == 0:
            raise ZeroDivisionError
        return Roll((99,))

    clock = Clock()
    rooms = make_rooms(store_of(tmp_path, clock), now=clock, choose=choose_badly)
    await rooms.store.open(rooms.hub)
    table = Table(rooms, clock, await rooms.make())
    await table.start("Lija", bots=1)
    await table.play("Lija")
    for _ in range(2):
        await table.after(BOT_PAUSE_MS)
    assert await table.rolls() == [(0, 1), (1, 1), (1, 2)]
    assert "ZeroDivisionError" in caplog.text
    assert "chose what is illegal" in caplog.text
    await rooms.store.close()


async def test_a_bot_that_thinks_gives_way_to_the_sockets_at_once_and_only_meanwhile(tmp_path: Path) -> None:
    usual, seen = sys.getswitchinterval(), list[float]()

    def choose_and_look(game: Game) -> Action:
        seen.append(sys.getswitchinterval())
        return choose_first(game)

    clock = Clock()
    rooms = make_rooms(store_of(tmp_path, clock), now=clock, choose=choose_and_look)
    await rooms.store.open(rooms.hub)
    table = Table(rooms, clock, await rooms.make())
    await table.start("Lija", bots=1)
    await table.play("Lija")
    await table.after(BOT_PAUSE_MS)
    assert seen == [0.0005]
    assert sys.getswitchinterval() == usual
    await rooms.store.close()


async def test_a_timer_that_cannot_be_fired_is_fired_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    store = FailingStore(tmp_path / "rooms.db", clock=lambda: clock.now / 1000)
    rooms = make_rooms(store, now=clock)
    await store.open(rooms.hub)
    table = Table(rooms, clock, await rooms.make())
    await table.start("Lija", bots=1)
    await table.play("Lija")
    store.failures = 1
    await table.after(BOT_PAUSE_MS)
    assert "fired later: away" in caplog.text
    assert await table.rolls() == [(0, 1)]
    await table.after(FIRING_MS)
    assert await table.rolls() == [(0, 1), (1, 1)]
    await store.close()


class FailingStore(AroundStore):
    """A store that doesn't answer for some commits."""

    failures = 0

    async def commit(self, commit: Commit) -> Committed:
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable("away")
        return await super().commit(commit)


async def test_a_bot_gets_its_turn_however_much_others_do_while_it_thinks(tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    thoughts: list[Game] = []

    def choose_slowly(game: Game) -> Action:
        thoughts.append(game)
        meanwhile = busy.give("Lija", SetChat(on=len(thoughts) % 2 == 0))
        asyncio.run_coroutine_threadsafe(meanwhile, loop).result(5)
        return choose_first(game)

    clock = Clock()
    rooms = make_rooms(store_of(tmp_path, clock), now=clock, choose=choose_slowly)
    await rooms.store.open(rooms.hub)
    busy = Table(rooms, clock, await rooms.make())
    await busy.start("Lija", bots=1)
    await busy.play("Lija")
    await busy.after(BOT_PAUSE_MS)
    assert await busy.rolls() == [(0, 1), (1, 1)]
    assert len(thoughts) == 1
    await rooms.store.close()


async def test_when_the_time_of_a_turn_is_over_the_others_are_asked_once(table: Table) -> None:
    await table.start("Lija", "Medo", pace=Pace.BRISK)
    await table.after(BRISK_MS - 1)
    assert (await table.room()).offer is None
    await table.after(1)
    offer = (await table.room()).offer
    assert offer is not None
    assert (offer.seat, offer.turn, offer.reason) == (0, 1, OfferReason.DEADLINE)
    version = (await table.rooms.store.load(table.code)).version
    for _ in range(3):
        await table.after(BRISK_MS)
    assert (await table.rooms.store.load(table.code)).version == version
    await table.give("Lija", ROLL)
    assert await table.refusal("Medo", Choose(0, 1, Choice.WAIT)) is RefusalCode.NO_OFFER


async def test_when_the_others_wait_the_turn_has_its_whole_time_again(table: Table) -> None:
    await table.start("Lija", "Medo", pace=Pace.BRISK)
    await table.after(BRISK_MS)
    await table.give("Medo", Choose(0, 1, Choice.WAIT))
    await table.after(BRISK_MS - 1)
    assert (await table.room()).offer is None
    await table.after(1)
    assert (await table.room()).offer is not None


async def test_a_bot_plays_the_turn_that_it_was_given_and_no_more(table: Table) -> None:
    await table.start("Lija", "Medo", pace=Pace.BRISK)
    await table.after(BRISK_MS)
    await table.give("Medo", Choose(0, 1, Choice.BOT))
    while (await table.game()).turn == 1:
        await table.after(BOT_PAUSE_MS)
    room = await table.room()
    assert (room.seats[0].bot_turns, room.seats[0].left) == (1, False)
    await table.play("Medo")
    await table.after(BOT_PAUSE_MS)
    assert (await table.game()).roll == 0


@pytest.mark.parametrize("is_hand_first", [True, False])
async def test_a_roll_by_hand_at_the_instant_the_deadline_fires_gives_one_roll(
    table: Table, *, is_hand_first: bool
) -> None:
    await table.start("Lija", "Medo", pace=Pace.BRISK)
    table.clock.now += BRISK_MS
    at_once = [table.give("Lija", ROLL), table.rooms.worker.turns.fire_due()]
    await asyncio.gather(*(at_once if is_hand_first else reversed(at_once)))
    assert await table.rolls() == [(0, 1)]
    assert (await table.game()).roll == 1
    # Whether or not the others are asked now, he plays on.
    await table.give("Lija", Act(0, 1, 1, Roll((0,))))
    assert await table.rolls() == [(0, 1), (0, 2)]
    assert (await table.room()).offer is None


@pytest.mark.parametrize("is_hand_first", [True, False])
async def test_a_roll_by_hand_at_the_instant_the_bot_rolls_gives_one_roll(
    table: Table, *, is_hand_first: bool
) -> None:
    await table.start("Lija", "Medo", pace=Pace.BRISK)
    await table.after(BRISK_MS)
    await table.give("Medo", Choose(0, 1, Choice.BOT))
    table.clock.now += BOT_PAUSE_MS
    at_once = [table.give("Lija", ROLL), table.rooms.worker.turns.fire_due()]
    outcomes = await asyncio.gather(
        *(at_once if is_hand_first else reversed(at_once)), return_exceptions=True
    )
    assert await table.rolls() == [(0, 1)]
    refusals = [outcome.code for outcome in outcomes if isinstance(outcome, RoomRefusal)]
    assert refusals in ([], [RefusalCode.STALE])


async def test_time_in_which_no_timer_was_asked_for_is_given_back(table: Table) -> None:
    await table.start("Lija", "Medo", pace=Pace.BRISK)
    await table.after(1)
    deadline = (await table.room()).deadline
    assert deadline is not None
    await table.after(2 * BRISK_MS)
    room = await table.room()
    assert (room.offer, room.deadline) == (None, deadline + 2 * BRISK_MS)
    # The turn goes on for what was left of it.
    for _ in range(100):
        await table.after(BRISK_MS // 99)
    assert (await table.room()).offer is not None


async def test_timers_of_a_room_that_has_nothing_to_fire_are_dropped(table: Table) -> None:
    await table.start("Lija", "Medo", pace=Pace.BRISK)
    stored = await table.rooms.store.load(table.code)
    await table.rooms.store.commit(
        Commit(stored.room, stored.version, "odd", b"{}", due=table.clock.now - 1, keep_ms=None)
    )
    await table.after(0)
    assert await table.rooms.store.due(table.clock.now + FIRING_MS, 5) == []


async def test_who_looks_on_at_a_game_that_nobody_plays_is_told_when_it_has_expired(table: Table) -> None:
    await table.start("Lija", "Medo")
    viewer = Viewer(table.code, identity("Medo"))
    table.rooms.hub.attach(viewer)
    await table.rooms.hub.bring_up_to_date(viewer)
    assert json.loads(await next_of(viewer.outbox) or "")["type"] == "welcome"
    table.clock.now += KEEP_MS[Phase.PLAYING] - 1
    await table.rooms.hub.audit()
    assert not len(viewer.outbox)
    table.clock.now += 1
    await table.rooms.hub.audit()
    assert json.loads(await next_of(viewer.outbox) or "") == {"type": "notice", "code": "expired"}
    with pytest.raises(Close) as close:
        await next_of(viewer.outbox)
    assert close.value.code is CloseCode.ROOM_GONE
    table.rooms.hub.detach(viewer)


async def test_exactly_one_next_game_however_many_press_rematch(table: Table) -> None:
    names = NAMES[:4]
    over = played_out(started(names))
    await table.rooms.store.create(over)
    table.code = over.code
    await asyncio.gather(*[table.give(name, Rematch(over.game_id)) for name in names * 5])
    room = await table.room()
    assert (room.phase, room.previous_game, len(room.seats)) == (Phase.LOBBY, over.game_id, 4)
    for name in names:
        await table.give(name, MarkReady(ready=True, text="once more"))
    await table.give("Lija", Rematch(over.game_id))
    assert (await table.room()).phase is Phase.PLAYING
    updates = await table.rooms.store.updates_since(table.code, 0)
    assert updates is not None
    events = [event for _, update in updates for event in json.loads(update)["events"]]
    assert [event["game"] for event in events if event["type"] == "rematch"] == [room.game_id]
    assert [event["type"] for event in events].count("started") == 1
