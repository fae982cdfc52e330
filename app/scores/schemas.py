"""What the REST side of the leaderboards answers."""

from pydantic import BaseModel, ConfigDict

from app.rules.variant import ColumnKind
from app.scores.boards import Mode, Standing


class ListedPlayer(BaseModel):
    """A player as leaderboards show him, by the name he bears now.

    Others may bear it too: a guest is told from them by his `tag`, an account by its `user_name`, which no
    two have; the other is null. Who has deleted himself has the id `deleted` and neither.
    """

    id: str
    name: str
    tag: str | None
    user_name: str | None


class ListedResult(BaseModel):
    """A player's result in a finished game. Equal scores share the place: 1, 2, 2, 4."""

    place: int
    score: int
    player: ListedPlayer
    game: str
    seat: int
    ended_at: int


class Leaderboard(BaseModel):
    """A page of a leaderboard. `next` and `previous` are the cursors of the pages beside it, null where there
    is none; `total` counts the rows of all pages.

    `period` is as it was asked for, `month` and `day` say what it means (UTC). `base`: the variant whose
    columns were chosen; its own id where nothing was. `code`: null for a preset.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "variant": "classic-5x4",
                "base": "classic-5x4",
                "code": None,
                "dice": 5,
                "columns": ["down", "free", "up", "announced"],
                "period": "month",
                "month": "2026-11",
                "day": None,
                "mode": "results",
                "total": 24,
                "results": [
                    {
                        "place": 1,
                        "score": 912,
                        "player": {
                            "id": "p3vq8m2kx7",
                            "name": "Lija",
                            "tag": "2kx7",
                            "user_name": None,
                        },
                        "game": "g7d1",
                        "seat": 0,
                        "ended_at": 1790003600000,
                    }
                ],
                "next": "m0cTq1o7m2JrW9yqk0yUOVsiMjAyNi0xMSIsMCw5MTIsMTc5MDAwMzYwMDAwMCwiZzdkMSIsMF0",
                "previous": None,
            }
        }
    )

    variant: str
    base: str
    code: str | None
    dice: int
    columns: list[ColumnKind]
    period: str
    month: str | None
    day: str | None
    mode: Mode
    total: int
    results: list[ListedResult]
    next: str | None
    previous: str | None


def listed_result(standing: Standing) -> ListedResult:
    """A row of a board as it is answered."""
    return ListedResult(
        place=standing.place,
        score=standing.position.score,
        player=ListedPlayer(**standing.player._asdict()),
        game=standing.position.game,
        seat=standing.position.seat,
        ended_at=standing.position.ended_at,
    )
