"""Why a room refuses a command: the codes of docs/protocol.md, and a sentence for developers. Pure.

Codes of legality are those of `app.rules.actions.Reason`.
"""

from collections.abc import Mapping
from enum import StrEnum

from app.rules.actions import Announce, Fill, IllegalAction, Reason
from app.rules.own_dice.actions import IllegalEntry, SheetReason


class RefusalCode(StrEnum):
    """Every refusal that isn't one of legality."""

    MALFORMED = "malformed"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_YOUR_SEAT = "not_your_seat"
    STALE = "stale"
    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    ROOM_FULL = "room_full"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    NOT_HOST = "not_host"
    NOT_READY = "not_ready"
    UNKNOWN_VARIANT = "unknown_variant"
    UNKNOWN_COLUMNS = "unknown_columns"
    TOO_FEW_SEATS = "too_few_seats"
    OWN_DICE = "own_dice"
    DRAWN_DICE = "drawn_dice"
    NOT_PLAYING = "not_playing"
    NO_OFFER = "no_offer"
    SEAT_LEFT = "seat_left"
    OWN_SEAT = "own_seat"
    BOT_SEAT = "bot_seat"
    BARRED = "barred"
    NEEDS_TEXT = "needs_text"
    CHAT_OFF = "chat_off"
    TOO_MANY = "too_many"
    CONFLICT = "conflict"
    UNAVAILABLE = "unavailable"


RETRIABLE = frozenset(
    {
        RefusalCode.NOT_YOUR_TURN,
        RefusalCode.ROOM_FULL,
        RefusalCode.NOT_STARTED,
        RefusalCode.NOT_READY,
        RefusalCode.TOO_MANY,
        RefusalCode.CONFLICT,
        RefusalCode.UNAVAILABLE,
    }
)


class RoomRefusal(Exception):
    """The command changed nothing. `retry`: whether the same command may succeed later."""

    def __init__(
        self,
        code: RefusalCode | Reason | SheetReason,
        sentence: str,
        detail: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence
        self.detail = detail

    @property
    def retry(self) -> bool:
        """Whether the same command may succeed later."""
        return self.code in RETRIABLE


def illegal(error: IllegalAction) -> RoomRefusal:
    """The refusal of an action that the rules don't allow."""
    action = error.action
    if not isinstance(action, Announce | Fill):
        return RoomRefusal(error.reason, _SENTENCES[error.reason])
    rows = [row.value for row in error.rows]
    column = action.cell.column.value
    sentence = _SENTENCES[error.reason].format(
        row=action.cell.row.value, column=column, rows=" or ".join(rows)
    )
    return RoomRefusal(error.reason, sentence, {"column": column, "rows": rows})


def illegal_entry(error: IllegalEntry) -> RoomRefusal:
    """The refusal of an action on a sheet. `detail` has what the reason is about, and the cell."""
    detail: dict[str, object] = {}
    if error.cell is not None:
        detail |= {"column": error.cell.column.value, "row": error.cell.row.value}
    if error.rows:
        detail["rows"] = [row.value for row in error.rows]
    if error.values:
        detail["values"] = list(error.values)
    if error.score is not None:
        detail["score"] = error.score
    shown = {"row": "", "column": "", "score": "nothing"} | detail
    shown["rows"] = " or ".join(row.value for row in error.rows)
    shown["values"] = _in_words(error.values)
    sentence = (_SENTENCES | _SHEET_SENTENCES)[error.reason].format(**shown)
    return RoomRefusal(error.reason, sentence, detail or None)


def _in_words(values: tuple[int, ...]) -> str:
    *others, last = map(str, values) if values else ("none",)
    return f"{', '.join(others)} or {last}" if others else last


_SENTENCES: dict[StrEnum, str] = {
    Reason.GAME_OVER: "the game is over",
    Reason.ROLL_FIRST: "nothing can be filled or announced before the first roll",
    Reason.NO_ROLLS_LEFT: "the turn's rolls are used up: fill a cell",
    Reason.NOTHING_TO_ROLL_FOR: "after another roll no cell could become legal: announce or fill now",
    Reason.TOO_MANY_HELD: "more dice are held than the variant allows",
    Reason.UNKNOWN_DIE: "a held position doesn't exist, stands twice or is out of order",
    Reason.HELD_BEFORE_FIRST_ROLL: "the first roll rolls every die",
    Reason.UNKNOWN_CELL: "the variant has no {row} of {column}",
    Reason.CELL_FILLED: "{row} of {column} is filled already",
    Reason.FILLS_ITSELF: "cells of {column} fill themselves",
    Reason.OUT_OF_ORDER: "fill {rows} of {column} first",
    Reason.ONLY_AFTER_FIRST_ROLL: "cells of {column} can be filled only after the first roll",
    Reason.NOT_ANNOUNCED: "cells of {column} must be announced first, and the window for it is closed now",
    Reason.OTHER_ANNOUNCED: "another cell has been announced in this turn",
    Reason.BOUND: "an announcement binds this turn to another cell",
    Reason.NO_NOTIFICATION: "no announcement has opened {row} of {column}",
    Reason.FINAL_TOO_EARLY: "{column} opens when every other playable cell is filled",
    Reason.NOT_ANNOUNCEABLE: "cells of {column} can't be announced",
    Reason.ALREADY_ANNOUNCED: "one announcement a turn",
    Reason.WINDOW_CLOSED: "the window for announcing {column} isn't open after this roll",
    Reason.UNDO_OFF: "nothing can be taken back at this table",
    Reason.NOTHING_TO_UNDO: "no entry can be taken back: somebody has rolled, or it made itself",
}

_SHEET_SENTENCES: dict[StrEnum, str] = {
    Reason.ALREADY_ANNOUNCED: "this seat has announced a cell: fill that, or take it back",
    SheetReason.VALUE_NOT_ALLOWED: "{row} can be {values}",
    SheetReason.CELL_CHANGED: "in {row} of {column} stands {score} now",
    SheetReason.CELL_EMPTY: "{row} of {column} is empty",
    SheetReason.NOTHING_ANNOUNCED: "this seat has announced nothing",
}
