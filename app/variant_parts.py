"""Variants as types: as tables, REST and records show them, and as whoever makes one gives them.

For descriptions and tests. What is shown is made in `app.rules.plain`, what is given is read and checked by
`app.rules.custom`, which names what is wrong by its path: neither goes through these.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue, SkipJsonSchema

from app.rules.columns import Way
from app.rules.variant import MAX_POINTS, ROLLS, ColumnKind, Counted, Duty, Middle, Reach, Section
from app.rules.variant import Row as SheetRow

_LEFT_OUT = SkipJsonSchema[None]


class _Part(BaseModel):
    """Nothing is converted, nothing unknown is let in."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class StraightBySizePart(_Part):
    """What a straight is worth by its size."""

    small: int
    large: int


class StraightByRollPart(_Part):
    """What a straight is worth by the roll it is made with."""

    by_roll: Annotated[list[int], Field(min_length=ROLLS, max_length=ROLLS)]
    shortest: int


class RowPart(_Part):
    """A row of a variant. What is usual is left out."""

    row: SheetRow
    section: Section
    bonus: int = 0
    counted: Counted = Counted.MATCHING
    straight: StraightBySizePart | StraightByRollPart | _LEFT_OUT = None


class ColumnPart(_Part):
    """A column of a variant. What it can't have is left out."""

    column: ColumnKind
    playable: bool
    split: SheetRow | _LEFT_OUT = None
    window: list[int] | _LEFT_OUT = None
    reach: Reach | _LEFT_OUT = None
    duty: Duty | _LEFT_OUT = None


class BonusStepPart(_Part):
    """An upper part of that many points earns an award."""

    at_least: int
    award: int


class MiddlePart(_Part):
    """The formula of the middle part."""

    formula: Middle
    floor: bool


class NamesPart(_Part):
    """The words of a variant's own description, in its language; some may be missing."""

    title: str
    language: str
    rows: dict[SheetRow, str]
    columns: dict[ColumnKind, str]


class RecordedVariantPart(_Part):
    """Every parameter of a variant."""

    id: str
    dice: int
    rolls: int
    last_cell_rolls: int
    max_hold: int
    auto_fill: bool
    turns: int
    rows: list[RowPart]
    columns: list[ColumnPart]
    bonus_steps: list[BonusStepPart]
    middle: MiddlePart


class VariantPart(RecordedVariantPart):
    """Every parameter of a variant, its code, what its columns were chosen from, where those with several
    ways to go begin, and the words of its description.
    """

    code: str | None
    base: str
    choosable: list[ColumnKind]
    starts: dict[ColumnKind, dict[SheetRow, Way]]
    names: NamesPart | None


_Points = Annotated[int, Field(ge=1, le=MAX_POINTS)]


class GivenStraightBySize(_Part):
    """What a straight is to be worth by its size, the small one at most as much as the large one."""

    small: _Points
    large: _Points


class GivenStraightByRoll(_Part):
    """What a straight is to be worth by the roll it is made with, and how long the shortest is."""

    by_roll: Annotated[list[_Points], Field(min_length=ROLLS, max_length=ROLLS)]
    shortest: Annotated[int, Field(ge=4, le=5)] = 5


class GivenRow(_Part):
    """A row. Not every row can have a bonus, or count all five dice; the straight must have its values."""

    row: SheetRow
    bonus: Annotated[int, Field(ge=0, le=MAX_POINTS)] = 0
    counted: Counted = Counted.MATCHING
    straight: GivenStraightBySize | GivenStraightByRoll | _LEFT_OUT = None


class GivenColumn(_Part):
    """A column. `split` is of from_middle and ends_in, `window` of columns that are announced, `reach` and
    `duty` of notification.
    """

    column: ColumnKind
    split: SheetRow | _LEFT_OUT = None
    window: Annotated[list[Annotated[int, Field(ge=1, le=2)]], Field(max_length=2)] | _LEFT_OUT = None
    reach: Reach = Reach.NEXT
    duty: Duty = Duty.MUST


class GivenBonusStep(_Part):
    """An upper part of that many points is to earn an award."""

    at_least: Annotated[int, Field(ge=1, le=105)]
    award: _Points


class GivenMiddle(_Part):
    """How the middle part is to be counted."""

    formula: Middle = Middle.TIMES_ONES
    floor: bool = False


class VariantParameters(_Part):
    """The parameters of a variant. How they depend on each other stands in docs/rules.md, Custom variants."""

    dice: Annotated[int, Field(ge=5, le=6)]
    rows: Annotated[list[GivenRow], Field(max_length=len(SheetRow))]
    columns: Annotated[list[GivenColumn], Field(min_length=1, max_length=len(ColumnKind))]
    bonus_steps: Annotated[list[GivenBonusStep], Field(max_length=20)] = []
    middle: GivenMiddle = GivenMiddle()
    max_hold: Annotated[int, Field(ge=0, le=6)] | _LEFT_OUT = Field(
        None, description="the number of dice, where it is left out"
    )
    auto_fill: bool = False
    last_cell_rolls: Literal[3, 5] = 3


class DescribedAs:
    """Marks a type as described by a model without being read by it."""

    def __init__(self, model: type[BaseModel]) -> None:
        self._model = model

    def __get_pydantic_json_schema__(self, _schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The model's own description."""
        return handler(self._model.__pydantic_core_schema__)
