"""What the REST side of the leaderboards answers."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from app.rules.variant import ColumnKind


class Period(StrEnum):
    """Which games a leaderboard compares: all, or those that ended in the present month (UTC)."""

    ALL = "all"
    MONTH = "month"


class ListedPlayer(BaseModel):
    """A player as leaderboards show him, by the name he bears now."""

    id: str
    name: str


class ListedResult(BaseModel):
    """A player's result in a finished game. Equal scores share the place: 1, 2, 2, 4."""

    place: int
    score: int
    player: ListedPlayer
    game: str
    ended_at: int


class Leaderboard(BaseModel):
    """A page of a leaderboard. Pages count from 1; a page after the last is empty.

    `base`: the variant whose columns were chosen; its own id where nothing was. `code`: null for a preset.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "variant": "classic-5x4",
                "base": "classic-5x4",
                "code": None,
                "dice": 5,
                "columns": ["down", "free", "up", "announced"],
                "period": "all",
                "page": 1,
                "pages": 3,
                "total": 24,
                "results": [
                    {
                        "place": 1,
                        "score": 912,
                        "player": {"id": "p3vq", "name": "Lija"},
                        "game": "g7d1",
                        "ended_at": 1790003600000,
                    }
                ],
            }
        }
    )

    variant: str
    base: str
    code: str | None
    dice: int
    columns: list[ColumnKind]
    period: Period
    page: int
    pages: int
    total: int
    results: list[ListedResult]
