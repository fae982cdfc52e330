"""A position as a line: the table, the turn, and a word for each sheet."""

from functools import lru_cache
from itertools import groupby

from msgspec.structs import replace

from app.rules.dice import Dice
from app.rules.layout import Layout
from app.rules.legality import rolls_allowed
from app.rules.notation.reading import Word, cell_of, check_form, faces_of, format_cell, number_of, one_of
from app.rules.notation.tables import format_table, parse_table
from app.rules.sheet import Sheet
from app.rules.state import Binding, Entry, Game, Undoing
from app.rules.variant import Cell, ColumnKind, Row

_EMPTY = "_"
_HELD = "'"
_ANNOUNCED = "!"
_MAX_TURN = 10**6


def format_position(game: Game) -> str:
    """The line of a position."""
    return " ".join(_words(game))


def parse_position(line: str) -> Game:
    """The position of a line. Raises WrongNotation. Whether play can lead to it is not asked."""
    words = Word(line, 1).split(" ")
    game = parse_table(words[0])
    parts, sheets = words[1 : -game.seats], words[-game.seats :]
    if len(words) <= game.seats:
        raise words[-1].wrong(f"a sheet for each of {game.seats} seats is expected")
    game = replace(game, sheets=tuple(_parse_sheet(game.layout, sheet) for sheet in sheets))
    for part in parts:
        game = _parse_part(game, part)
    check_form(words, _words(game))
    return game


def _words(game: Game) -> list[str]:
    words = [format_table(game), f"turn={game.turn}"]
    if game.roll:
        words.append(f"roll={game.roll}:{_format_dice(game.dice, game.held)}")
    if game.announced:
        words.append(f"announced={format_cell(game.announced)}")
    words += [
        f"bound={seat}:{binding.cell.row}:{binding.by}"
        for seat, bindings in enumerate(game.pending)
        for binding in bindings
    ]
    if game.entry:
        words.append(f"entry={_format_entry(game.entry)}")
    return words + [_format_sheet(game.layout, sheet) for sheet in game.sheets]


def _format_dice(dice: Dice, held: tuple[int, ...]) -> str:
    return "".join(f"{face}{_HELD if position in held else ''}" for position, face in enumerate(dice))


def _format_entry(entry: Entry) -> str:
    cell = f"{format_cell(entry.cell)}{_ANNOUNCED if entry.announced else ''}"
    bound = [f"{binding.cell.row}:{binding.by}" for binding in entry.bound]
    return ":".join([str(entry.turn), cell, str(entry.roll), _format_dice(entry.dice, entry.held), *bound])


def _format_sheet(layout: Layout, sheet: Sheet) -> str:
    columns = (column for column in layout.columns if column.column.is_playable)
    return "/".join(_format_scores(tuple(sheet[index] for index in column.cells)) for column in columns)


def _format_scores(scores: tuple[int | None, ...]) -> str:
    parts: list[str] = []
    for score, run in groupby(scores):
        count = len(list(run))
        parts += [_format_gap(count)] if score is None else [str(score)] * count
    return ",".join(parts)


def _format_gap(count: int) -> str:
    return _EMPTY if count == 1 else f"{_EMPTY}{count}"


def _parse_sheet(layout: Layout, word: Word) -> Sheet:
    columns = [column for column in layout.columns if column.column.is_playable]
    parts = word.split("/")
    if len(parts) != len(columns):
        raise word.wrong(f"{len(columns)} columns between / are expected")
    sheet: list[int | None] = [None] * len(layout.cells)
    for column, part in zip(columns, parts, strict=True):
        for index, score in zip(column.cells, _parse_scores(layout, part), strict=True):
            sheet[index] = score
    return tuple(sheet)


def _parse_scores(layout: Layout, word: Word) -> list[int | None]:
    scores: list[int | None] = []
    for part in word.split(","):
        if part.text.startswith(_EMPTY):
            gap = number_of(part.after(_EMPTY)) if part.text != _EMPTY else 1
            scores += [None] * min(gap, len(layout.rows) + 1)
        else:
            scores.append(_parse_score(layout, part, len(scores)))
    if len(scores) != len(layout.rows):
        raise word.wrong(f"{len(layout.rows)} cells are expected")
    return scores


def _parse_score(layout: Layout, word: Word, place: int) -> int:
    score = number_of(word)
    if place < len(layout.rows) and score not in _scores_of_rows(layout)[place]:
        raise word.wrong(f"a score that {layout.rows[place]} can have is expected")
    return score


@lru_cache(maxsize=32)
def _scores_of_rows(layout: Layout) -> tuple[frozenset[int], ...]:
    in_rolls = (scores for table in layout.table.scores_by_roll for scores in table.values())
    return tuple(map(frozenset, zip(*in_rolls, strict=True)))


def _parse_part(game: Game, word: Word) -> Game:
    name, value = word.partition("=")
    if value is None:
        raise word.wrong("name=value is expected")
    match one_of(name, ("turn", "roll", "announced", "bound", "entry")):
        case "turn":
            return _parse_turn(game, value)
        case "roll":
            return _parse_roll(game, value)
        case "announced":
            return _parse_announced(game, value)
        case "bound":
            return _parse_bound(game, value)
        case _:
            return _parse_entry(game, value)


def _parse_turn(game: Game, word: Word) -> Game:
    turn = number_of(word)
    if not 1 <= turn <= _MAX_TURN:
        raise word.wrong(f"1 to {_MAX_TURN} is expected")
    return replace(game, turn=turn)


def _parse_roll(game: Game, word: Word) -> Game:
    number, dice_word = word.partition(":")
    if dice_word is None:
        raise word.wrong("number:dice is expected")
    roll, dice, held = _parse_rolled(game, number, dice_word, rolls_allowed(game))
    return replace(game, roll=roll, dice=dice, held=held)


def _parse_rolled(game: Game, number: Word, dice_word: Word, most: int) -> tuple[int, Dice, tuple[int, ...]]:
    roll = number_of(number)
    if not 1 <= roll <= most:
        raise number.wrong(f"1 to {most} is expected")
    dice, held = _parse_dice(dice_word, game.variant.dice)
    if len(held) > (game.variant.max_hold if roll > 1 else 0):
        raise dice_word.wrong("fewer held dice are expected")
    return roll, dice, held


def _parse_dice(word: Word, dice: int) -> tuple[Dice, tuple[int, ...]]:
    bare = faces_of(Word(word.text.replace(_HELD, ""), word.place), dice, "123456")
    held: list[int] = []
    position = -1
    for character in word.text:
        if character == _HELD:
            held.append(position)
        else:
            position += 1
    if -1 in held or len(set(held)) < len(held):
        raise word.wrong(f"{_HELD} is expected after a die, and once")
    return tuple(map(int, bare)), tuple(held)


def _parse_announced(game: Game, word: Word) -> Game:
    cell = cell_of(word)
    column = game.layout.column_by_kind.get(cell.column)
    if column is None or not column.column.window or cell not in game.layout.index_by_cell:
        raise word.wrong("a cell that can be announced is expected")
    _check_empty(game, word, game.seat, cell)
    if game.roll < column.column.window[0]:
        raise word.wrong("an announcement comes after a roll")
    return replace(game, announced=cell)


def _parse_bound(game: Game, word: Word) -> Game:
    parts = word.split(":")
    if len(parts) != 3:
        raise word.wrong("seat:row:seat is expected")
    seat = one_of(parts[0], range(game.seats))
    binding = _parse_binding(game, seat, parts[1], parts[2])
    _check_empty(game, word, seat, binding.cell)
    bound = (*game.pending[seat], binding)
    return replace(game, pending=(*game.pending[:seat], bound, *game.pending[seat + 1 :]))


def _parse_binding(game: Game, seat: int, row: Word, by: Word) -> Binding:
    cell = Cell(ColumnKind.NOTIFICATION, one_of(row, Row))
    if cell not in game.layout.index_by_cell:
        raise row.wrong("a cell of the notification column is expected")
    return Binding(cell, one_of(by, [other for other in range(game.seats) if other != seat]))


def _parse_entry(game: Game, word: Word) -> Game:
    """The entry that can be taken back. Its cell is filled, and nobody has rolled since."""
    parts = word.split(":")
    if len(parts) < 4 or len(parts) % 2 or game.undo is Undoing.OFF or game.roll:
        raise word.wrong("turn:cell:roll:dice, at a table with undo and before a roll, is expected")
    turn = number_of(parts[0])
    if not 1 <= turn < game.turn:
        raise parts[0].wrong("an earlier turn is expected")
    seat = (turn - 1) % game.seats
    is_announced = parts[1].text.endswith(_ANNOUNCED)
    cell = cell_of(Word(parts[1].text.removesuffix(_ANNOUNCED), parts[1].place))
    index = game.layout.index_by_cell.get(cell)
    if index is None or game.sheets[seat][index] is None:
        raise parts[1].wrong(f"a filled cell of seat {seat} is expected")
    roll, dice, held = _parse_rolled(game, parts[2], parts[3], game.variant.last_cell_rolls)
    bound = tuple(
        _parse_binding(game, seat, row, by) for row, by in zip(parts[4::2], parts[5::2], strict=True)
    )
    entry = Entry(cell, turn, roll, dice, held, cell if is_announced else None, bound)
    return replace(game, entry=entry)


def _check_empty(game: Game, word: Word, seat: int, cell: Cell) -> None:
    if game.sheets[seat][game.layout.index_by_cell[cell]] is not None:
        raise word.wrong(f"{format_cell(cell)} of seat {seat} is filled")
