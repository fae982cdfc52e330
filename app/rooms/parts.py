"""The parts of the state that a table sees, as types: what `views` makes, described for tests and schemas."""

from typing import Literal

from app.rooms.messages import Strict
from app.rooms.room import OfferReason, Pace, Phase, SeatKind
from app.rules.actions import Reason
from app.rules.state import Undoing
from app.rules.variant import ColumnKind, Duty
from app.rules.variant import Row as SheetRow
from app.variant_parts import VariantPart

Scores = dict[ColumnKind, dict[SheetRow, int]]
Rows = dict[ColumnKind, list[SheetRow]]


class TallyPart(Strict):
    """How many games of this room a player has won."""

    player: str
    name: str
    wins: int


class RoomPart(Strict):
    """The room itself."""

    code: str
    phase: Phase
    host: str | None
    max_seats: int
    created_at: int
    dropped_columns: list[ColumnKind]
    undo: Undoing
    own_dice: bool
    pace: Pace
    chat: bool
    games: int
    tally: list[TallyPart]
    previous_game: str | None


class SeatPart(Strict):
    """A seat that is taken."""

    seat: int
    player: str
    name: str
    kind: SeatKind
    ready: bool
    text: str
    played_by: Literal["player", "bot"]
    left: bool
    barred: bool
    bot_turns: int
    kept: bool
    user_name: str | None


class DiceProofPart(Strict):
    """The commitment to the dice; their secret once the game is over."""

    game: str
    commitment: str
    secret: str | None


class SumsPart(Strict):
    """The sums of a column."""

    upper: int
    bonus: int
    middle: int | None
    lower: int
    total: int


class SheetPart(Strict):
    """A seat's sheet: filled cells only."""

    seat: int
    total: int
    cells: Scores
    sums: dict[ColumnKind, SumsPart]


class CellPart(Strict):
    """A cell."""

    column: ColumnKind
    row: SheetRow


class CalledCellPart(CellPart):
    """A cell that seat `by` announced."""

    by: int


class BoundPart(Strict):
    """What the seat to move owes to an announcement."""

    duty: Duty
    cells: list[CalledCellPart]
    by: int


class PendingPart(CellPart):
    """An announcement that binds a seat on a turn to come."""

    seat: int
    by: int
    duty: Duty


class LegalRollPart(Strict):
    """Whether the seat to move may roll, and how many dice it may hold."""

    legal: bool
    max_hold: int
    reason: Reason | None


class ClosedPart(Strict):
    """Why empty cells of a column are not legal now."""

    reason: Reason
    rows: list[SheetRow]


class LegalPart(Strict):
    """The legal actions."""

    roll: LegalRollPart
    announce: Rows
    open: Rows
    scores: dict[SheetRow, int]
    counted: dict[SheetRow, list[int]]
    closed: dict[ColumnKind, ClosedPart]
    undo: bool


class OfferPart(Strict):
    """The others may choose for the seat to move: wait, or let a bot play this turn."""

    seat: int
    reason: OfferReason
    since: int


class TurnPart(Strict):
    """The turn that is on."""

    turn: int
    round: int
    rounds: int
    seat: int
    roll: int
    rolls: int
    dice: list[int]
    held: list[int]
    announced: CellPart | None
    bound: BoundPart | None
    pending: list[PendingPart]
    undo_seat: int | None
    legal: LegalPart
    deadline: int | None
    offer: OfferPart | None
    bot: bool


class OwnSeatPart(Strict):
    """A seat of an own-dice table: its open cells, those it can announce, and the one it has announced."""

    seat: int
    open: Rows
    announce: Rows
    announced: CellPart | None


class OwnPart(Strict):
    """What can be written at an own-dice table."""

    values: dict[SheetRow, list[int]]
    seats: list[OwnSeatPart]


class StandingPart(Strict):
    """A seat's place."""

    seat: int
    place: int
    total: int


class ResultPart(Strict):
    """How the game ended."""

    reason: Literal["sheets_full"]
    game: str
    board: str | None
    standings: list[StandingPart]
    started_at: int
    ended_at: int


class StatePart(Strict):
    """All that a table sees."""

    room: RoomPart
    variant: VariantPart
    seats: list[SeatPart]
    dice_proof: DiceProofPart
    sheets: list[SheetPart]
    turn: TurnPart | None
    own: OwnPart | None
    result: ResultPart | None
