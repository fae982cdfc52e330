"""What the REST side of rooms takes and gives."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.rooms.messages import VariantId
from app.rules.game import MAX_SEATS

SeatCount = Annotated[int, Field(ge=1, le=MAX_SEATS)]


class NewRoom(BaseModel):
    """What a room is to be."""

    model_config = ConfigDict(extra="forbid", strict=True)

    variant: VariantId
    max_seats: SeatCount = MAX_SEATS


class MadeRoom(BaseModel):
    """The code of the room that was made."""

    code: str


class RoomSummary(BaseModel):
    """A room as one sees it before sitting down. `seats` are taken of `max_seats`."""

    code: str
    phase: str
    variant: str
    seats: int
    max_seats: int
