"""What the REST side of rooms takes and gives."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.rooms.messages import ColumnNames, Request, VariantId
from app.rules.game import MAX_SEATS
from app.rules.state import Undoing
from app.rules.variant import Row

SeatCount = Annotated[int, Field(ge=1, le=MAX_SEATS)]


class NewRoom(BaseModel):
    """What a room is to be."""

    model_config = ConfigDict(extra="forbid", strict=True)

    variant: VariantId
    max_seats: SeatCount = MAX_SEATS
    columns: ColumnNames | None = None
    # By its text: a request's body is read before it gets here.
    undo: Annotated[Undoing, Field(strict=False)] | None = None
    own_dice: bool = False
    request: Request | None = None


class MadeRoom(BaseModel):
    """The code of the room that was made."""

    code: str = Field(examples=["KAFANA"])


class RoomSummary(BaseModel):
    """A room as one sees it before sitting down. `seats` are taken of `max_seats`."""

    code: str = Field(examples=["KAFANA"])
    phase: str = Field(examples=["lobby"])
    variant: str = Field(examples=["papir"])
    seats: int = Field(examples=[2])
    max_seats: int = Field(examples=[4])


class DiceValues(BaseModel):
    """What dice give in each row: one value, or those of a straight whose roll isn't known."""

    rows: dict[Row, list[int]] = Field(examples=[{"ones": [1], "sixes": [18], "straight": [66, 56, 46]}])


class PanelPoints(BaseModel):
    """A part of a sheet, or its total: points now and points still attainable. Shares are of 1."""

    model_config = ConfigDict(from_attributes=True)

    now: int = Field(examples=[120])
    now_share: float = Field(examples=[0.4])
    attainable: int = Field(examples=[240])
    attainable_share: float = Field(examples=[0.8])


class PerfectGame(BaseModel):
    """The points of a perfect game, by parts."""

    model_config = ConfigDict(from_attributes=True)

    upper: int = Field(examples=[540])
    middle: int = Field(examples=[480])
    lower: int = Field(examples=[1560])
    total: int = Field(examples=[2580])


class SeatPanel(BaseModel):
    """The score panel of one seat."""

    seat: int = Field(examples=[0])
    upper: PanelPoints
    middle: PanelPoints
    lower: PanelPoints
    total: PanelPoints
    perfect: PerfectGame


class ScorePanels(BaseModel):
    """The score panel of every seat, at that version of the room. None before the start."""

    version: int = Field(examples=[41])
    panels: list[SeatPanel]
