"""What a table sees: whole states, and the parts that a step changes."""

import json
import random
from typing import Any

import orjson
import pytest
from pydantic import TypeAdapter

from app.rooms import wire
from app.rooms.commands import (
    CallOut,
    ChangeSettings,
    Choice,
    Choose,
    Command,
    Join,
    Leave,
    MarkReady,
    Rematch,
    Start,
)
from app.rooms.deciding import decide
from app.rooms.event_views import event
from app.rooms.events import (
    BotAdded,
    BotChosen,
    CalledOut,
    ChatSet,
    HostPassed,
    Kept,
    Kicked,
    Postponed,
    RematchMade,
    RoomEvent,
    SeatLeft,
    SeatReturned,
    Waited,
)
from app.rooms.parts import StatePart
from app.rooms.room import OfferReason, Room
from app.rooms.server_messages import EventPart, Update
from app.rooms.store import Stored
from app.rooms.views import changed_parts, state
from app.rules.actions import Announce, Roll
from app.rules.events import Filled
from app.rules.presets import PAPIR, named
from app.rules.variant import Cell, ColumnKind, Duty, Reach, Row
from tests.rooms.tables import (
    NAMES,
    NOW,
    SECRET,
    act,
    after,
    after_server,
    by,
    lobby,
    played_out,
    player_of,
    seated,
    started,
    steps,
    timed,
)
from tests.rules.positions import position
from tests.values import replace

Seen = dict[str, Any]


def seen(room: Room) -> Seen:
    """The state as it comes out of the wire."""
    return dict(orjson.loads(orjson.dumps(state(room))))


def following(before: Seen, room: Room, after_step: Room) -> Seen:
    """What a client sees after a step, from what it saw before and the parts that it is given."""
    parts: Seen = orjson.loads(orjson.dumps(changed_parts(room, after_step)))
    changed = parts.pop("sheets", None)
    sheets = (
        {} if changed == [] else {sheet["seat"]: sheet for sheet in [*before["sheets"], *(changed or [])]}
    )
    return before | parts | {"sheets": [sheets[seat] for seat in sorted(sheets)]}


LOBBY_STEPS: list[tuple[str, Command]] = [
    ("Lija", Join("a")),
    ("Medo", Join("b")),
    ("Medo", MarkReady(ready=True)),
    ("Lija", ChangeSettings("classic-5x4", 3)),
    ("Lija", ChangeSettings("papir", 4)),
    ("Zec", Join("c")),
    ("Lija", Leave()),
    ("Zec", Leave()),
    ("Medo", Leave()),
    ("Zec", Join("d")),
    ("Zec", MarkReady(ready=True)),
    ("Zec", Start()),
]


def test_updates_in_the_lobby_lead_to_the_same_state_as_a_snapshot() -> None:
    room = lobby()
    client = seen(room)
    for name, command in LOBBY_STEPS:
        after_step, _ = decide(room, command, by(name))
        client = following(client, room, after_step)
        room = after_step
        assert client == seen(room), command


@pytest.mark.parametrize(("variant", "seats"), [("classic-5x4", 1), ("papir", 1), ("papir", 2)])
def test_updates_of_a_whole_game_lead_to_the_same_state_as_a_snapshot(variant: str, seats: int) -> None:
    room = started(NAMES[:seats], variant)
    client = seen(room)
    for before, after_step, _ in steps(room, random.Random(2)):
        client = following(client, before, after_step)
        assert client == seen(after_step)


def test_states_and_updates_are_as_their_types_say() -> None:
    room = started(NAMES[:2], "papir")
    StatePart.model_validate_json(orjson.dumps(state(seated())))
    for step, (before, after_step, happened) in enumerate(steps(room, random.Random(7))):
        if step % 10 == 0:
            StatePart.model_validate_json(orjson.dumps(state(after_step)))
            Update.model_validate_json(
                wire.update(Stored(before, 1, "e"), after_step, wire.shown(happened), NOW)
            )
        room = after_step
    StatePart.model_validate_json(orjson.dumps(state(room)))


def test_an_update_has_the_sheets_that_changed_and_no_others() -> None:
    room = started(NAMES[:3])
    for before, after_step, happened in steps(room, random.Random(4)):
        parts: Seen = orjson.loads(orjson.dumps(changed_parts(before, after_step)))
        filled = {event.seat for event in happened if isinstance(event, Filled)}
        assert {sheet["seat"] for sheet in parts.get("sheets", [])} == filled


def test_a_roll_changes_the_turn_alone() -> None:
    room = started()
    rolled, _ = act(room, Roll())
    assert set(changed_parts(room, rolled)) == {"turn"}


def test_a_ready_mark_changes_the_seats_alone() -> None:
    room = seated()
    assert set(changed_parts(room, after(room, "Medo", MarkReady(ready=False)))) == {"seats"}


def test_the_secret_is_in_no_view_before_the_end() -> None:
    rooms = [lobby(), seated(), started()]
    for before, after_step, happened in steps(started(), random.Random(6)):
        rooms.append(before)
        update = wire.update(Stored(before, 1, "e"), after_step, wire.shown(happened), NOW)
        assert (SECRET.hex().encode() in update) is (after_step.ended_at is not None)
    for room in rooms:
        assert SECRET.hex() not in orjson.dumps(state(room)).decode()


def test_at_the_end_there_are_places_and_the_secret() -> None:
    client = seen(played_out(started()))
    assert client["turn"] is None
    assert client["dice_proof"]["secret"] == SECRET.hex()
    assert client["result"]["reason"] == "sheets_full"
    assert [row["place"] for row in client["result"]["standings"]] == [1, 2]


def test_a_lobby_has_no_turn_no_sheets_and_no_result() -> None:
    client = seen(seated())
    assert (client["turn"], client["sheets"], client["result"]) == (None, [], None)
    assert client["room"]["host"] == player_of("Lija")


def test_a_table_of_one_drops_the_notification_column() -> None:
    assert seen(started(NAMES[:1], "papir"))["room"]["dropped_columns"] == ["notification"]
    assert seen(started(NAMES[:2], "papir"))["room"]["dropped_columns"] == []


def test_before_the_first_roll_nothing_but_a_roll_is_legal() -> None:
    legal = seen(started())["turn"]["legal"]
    assert legal["roll"] == {"legal": True, "max_hold": 0, "reason": None}
    assert [legal[part] for part in ("announce", "open", "scores", "counted")] == [{}] * 4
    assert {column["reason"] for column in legal["closed"].values()} == {"roll_first"}


def test_the_legal_cells_come_with_their_scores_and_the_dice_that_count() -> None:
    room, _ = act(started(), Roll())
    turn = seen(room)["turn"]
    legal = turn["legal"]
    assert legal["roll"] == {"legal": True, "max_hold": 5, "reason": None}
    rows = [rule["row"] for rule in seen(room)["variant"]["rows"]]
    assert legal["open"]["free"] == list(legal["scores"]) == rows
    sixes = [face for face in turn["dice"] if face == 6]
    assert legal["counted"].get("sixes", []) == sixes
    assert legal["scores"]["sixes"] == sum(sixes)
    assert legal["closed"]["down"] == {"reason": "out_of_order", "rows": ["ones"]}


def test_an_announcement_is_seen_as_binding_the_next_player() -> None:
    room, _ = act(started(NAMES[:2], "papir"), Roll())
    room, _ = act(room, Announce(Cell(ColumnKind.ANNOUNCED, Row.SIXES)))
    cell = {"column": "notification", "row": "sixes"}
    turn = seen(room)["turn"]
    assert turn["announced"] == {"column": "announced", "row": "sixes"}
    assert turn["bound"] is None
    assert turn["pending"] == [{"seat": 1, "by": 0, "duty": "must", **cell}]
    while turn["seat"] == 0:
        room = next(after_step for _, after_step, _ in steps(room, random.Random(1)))
        turn = seen(room)["turn"]
    assert turn["bound"] == {"duty": "must", "cells": [{**cell, "by": 0}], "by": 0}
    assert turn["pending"] == []


def test_a_cell_that_two_opponents_announced_is_bound_once() -> None:
    to_all = tuple(
        replace(column, reach=Reach.ALL) if column.kind is ColumnKind.NOTIFICATION else column
        for column in PAPIR.columns
    )
    variant = named(replace(PAPIR, columns=to_all))
    bound = {0: [("sixes", 1), ("ones", 2), ("sixes", 2)]}
    game = position(variant, None, None, None, dice=(6,) * 6, bound=bound)
    turn = seen(replace(started(NAMES[:3], "papir"), variant=variant, game=game))["turn"]
    sixes, ones = (
        {"column": "notification", "row": row, "by": by} for row, by in (("sixes", 1), ("ones", 2))
    )
    assert turn["bound"] == {"duty": "must", "cells": [sixes, ones], "by": 1}


def test_what_one_may_play_is_no_longer_seen_once_one_has_announced_oneself() -> None:
    """The cell is closed then, as `legal` says too."""
    may = tuple(
        replace(column, duty=Duty.MAY) if column.kind is ColumnKind.NOTIFICATION else column
        for column in PAPIR.columns
    )
    variant = named(replace(PAPIR, columns=may))
    game = position(variant, None, None, seat=0, dice=(6,) * 6, bound={0: [("sixes", 1)]})
    room = replace(started(NAMES[:2], "papir"), variant=variant, game=game)
    called = seen(room)["turn"]
    assert called["bound"]["cells"] == [{"column": "notification", "row": "sixes", "by": 1}]
    assert called["legal"]["open"]["notification"] == ["sixes"]
    room, _ = act(room, Announce(Cell(ColumnKind.ANNOUNCED, Row.ONES)))
    told = seen(room)["turn"]
    assert told["bound"] is None
    assert "notification" not in told["legal"]["open"]


def test_a_finished_table_of_one_names_the_board_of_what_it_played() -> None:
    """The table stays one of papir; alone it was played without the notification column."""
    over = seen(played_out(started(NAMES[:1], "papir")))
    assert (over["variant"]["id"], over["result"]["board"]) == ("papir", "papir-solo")


def test_what_belongs_to_the_turn_is_told_without_the_game_having_moved() -> None:
    room = timed(NAMES[:3])
    assert seen(room)["turn"]["deadline"] == room.deadline
    asked = after_server(room, CallOut(0, 1, OfferReason.GONE), now=NOW + 1)
    parts = orjson.loads(orjson.dumps(changed_parts(room, asked)))
    assert set(parts) == {"turn"}
    assert parts["turn"]["offer"] == {"seat": 0, "reason": "gone", "since": NOW + 1}
    given = after(asked, "Medo", Choose(0, 1, Choice.BOT))
    turn = orjson.loads(orjson.dumps(changed_parts(asked, given)))["turn"]
    assert (turn["bot"], turn["offer"], turn["deadline"]) == (True, None, None)


def test_a_seat_that_its_player_left_is_played_by_a_bot() -> None:
    room = started(NAMES[:3])
    left = after(room, "Medo", Leave())
    parts = changed_parts(room, left)
    assert set(parts) == {"seats"}
    seats = seen(left)["seats"]
    assert [(seat["played_by"], seat["left"]) for seat in seats] == [
        ("player", False),
        ("bot", True),
        ("player", False),
    ]
    assert set(changed_parts(room, after(room, "Lija", Leave()))) == {"room", "seats", "turn"}


def test_a_rematch_takes_all_sheets_away_and_hides_the_next_secret() -> None:
    before = played_out(started())
    room = after(before, "Lija", Rematch(before.game_id, "g2", b"2" * 32))
    parts = orjson.loads(orjson.dumps(changed_parts(before, room)))
    assert (parts["sheets"], parts["turn"], parts["result"]) == ([], None, None)
    assert parts["dice_proof"]["game"] == "g2"
    assert parts["dice_proof"]["secret"] is None
    assert (b"2" * 32).hex() not in orjson.dumps(state(room)).decode()
    assert (parts["room"]["games"], parts["room"]["previous_game"]) == (1, before.game_id)


def test_the_end_of_a_game_tells_the_tally() -> None:
    room = played_out(started())
    tally = seen(room)["room"]["tally"]
    best = seen(room)["result"]["standings"][0]["seat"]
    assert [one["wins"] for one in tally] == [int(seat == best) for seat in range(2)]


@pytest.mark.parametrize(
    "happened",
    [
        BotAdded(1, "Bot 1"),
        Kicked(1, "p1", "Medo"),
        SeatLeft(1),
        SeatReturned(1),
        HostPassed("p1", "Medo"),
        CalledOut(0, 3, OfferReason.DEADLINE),
        Waited(0, 3, by=1),
        BotChosen(0, 3, by=1),
        ChatSet(on=False),
        RematchMade("g2"),
        Postponed(500),
        Kept(1, kept=True),
    ],
    ids=lambda happened: type(happened).__name__,
)
def test_what_happens_around_the_game_is_told_as_its_type_says(happened: RoomEvent) -> None:
    event_type: TypeAdapter[EventPart] = TypeAdapter(EventPart)
    shown = event_type.validate_json(json.dumps(event(happened)))
    assert set(shown.model_dump()) - {"type"} == set(happened.__struct_fields__)


def test_a_seat_says_whose_account_sits_there_but_not_of_one_that_is_lent() -> None:
    lija = replace(by("Lija"), user_name="lija.99")
    room = replace(lobby(), own_dice=True)
    for command in (Join("x"), Join("y", name="Baba")):
        room, _ = decide(room, command, lija)
    room = after(room, "Medo", Join("z"))

    assert [seat["user_name"] for seat in seen(room)["seats"]] == ["lija.99", None, None]
