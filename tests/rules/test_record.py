"""`verify` accepts every honest record and finds whatever was changed in it."""

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.events import Announced, Event, Filled, Passed, Rolled, Undone
from app.rules.fairness import commitment_of
from app.rules.game import standings
from app.rules.legality import is_over
from app.rules.presets import CLASSIC_5X4, PAPIR, PRESETS
from app.rules.record import Record, RecordSeat, WrongRecord, verify
from app.rules.variant import Cell, ColumnKind, Row, Variant
from tests.rules.games import honest_record, in_haste, unevenly
from tests.rules.referee import is_lawful
from tests.rules.variants import ANNOUNCED, FREE, HAND, NOTIFICATION, variants, with_columns
from tests.values import replace


@pytest.mark.parametrize(
    ("variant", "seats"),
    [*((variant, seats) for variant in PRESETS for seats in (1, 3)), (PAPIR, 2), (PAPIR, 8)],
    ids=lambda value: getattr(value, "id", str(value)),
)
def test_an_honest_record_is_verified(variant: Variant, seats: int) -> None:
    record = honest_record(variant, seats, seed=seats)
    final = verify(record)
    assert final == record.final
    assert is_over(final)
    assert len(standings(final)) == seats


@settings(max_examples=15, deadline=None)
@given(variant=variants(), seats=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_an_honest_record_of_any_variant_is_verified(variant: Variant, seats: int, seed: int) -> None:
    verify(honest_record(variant, seats, seed, in_haste))


@cache
def _records() -> tuple[Record, ...]:
    """Short games, with announcements, notifications and passes among their events."""
    small = with_columns(ANNOUNCED, NOTIFICATION, HAND)
    with_passes = with_columns(FREE, ANNOUNCED, NOTIFICATION)
    records = (
        honest_record(small, 2, seed=1, choose=in_haste),
        honest_record(with_columns(FREE, auto_fill=True), 1, seed=2),
        honest_record(with_passes, 3, seed=3, choose=unevenly),
    )
    assert {type(event) for record in records for event in record.log} == {Rolled, Announced, Filled, Passed}
    return records


def _wrong_face(event: Event, number: int) -> Event:
    if not isinstance(event, Rolled):
        return event
    position = number % len(event.dice)
    face = event.dice[position] % 6 + 1
    return replace(event, dice=(*event.dice[:position], face, *event.dice[position + 1 :]))


def _wrong_held(event: Event, number: int) -> Event:
    if not isinstance(event, Rolled):
        return event
    held = (*event.held, number) if number not in event.held else event.held[1:]
    return replace(event, held=tuple(sorted(held)))


def _wrong_roll(event: Event, number: int) -> Event:
    return replace(event, roll=event.roll + 1 + number) if isinstance(event, Rolled) else event


def _wrong_score(event: Event, number: int) -> Event:
    return replace(event, score=event.score + 1 + number) if isinstance(event, Filled) else event


def _wrong_row(event: Event, number: int) -> Event:
    if isinstance(event, Rolled | Passed | Undone):
        return event
    rows = list(Row)
    row = rows[(rows.index(event.cell.row) + 1 + number) % len(rows)]
    return replace(event, cell=Cell(event.cell.column, row))


def _wrong_column(event: Event, number: int) -> Event:
    if isinstance(event, Rolled | Passed | Undone):
        return event
    kinds = list(ColumnKind)
    kind = kinds[(kinds.index(event.cell.column) + 1 + number) % len(kinds)]
    return replace(event, cell=Cell(kind, event.cell.row))


def _wrong_seat(event: Event, number: int) -> Event:
    return replace(event, seat=event.seat + 1 + number)


def _wrong_kind(event: Event, number: int) -> Event:
    if isinstance(event, Filled):
        return Announced(event.seat, event.cell)
    if isinstance(event, Announced):
        return Filled(event.seat, event.cell, number)
    return Passed(event.seat) if isinstance(event, Rolled) else Rolled(event.seat, 1, (1, 2, 3, 4, 5), ())


WRONG_EVENTS: tuple[Callable[[Event, int], Event], ...] = (
    _wrong_face,
    _wrong_roll,
    _wrong_score,
    _wrong_row,
    _wrong_column,
    _wrong_seat,
    _wrong_kind,
)


def _is_verified(record: Record) -> bool:
    try:
        verify(record)
    except WrongRecord:
        return False
    return True


@pytest.mark.parametrize("wrong", WRONG_EVENTS, ids=lambda wrong: wrong.__name__.strip("_"))
@settings(max_examples=25, deadline=None)
@given(data=st.data(), number=st.integers(0, 4))
def test_a_changed_event_is_found(
    wrong: Callable[[Event, int], Event], data: st.DataObject, number: int
) -> None:
    record = data.draw(st.sampled_from(_records()))
    place = data.draw(st.integers(0, len(record.log) - 1))
    changed = wrong(record.log[place], number)
    log = (*record.log[:place], changed, *record.log[place + 1 :])
    assert _is_verified(replace(record, log=log)) == (changed == record.log[place])


@settings(max_examples=40, deadline=None)
@given(data=st.data(), number=st.integers(0, 4))
def test_other_holds_are_found_unless_the_dice_would_have_fallen_alike(
    data: st.DataObject, number: int
) -> None:
    record = data.draw(st.sampled_from(_records()))
    rolls = [place for place, event in enumerate(record.log) if isinstance(event, Rolled)]
    place = data.draw(st.sampled_from(rolls))
    changed = _wrong_held(record.log[place], number)
    tampered = replace(record, log=(*record.log[:place], changed, *record.log[place + 1 :]))
    assert _is_verified(tampered) == is_lawful(tampered)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_doubled_event_is_found(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(_records()))
    place = data.draw(st.integers(0, len(record.log) - 1))
    doubled = record.log[: place + 1] + record.log[place:]
    assert not _is_verified(replace(record, log=doubled))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_dropped_and_exchanged_events_are_found_unless_what_is_left_is_a_lawful_game(
    data: st.DataObject,
) -> None:
    """Choices are not signed: that another cell was crossed out, or after one roll less, can't be told."""
    record = data.draw(st.sampled_from(_records()))
    place = data.draw(st.integers(0, len(record.log) - 1))
    other = data.draw(st.integers(0, len(record.log) - 1))
    exchanged = list(record.log)
    exchanged[place], exchanged[other] = exchanged[other], exchanged[place]
    for log in (record.log[:place] + record.log[place + 1 :], tuple(exchanged)):
        tampered = replace(record, log=log)
        assert _is_verified(tampered) == is_lawful(tampered)


@pytest.mark.parametrize(
    "trailing", [Rolled(0, 1, (1,) * 5, ()), Filled(0, Cell(ColumnKind.FREE, Row.ONES), 1), Passed(0)]
)
def test_an_event_after_the_end_is_found(trailing: Event) -> None:
    for record in _records():
        assert not _is_verified(replace(record, log=(*record.log, trailing)))


def test_a_log_that_stops_early_or_never_began_is_found() -> None:
    for record in _records():
        for length in (0, 1, len(record.log) // 2, len(record.log) - 1):
            with pytest.raises(WrongRecord):
                verify(replace(record, log=record.log[:length]))
    with pytest.raises(WrongRecord, match="ends before the game is over"):
        verify(replace(_records()[0], log=()))


def _other_text(record: Record) -> Record:
    return replace(record, seats=(replace(record.seats[0], text="other"), *record.seats[1:]))


FRAMES: dict[str, Callable[[Record], Record]] = {
    "another secret": lambda record: replace(record, secret=b"x" * 32),
    "another secret and its commitment": lambda record: replace(
        record, secret=b"x" * 32, commitment=commitment_of(b"x" * 32)
    ),
    "a short secret and its commitment": lambda record: replace(
        record, secret=b"x", commitment=commitment_of(b"x")
    ),
    "another commitment": lambda record: replace(record, commitment="0" * 64),
    "another text": _other_text,
    "another game": lambda record: replace(record, game_id="other"),
    "another variant": lambda record: replace(record, variant=with_columns(FREE, HAND)),
    "other dice": lambda record: replace(record, variant=with_columns(FREE, of=PAPIR)),
    "a seat more": lambda record: replace(record, seats=(*record.seats, RecordSeat("p", "P", ""))),
    "no seats": lambda record: replace(record, seats=()),
    "nine seats": lambda record: replace(record, seats=record.seats[:1] * 9),
    "a text of 100 kilobytes": lambda record: replace(
        record, seats=(replace(record.seats[0], text="x" * 100_000), *record.seats[1:])
    ),
    "a game id that can not be encoded": lambda record: replace(record, game_id="\ud800"),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_a_record_with_something_else_around_its_log_is_found(frame: Callable[[Record], Record]) -> None:
    for record in _records():
        with pytest.raises(WrongRecord):
            verify(frame(record))


@pytest.mark.parametrize("length", [0, 16, 33])
def test_a_secret_of_another_length_is_found_though_every_die_follows_from_it(length: int) -> None:
    with pytest.raises(WrongRecord, match="secret"):
        verify(honest_record(with_columns(FREE), 1, seed=6, secret_bytes=length))


def test_an_event_of_a_seat_that_is_not_to_move_is_named_so() -> None:
    record = _records()[0]
    log = (replace(record.log[0], seat=1), *record.log[1:])
    with pytest.raises(WrongRecord, match="event 0: seat 0 is to move, not seat 1"):
        verify(replace(record, log=log))


def test_seats_whose_texts_were_exchanged_are_found() -> None:
    record = honest_record(CLASSIC_5X4, 2, seed=4, choose=in_haste)
    first, second = record.seats
    exchanged = (replace(first, text=second.text), replace(second, text=first.text))
    assert not _is_verified(replace(record, seats=exchanged))


def test_what_went_wrong_is_said_with_the_number_of_the_event() -> None:
    record = _records()[1]
    place = next(place for place, event in enumerate(record.log) if isinstance(event, Filled))
    changed = _wrong_score(record.log[place], 0)
    with pytest.raises(WrongRecord, match=f"event {place}: recorded "):
        verify(replace(record, log=(*record.log[:place], changed, *record.log[place + 1 :])))
