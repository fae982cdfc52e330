"""A game as a line: the table, then a word for each roll, announcement and entry."""

from dataclasses import dataclass
from itertools import pairwise
from typing import assert_never

from app.rules.actions import Action, Announce, Fill, IllegalAction, Roll, Undo
from app.rules.dice import Dice
from app.rules.events import Announced, Event, Filled, Passed, Rolled, Undone
from app.rules.game import apply, evolve, fills_itself
from app.rules.notation.reading import Word, cell_of, check_form, faces_of, format_cell
from app.rules.notation.tables import format_table, parse_table
from app.rules.state import Game

_HELD = "."
_ANNOUNCES = "!"
_UNDO = "undo"
_ANNOUNCES = "!"


@dataclass(frozen=True, slots=True)
class Played:
    """A game as far as it was played: before its first roll, what happened, and what came of it."""

    first: Game
    log: tuple[Event, ...]
    last: Game


def format_game(first: Game, log: tuple[Event, ...]) -> str:
    """The line of a game with that log. What follows by itself, such as passes, is not written."""
    return " ".join([format_table(first), *_words(first, log)])


def parse_game(line: str) -> Played:
    """The game of a line. Raises WrongNotation."""
    table, *words = Word(line, 1).split(" ")
    first = game = parse_table(table)
    log: list[Event] = []
    for word in words:
        game, events = _play(game, word)
        log += events
    check_form(words, _words(first, tuple(log)))
    return Played(first, tuple(log), game)


def _words(game: Game, log: tuple[Event, ...]) -> list[str]:
    words = []
    for event, following in pairwise((*log, None)):
        if event is not None and not _is_implied(game, event, following):
            words.append(_format_event(event))
        game = evolve(game, event) if event is not None else game
    return words


def _is_implied(game: Game, event: Event, following: Event | None) -> bool:
    """Whether an event follows by itself, or from the next word."""
    match event:
        case Passed():
            return True
        case Announced():
            return isinstance(following, Filled)
        case Filled():
            return fills_itself(game)
        case _:
            return False


def _format_event(event: Event) -> str:
    match event:
        case Rolled():
            return "".join(
                _HELD if position in event.held else str(face) for position, face in enumerate(event.dice)
            )
        case Announced():
            return f"{format_cell(event.cell)}{_ANNOUNCES}"
        case Filled():
            return format_cell(event.cell)
        case Passed():
            return ""
        case Undone():
            return _UNDO
        case _:
            assert_never(event)


def _play(game: Game, word: Word) -> tuple[Game, tuple[Event, ...]]:
    action, drawn = _action_of(game, word)
    try:
        return apply(game, action, drawn)
    except IllegalAction as error:
        rows = f" (first: {', '.join(error.rows)})" if error.rows else ""
        raise word.wrong(f"illegal, {error.reason}{rows}") from error


def _action_of(game: Game, word: Word) -> tuple[Action, Dice]:
    if word.text == _UNDO:
        return Undo(), ()
    if word.text.endswith(_ANNOUNCES):
        return Announce(cell_of(Word(word.text[:-1], word.place))), ()
    if word.text[:1].isalpha():
        return Fill(cell_of(word)), ()
    faces = faces_of(word, game.variant.dice, f"123456{_HELD}")
    hold = tuple(position for position, face in enumerate(faces) if face == _HELD)
    # Faces of held dice are not drawn: any will do.
    return Roll(hold), tuple(1 if face == _HELD else int(face) for face in faces)
