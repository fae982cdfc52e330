"""What the REST side answers about players: who they are and what they have reached."""

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.rules.share_code import code_of_id
from app.rules.variant import ColumnKind, Row
from app.scores.schemas import ListedPlayer, ListedResult
from app.scores.statistics import Statistics

_SHOWN: JsonDict = {"id": "p3vq8m2kx7", "name": "Lija", "tag": None, "user_name": "lija.99"}
_PLAYER: JsonDict = {**_SHOWN, "since": 1790000000000}


class ShownPlayer(ListedPlayer):
    """A player, and since when there is one."""

    since: int = Field(description="when he first played")


class Bucket(BaseModel):
    """How many games had a total from `from` on, up to 49 points more."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    lowest: int = Field(alias="from")
    games: int


class RowStatistics(BaseModel):
    """A row over all cells that he wrote in it: the average points, and the share of those crossed out."""

    row: Row
    average: float
    crossed_out: float


class ColumnStatistics(BaseModel):
    """The average points of a column in a game, with its bonus and its middle part."""

    column: ColumnKind
    average: float


class Announcements(BaseModel):
    """How many cells he announced, and in how many of them he scored."""

    made: int
    succeeded: int


class VariantStatistics(BaseModel):
    """A player's listed games of one variant. `wins`: first places, also shared, at tables of two and more.

    `distribution`: the totals in steps of 50 points, rising; steps without a game are left out. Averages have
    two digits after the point, shares are of 1 and have four. `crossed_out`: of all cells that he wrote.
    """

    variant: str
    base: str
    code: str | None
    games: int
    wins: int
    average: float
    best: int
    distribution: list[Bucket]
    rows: list[RowStatistics]
    columns: list[ColumnStatistics]
    crossed_out: float
    announcements: Announcements


class PlayerPage(BaseModel):
    """A player and his statistics, the variant that he has played most first."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "player": _PLAYER,
                "variants": [
                    {
                        "variant": "classic-5x4",
                        "base": "classic-5x4",
                        "code": None,
                        "games": 3,
                        "wins": 1,
                        "average": 801.33,
                        "best": 912,
                        "distribution": [{"from": 700, "games": 2}, {"from": 900, "games": 1}],
                        "rows": [{"row": "ones", "average": 2.75, "crossed_out": 0.0833}],
                        "columns": [{"column": "down", "average": 188.0}],
                        "crossed_out": 0.1538,
                        "announcements": {"made": 39, "succeeded": 31},
                    }
                ],
            }
        }
    )

    player: ShownPlayer
    variants: list[VariantStatistics]


class VariantScores(BaseModel):
    """A player's best results of one variant: of all time, and of the present month (UTC).

    Places are those on the boards of that time, on which all players stand.
    """

    variant: str
    base: str
    code: str | None
    best: list[ListedResult]
    month: list[ListedResult]


class PlayerScores(BaseModel):
    """A player and his best results, the variant that he has played most first."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "player": _PLAYER,
                "variants": [
                    {
                        "variant": "classic-5x4",
                        "base": "classic-5x4",
                        "code": None,
                        "best": [
                            {
                                "place": 2,
                                "score": 912,
                                "player": _SHOWN,
                                "game": "g7d1",
                                "seat": 0,
                                "ended_at": 1790003600000,
                            }
                        ],
                        "month": [],
                    }
                ],
            }
        }
    )

    player: ShownPlayer
    variants: list[VariantScores]


def shown_statistics(variant: str, base: str, statistics: Statistics) -> VariantStatistics:
    """The statistics of one variant as they are answered."""
    cells = sum(row.cells for row in statistics.rows)
    return VariantStatistics(
        variant=variant,
        base=base,
        code=code_of_id(variant),
        games=statistics.games,
        wins=statistics.wins,
        average=_average(statistics.points, statistics.games),
        best=statistics.best,
        distribution=[Bucket(lowest=lowest, games=games) for lowest, games in statistics.totals],
        rows=[
            RowStatistics(
                row=Row(row.row),
                average=_average(row.points, row.cells),
                crossed_out=_share(row.crossed_out, row.cells),
            )
            for row in statistics.rows
        ],
        columns=[
            ColumnStatistics(
                column=ColumnKind(column.column), average=_average(column.points, statistics.games)
            )
            for column in statistics.columns
        ],
        crossed_out=_share(sum(row.crossed_out for row in statistics.rows), cells),
        announcements=Announcements(made=statistics.announced, succeeded=statistics.succeeded),
    )


def _average(points: int, number: int) -> float:
    return round(points / number, 2) if number else 0.0


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
