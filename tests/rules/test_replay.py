"""Replays: the steps of a game, whose changed columns laid over each other give every sheet there was."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.events import Announced, Event, Filled, Passed, Rolled, Undone
from app.rules.game import evolve
from app.rules.notation import parse_game
from app.rules.own_dice import game as own_dice
from app.rules.own_dice.actions import Cleared, ClearSheet, Emptied, SheetEvent, Withdrawn
from app.rules.plain import (
    NotPlain,
    event_to_plain,
    replay_to_plain,
    sheet_event_from_plain,
    sheet_event_to_plain,
    sheet_to_plain,
    sheets_to_plain,
)
from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.replay import Step, steps_of_game, steps_of_own_dice
from app.rules.state import Undoing
from app.rules.variant import ColumnKind, Variant
from tests.rules.games import POLICIES, Choose, honest_record
from tests.rules.positions import cell
from tests.rules.test_own_dice import random_action
from tests.rules.variants import variants

Sheets = dict[int, dict[str, Any]]


def laid_over(sheets: Sheets, step: Mapping[str, Any]) -> None:
    """What a client does with a step: no rules."""
    sheet = sheets.setdefault(step["seat"], {"total": 0, "cells": {}, "sums": {}})
    sheet["total"] = step["total"]
    for name, column in step["columns"].items():
        for part in ("cells", "sums"):
            sheet[part].pop(name, None)
            if column is not None:
                sheet[part][name] = column[part]


def plain_steps(layout: Any, steps: Sequence[Step]) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = json.loads(json.dumps(replay_to_plain(layout, steps)))["steps"]
    return shown


@settings(max_examples=12, deadline=None)
@given(
    variant=variants(), seats=st.integers(1, 4), seed=st.integers(0, 2**32), choose=st.sampled_from(POLICIES)
)
def test_the_steps_are_the_turns_and_give_every_sheet_without_rules(
    variant: Variant, seats: int, seed: int, choose: Choose
) -> None:
    record = honest_record(variant, seats, seed, choose, undo=Undoing.ENTRY)
    steps = steps_of_game(record.first, record.log)
    assert len(steps) == record.final.turn - 1
    assert [step.seat for step in steps] == [turn % seats for turn in range(len(steps))]
    layout = record.first.layout
    entries = [min(len(step.before) - step.before.count(None) + 1, len(layout.playable)) for step in steps]
    assert [step.round for step in steps] == entries

    game, sheets = record.first, Sheets()
    for step, shown in zip(steps, plain_steps(record.first.layout, steps), strict=True):
        for event in step.events:
            assert isinstance(event, Event)
            game = evolve(game, event)
        laid_over(sheets, shown)
        assert sheets[step.seat] == sheet_to_plain(game.layout, game.sheets[step.seat])
    final = [{"seat": seat, **sheets[seat]} for seat in range(seats)]
    assert final == sheets_to_plain(record.final)


def test_what_was_taken_back_stays_in_its_turn_and_is_no_entry() -> None:
    played = parse_game("classic-5x4/2/entry 64313 6.... free.sixes undo free.max 11111 down.ones")
    first, second = steps_of_game(played.first, played.log)
    assert [type(event) for event in first.events] == [Rolled, Rolled, Filled, Undone, Filled]
    (shown, _) = plain_steps(played.first.layout, (first, second))
    assert list(shown["columns"]) == ["free"]
    assert list(shown["columns"]["free"]["cells"]) == ["max"]
    assert second.seat == 1


def test_a_pass_that_followed_from_an_entry_goes_with_it_when_it_is_taken_back() -> None:
    table = "(dice=5;ones;announced:1,notification:next:must)/2/entry"
    fill = "notification.ones"
    played = parse_game(f"{table} 11111 announced.ones 11112 {fill} undo {fill}")
    assert [type(event) for event in played.log].count(Passed) == 2
    second, third = steps_of_game(played.first, played.log)[1:3]
    assert [type(event) for event in second.events] == [Rolled, Filled, Undone, Filled]
    assert third.events == (Passed(0),)


def test_an_announcement_is_told_with_its_turn_also_when_it_has_been_filled() -> None:
    played = parse_game("classic-5x4/1 66611 announced.sixes! ...66 announced.sixes 12345 free.straight")
    first, second = steps_of_game(played.first, played.log)
    assert (first.announced, second.announced) == (cell("announced sixes"), None)
    assert Announced(0, cell("announced sixes")) in first.events


def test_a_table_of_one_has_no_notification_column_in_its_replay() -> None:
    record = honest_record(PAPIR, 1, 1)
    shown = replay_to_plain(record.first.layout, steps_of_game(record.first, record.log))
    assert str(ColumnKind.NOTIFICATION) not in json.dumps(shown)


@pytest.mark.parametrize("variant", [CLASSIC_5X4, PAPIR], ids=lambda variant: variant.id)
def test_a_game_with_real_dice_is_told_entry_by_entry(variant: Variant) -> None:
    rng, first = Random(variant.id), own_dice.start(variant, 3)
    game, log = first, list[SheetEvent]()
    for number in range(200):
        seat = rng.randrange(3)
        action = ClearSheet() if number == 100 else random_action(rng, game, seat)
        game, events = own_dice.apply(game, seat, action)
        log += [sheet_event_from_plain(sheet_event_to_plain(event)) for event in events]
        if not all(own_dice.open_cells(game, seat) for seat in range(3)):
            break
    assert {type(event) for event in log} == {Filled, Emptied, Cleared, Announced, Withdrawn}

    steps, sheets = steps_of_own_dice(first, log), Sheets()
    assert [step.events for step in steps] == [(event,) for event in log]
    folded = first
    for event, shown in zip(log, plain_steps(first.layout, steps), strict=True):
        folded = own_dice.evolve(folded, event)
        laid_over(sheets, shown)
        sheet = folded.sheets[event.seat]
        assert sheets[event.seat] == sheet_to_plain(first.layout, sheet)
        assert shown["round"] == sum(score is not None for score in sheet)
    assert folded == game


@pytest.mark.parametrize(
    "plain",
    [
        event_to_plain(Rolled(0, 1, (1, 2, 3, 4, 5), ())),
        event_to_plain(Passed(0)),
        {"type": "emptied", "seat": 0, "column": "free", "row": "ones"},
        {"type": "cleared"},
        {"type": "shouted", "seat": 0},
    ],
)
def test_what_does_not_happen_with_real_dice_is_not_read(plain: dict[str, object]) -> None:
    with pytest.raises(NotPlain):
        sheet_event_from_plain(plain)
