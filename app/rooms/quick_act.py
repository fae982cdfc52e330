"""An action's message read straight to its command: most of what is said in a game, in half the time.

Whatever isn't taken here is left to `messages`, which knows what is wrong with it. What is taken is there the
same command.
"""

from typing import Annotated, ClassVar

from msgspec import Meta, MsgspecError, Struct
from msgspec.json import Decoder

from app.rooms.commands import Act
from app.rooms.messages import LARGEST_COUNT
from app.rules.actions import Action, Announce, Fill, Roll, Undo
from app.rules.variant import Cell, ColumnKind, Row

_BEGINNING = '{"type":"act",'
_Count = Annotated[int, Meta(ge=0, le=LARGEST_COUNT)]
_Position = Annotated[int, Meta(ge=-LARGEST_COUNT, le=LARGEST_COUNT)]


class _Part(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What is told apart by its `type`."""


class _Roll(_Part, frozen=True, tag="roll"):
    hold: Annotated[list[_Position], Meta(max_length=6)]

    def action(self) -> Action:
        return Roll(tuple(sorted(self.hold)))


class _Fill(_Part, frozen=True, tag="fill"):
    column: ColumnKind
    row: Row

    def action(self) -> Action:
        return Fill(Cell(self.column, self.row))


class _Announce(_Part, frozen=True, tag="announce"):
    column: ColumnKind
    row: Row

    def action(self) -> Action:
        return Announce(Cell(self.column, self.row))


class _Undo(_Part, frozen=True, tag="undo"):
    def action(self) -> Action:
        return Undo()


class QuickAct(_Part, frozen=True, tag="act"):
    """An `ActMessage`."""

    type: ClassVar[str] = "act"
    request: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
    seat: _Count
    turn: _Count
    roll: _Count
    action: _Roll | _Fill | _Announce | _Undo

    def command(self) -> Act:
        """The command it stands for."""
        return Act(self.seat, self.turn, self.roll, self.action.action())


_decode = Decoder(QuickAct).decode


def read_act(text: str) -> QuickAct | None:
    """The message in a text frame, where it is an action, said as it is mostly said."""
    if not text.startswith(_BEGINNING):
        return None
    try:
        return _decode(text)
    except (MsgspecError, UnicodeError):
        return None
