"""Games and positions as lines: read again as they were written, and one error for whatever is wrong."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.events import Event
from app.rules.game import start
from app.rules.legality import is_over
from app.rules.notation import (
    Played,
    WrongNotation,
    format_game,
    format_position,
    parse_game,
    parse_position,
)
from app.rules.presets import CLASSIC_5X4, PAPIR, PRESETS
from app.rules.sheet import total
from app.rules.state import Undoing
from app.rules.variant import Variant, content_id
from tests.rules.games import POLICIES, Choose, any_kind, steps
from tests.rules.referee import Referee
from tests.rules.variants import variants
from tests.values import replace

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


def _blocks(kind: str) -> list[str]:
    return re.findall(f"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def _examples(kind: str) -> list[str]:
    return [line for block in _blocks(kind) for line in block.splitlines()]


GAMES, POSITIONS = _examples("game"), _examples("position")


def _named_by_content(variant: Variant) -> Variant:
    return replace(variant, id=content_id(variant))


def _written_and_read(
    variant: Variant, seats: int, seed: int, choose: Choose, *, undo: Undoing = Undoing.OFF
) -> None:
    """Plays a game; its line gives it again, whole and cut off, and so do lines of its positions."""
    first = start(variant, seats, undo)
    log: list[Event] = []
    for number, step in enumerate(steps(variant, seats, seed, choose, undo=undo)):
        log += step.events
        if number % 17 == seed % 17:
            assert parse_position(format_position(step.after)) == step.after
        if number == seed % 50 or is_over(step.after):
            line = format_game(first, tuple(log))
            assert parse_game(line) == Played(first, tuple(log), step.after)


@pytest.mark.parametrize(("seats", "choose"), list(enumerate(POLICIES, start=1)))
@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_a_game_of_a_preset_is_read_as_it_was_written(variant: Variant, seats: int, choose: Choose) -> None:
    _written_and_read(variant, seats, seats, choose)


@settings(max_examples=12, deadline=None)
@given(
    variant=variants().map(_named_by_content),
    seats=st.integers(1, 8),
    seed=st.integers(0, 2**32),
    choose=st.sampled_from(POLICIES),
)
def test_a_game_of_any_variant_is_read_as_it_was_written(
    variant: Variant, seats: int, seed: int, choose: Choose
) -> None:
    if start(variant, seats).variant != variant:
        seats = 2
    _written_and_read(variant, seats, seed, choose)


@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_a_game_with_undos_is_read_as_it_was_written(variant: Variant) -> None:
    _written_and_read(variant, 3, 5, any_kind, undo=Undoing.ENTRY)


@pytest.mark.parametrize("line", GAMES)
def test_a_game_on_the_page_is_true(line: str) -> None:
    played = parse_game(line)
    assert format_game(played.first, played.log) == line


@pytest.mark.parametrize("line", POSITIONS)
def test_a_position_on_the_page_is_true(line: str) -> None:
    assert format_position(parse_position(line)) == line


def test_the_page_has_examples() -> None:
    assert len(GAMES) >= 3
    assert len(POSITIONS) >= 2


def test_there_is_a_golden_game_of_every_preset() -> None:
    assert {file.stem for file in GOLDEN} == {variant.id for variant in PRESETS}


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_game_ends_as_written_down_and_as_the_referee_counts(file: Path) -> None:
    line, totals_line = file.read_text(encoding="utf-8").splitlines()
    totals = [int(number) for number in totals_line.removeprefix("totals ").split(" ")]
    played = parse_game(line)
    assert format_game(played.first, played.log) == line
    assert played.first.variant.id == file.stem
    assert is_over(played.last)
    assert [total(played.last.layout, sheet) for sheet in played.last.sheets] == totals
    referee = Referee(played.first.variant, played.first.seats)
    for event in played.log:
        referee.follow(event)
    assert referee.is_over
    assert referee.totals() == totals


OWN = "(dice=5;ones,full+40;down)"
WRONG_GAMES = [
    ("", 1, "variant/seats is expected"),
    ("papir", 1, "variant/seats is expected"),
    ("paper/2", 1, "one of classic-5x4"),
    ("papir/0", 7, "1 to 8 seats"),
    ("papir/9", 7, "1 to 8 seats"),
    ("papir/02", 7, "a whole number"),
    ("papir/²", 7, "a whole number"),
    ("papir/1", 1, "a table of one plays papir-solo"),
    ("classic-5x4/2 ", 15, "5 characters of 123456."),
    ("classic-5x4/2  64313", 15, "5 characters of 123456."),
    ("classic-5x4/2 643131", 15, "5 characters of 123456."),
    ("classic-5x4/2 64310", 15, "5 characters of 123456."),
    ("classic-5x4/2 6431.", 15, "illegal, held_before_first_roll"),
    ("classic-5x4/2 64313 down.fives", 21, "illegal, out_of_order (first: ones)"),
    ("classic-5x4/2 free.ones", 15, "illegal, roll_first"),
    ("classic-5x4/2 64313 free", 21, "column.row is expected"),
    ("classic-5x4/2 64313 fre.ones", 21, "one of down, up"),
    ("classic-5x4/2 64313 free.one", 26, "one of ones, twos"),
    ("classic-5x4/2 64313 !", 21, "column.row is expected"),
    ("classic-5x4/2 64313 free.ones!", 21, "illegal, not_announceable"),
    ("classic-5x4/2 64313 announced.ones! announced.ones", 21, "its usual form is announced.ones"),
    (f"{OWN}/1 11111 down.ones 22233 down.full 11111", 62, "illegal, game_over"),
    ("classic-5x4/2/entry undo", 21, "illegal, nothing_to_undo"),
    ("classic-5x4/2 64313 free.ones undo", 31, "illegal, undo_off"),
    ("classic-5x4/2/off", 15, "one of entry is expected"),
    ("classic-5x4/2/entry/", 1, "variant/seats is expected"),
    ("(dice=5;ones,full+40;down/1", 1, "the parameters end with )"),
    ("(dice=5;ones)/1", 1, "(dice=number;rows;columns;…)"),
    ("(die=5;ones;down)/1", 1, "(dice=number;rows;columns;…)"),
    ("(dice=7;ones;down)/1", 1, "dice: 5 or 6"),
    ("(dice=999999999999;ones;down)/1", 7, "a whole number"),
    ("(dice=5;;down)/1", 9, "one of ones"),
    ("(dice=5;ones;)/1", 14, "one of down"),
    ("(dice=5;ones;maximum)/1", 1, "columns: at least one column"),
    ("(dice=5;ones+5;down)/1", 1, "rows.ones.bonus"),
    ("(dice=5;straight;down)/1", 1, "rows.straight.straight"),
    ("(dice=5;straight:1:2:3:4:5;down)/1", 9, "two values by size"),
    ("(dice=5;ones;announced)/1", 1, "columns.announced.window"),
    ("(dice=5;ones;announced:1,notification)/2", 26, "notification:reach:duty"),
    ("(dice=5;ones;announced:1,notification:next:must)/1", 1, "a table of one plays (dice=5;"),
    ("(dice=5;ones;down;hold=5)/1", 1, "its usual form is (dice=5;ones;down)"),
    ("(dice=5;ones;down;floor;floor)/1", 1, "its usual form is"),
    ("(dice=5;ones;down;roof)/1", 19, "one of floor, auto_fill"),
    ("(dice=5;ones;down;hole=5)/1", 19, "one of steps, middle, hold, last"),
    ("(dice=5;ones;down;steps=60)/1", 25, "at_least:award"),
]


@pytest.mark.parametrize(("line", "place", "sentence"), WRONG_GAMES)
def test_a_wrong_game_names_the_place_and_what_is_expected(line: str, place: int, sentence: str) -> None:
    with pytest.raises(WrongNotation) as wrong:
        parse_game(line)
    assert wrong.value.place == place
    assert sentence in str(wrong.value)


EMPTY = "_12/_12/_12/_12"
WRONG_POSITIONS = [
    ("classic-5x4/2", 1, "a sheet for each of 2 seats"),
    (f"classic-5x4/2 {EMPTY}", 15, "a sheet for each of 2 seats"),
    (f"classic-5x4/1 {EMPTY}", 15, "its usual form is turn=1"),
    (f"classic-5x4/1 turn=0 {EMPTY}", 20, "1 to 1000000"),
    (f"classic-5x4/1 turn {EMPTY}", 15, "name=value"),
    (f"classic-5x4/1 tern=1 {EMPTY}", 15, "one of turn"),
    (f"classic-5x4/1 turn=1 turn=1 {EMPTY}", 22, "its usual form is"),
    (f"classic-5x4/1 turn=1 roll=1 {EMPTY}", 27, "number:dice"),
    (f"classic-5x4/1 turn=1 roll=4:12345 {EMPTY}", 27, "1 to 3"),
    (f"classic-5x4/1 turn=1 roll=1:1234 {EMPTY}", 29, "5 characters of 123456"),
    (f"classic-5x4/1 turn=1 roll=1:1'2345 {EMPTY}", 29, "fewer held dice"),
    (f"classic-5x4/1 turn=1 roll=2:'12345 {EMPTY}", 29, "is expected after a die"),
    (f"classic-5x4/1 turn=1 roll=2:1''2345 {EMPTY}", 29, "is expected after a die"),
    (f"classic-5x4/1 turn=1 announced=announced.ones {EMPTY}", 32, "comes after a roll"),
    (f"classic-5x4/1 turn=1 roll=1:12345 announced=free.ones {EMPTY}", 45, "can be announced"),
    ("classic-5x4/1 turn=1 roll=1:12345 announced=announced.ones _12/_12/_12/1,_11", 45, "is filled"),
    (f"classic-5x4/2 turn=1 bound=0:ones:1 {EMPTY} {EMPTY}", 30, "a cell of the notification column"),
    (f"classic-5x4/1 turn=1 bound=0:ones {EMPTY}", 28, "seat:row:seat"),
    (f"classic-5x4/1 turn=1 entry=1:free.ones:1:12345 {EMPTY}", 28, "at a table with undo"),
    (f"classic-5x4/1/entry turn=1 entry=1:free.ones:1:12345 {EMPTY}", 34, "an earlier turn"),
    (f"classic-5x4/1/entry turn=2 entry=1:free.ones:1:12345 {EMPTY}", 36, "a filled cell of seat 0"),
    ("classic-5x4/1 turn=1 _12/_12/_12", 22, "4 columns"),
    ("classic-5x4/1 turn=1 _12/_12/_11/_12", 30, "12 cells"),
    ("classic-5x4/1 turn=1 _12/_12/_12/_999999999", 34, "12 cells"),
    ("classic-5x4/1 turn=1 6,_11/_12/_12/_12", 22, "a score that ones can have"),
    ("classic-5x4/1 turn=1 _,_11/_12/_12/_12", 22, "its usual form is _12/"),
]


@pytest.mark.parametrize(("line", "place", "sentence"), WRONG_POSITIONS)
def test_a_wrong_position_names_the_place_and_what_is_expected(line: str, place: int, sentence: str) -> None:
    with pytest.raises(WrongNotation) as wrong:
        parse_position(line)
    assert wrong.value.place == place
    assert sentence in str(wrong.value)


def test_an_error_shows_only_the_beginning_of_a_long_word() -> None:
    with pytest.raises(WrongNotation) as wrong:
        parse_game("classic-5x4/2 " + "6" * 10_000)
    assert len(str(wrong.value)) < 200


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A line that was one, with a few pieces cut out, put in or doubled."""
    line = draw(st.sampled_from([*GAMES, *POSITIONS]))
    for _ in range(draw(st.integers(1, 3))):
        start_at = draw(st.integers(0, len(line)))
        end_at = draw(st.integers(start_at, min(len(line), start_at + 12)))
        piece = draw(st.one_of(st.text(max_size=3), st.sampled_from(list(" ./:;,=+!_'()0123456789"))))
        line = line[:start_at] + piece + line[end_at:]
    return line


@settings(max_examples=400, deadline=None)
@given(line=st.one_of(st.text(), damaged()))
def test_any_line_is_read_as_it_stands_or_refused(line: str) -> None:
    with suppress(WrongNotation):
        played = parse_game(line)
        assert format_game(played.first, played.log) == line
    with suppress(WrongNotation):
        assert format_position(parse_position(line)) == line


def test_a_preset_under_another_name_is_a_variant_of_its_own() -> None:
    named = replace(PAPIR, id="test")
    line = format_game(start(named, 2), ())
    assert line.startswith("(dice=6;")
    assert parse_game(line).first.variant == replace(PAPIR, id=content_id(PAPIR))


def test_parameters_under_a_presets_name_are_written_out() -> None:
    assert format_game(start(replace(PAPIR, id="classic-5x4"), 2), ()).startswith("(dice=6;")
    assert format_game(start(CLASSIC_5X4, 2), ()) == "classic-5x4/2"
