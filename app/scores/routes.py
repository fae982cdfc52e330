"""Leaderboards, and records and replays of finished games over REST."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from app.accounts.identity import Identify
from app.accounts.names import Shown
from app.accounts.repository import shown_among
from app.accounts.routes import make_require_identity
from app.clock import Now, now_ms
from app.db import Database
from app.problems import FieldError, Problem, problem_responses
from app.replays import REPLAY, replay
from app.rules.plain import readable, record_from_plain
from app.rules.replay import steps_of_game
from app.scores.board_variants import FindVariant, board_named
from app.scores.boards import Mode
from app.scores.cursors import WrongCursor
from app.scores.leaderboards import NotListed, Wish, make_read_leaderboard
from app.scores.record_schema import RECORD_EXAMPLE, RECORD_SCHEMA
from app.scores.repository import record_of_game
from app.scores.schemas import Leaderboard
from app.spending import in_thread

PAGE_ROWS = 10
MOST_ROWS = 100
MOST_SEAT = 99

"""The variant with that id. Raises DatabaseUnavailable."""

_ID = "^[A-Za-z0-9_-]+$"
_Id = Annotated[str, Path(pattern=_ID, max_length=64)]
_Board = Annotated[str, Path(pattern=_ID, max_length=64, description="the id of a variant, or its code")]
_Period = Annotated[
    str,
    Query(
        pattern="^(all|month|today|[2-9][0-9]{3}-(0[1-9]|1[0-2]))$",
        description="all, month (the present one), today, or a month from 2000-01 on; all in UTC",
        examples=["all", "month", "today", "2026-10"],
    ),
]
_Mode = Annotated[
    Mode, Query(description="results: every result is a row; players: each player stands once, with his best")
]
_Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="rows of a page")]
_Cursor = Annotated[str | None, Query(description="`next` or `previous` of an answer to the same question")]
_Around = Annotated[
    str | None,
    Query(
        pattern=_ID,
        max_length=64,
        description="the id of a game: the page on which its best listed result stands",
    ),
]
_Seat = Annotated[
    int | None,
    Query(ge=0, le=MOST_SEAT, description="with `around`: the seat of that game whose result is looked for"),
]
_Player = Annotated[
    Literal["me"] | None,
    Query(description="me: only the rows of who asks, with their places on the whole board"),
]


def unknown_variant(name: str) -> Problem:
    """That no variant has the name, and no board."""
    return Problem(404, "unknown_variant", f"no variant has the name {name}")


def _no_game(game: str) -> Problem:
    return Problem(404, "game_not_found", f"no finished game has the id {game}")


def _not_listed(game: str) -> Problem:
    return Problem(404, "result_not_listed", f"the game {game} has no result on this leaderboard")


def _wrong(code: str, field: str, sentence: str) -> Problem:
    return Problem(422, code, f"{field}: {sentence}", errors=[FieldError(field=field, sentence=sentence)])


_BOARD_PROBLEMS = problem_responses(
    401,
    unknown_variant("chess"),
    _not_listed("g7d1"),
    _wrong("wrong_cursor", "cursor", "it isn't from an answer to this question"),
    422,
    503,
)
_RECORD: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/json": {"schema": RECORD_SCHEMA, "example": RECORD_EXAMPLE}},
        "description": "The record. `variant`, `seats` and `log` replay the game, `proof` gives every "
        "roll again; `sheets` and `standings` follow from them. `board` is the leaderboard it stands on. "
        "A seat's `name` is that of then; its `tag` and `user_name` are those of today, as on leaderboards, "
        "both null for a bot and for who has deleted himself.",
    }
}


def make_router(
    database: Database, find_variant: FindVariant, identify: Identify, *, now: Now = now_ms
) -> APIRouter:
    """The routes. `now` says which month and day are the present ones."""
    router = APIRouter(prefix="/api", tags=["finished games"])
    require = make_require_identity(identify)
    read_leaderboard = make_read_leaderboard(database, now)

    @router.get("/leaderboards/{variant}", responses=_BOARD_PROBLEMS)
    async def leaderboard(
        request: Request,
        response: Response,
        variant: _Board,
        *,
        period: _Period = "all",
        mode: _Mode = Mode.RESULTS,
        limit: _Limit = PAGE_ROWS,
        cursor: _Cursor = None,
        around: _Around = None,
        seat: _Seat = None,
        player: _Player = None,
    ) -> Leaderboard:
        """A page of a board, best first; equal scores by the earlier end of the game."""
        if cursor is not None and around is not None:
            raise _wrong("invalid", "around", "a page is found by `cursor` or by `around`, not by both")
        if seat is not None and around is None:
            raise _wrong("invalid", "seat", "a seat is one of the game that `around` names")
        me = await require(request) if player else None
        board = await board_named(database, find_variant, variant)
        if board is None:
            raise unknown_variant(variant)
        wish = Wish(board.id, period, mode, limit, cursor, around, me.player if me else None, seat)
        if me:
            response.headers.update({"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"})
        try:
            return await read_leaderboard(wish, board.variant)
        except WrongCursor as error:
            raise _wrong("wrong_cursor", "cursor", str(error)) from None
        except NotListed:
            raise _not_listed(around or "") from None

    @router.get("/games/{game}", responses=_RECORD | problem_responses(_no_game("g7d1"), 422, 503))
    async def game_record(game: _Id) -> dict[str, Any]:
        """The record of a finished game: enough to replay it and to check its dice."""
        record, seats = await _record_of(database, game)
        return record | {"seats": seats}

    @router.get("/games/{game}/replay", responses=REPLAY | problem_responses(_no_game("g7d1"), 422, 503))
    async def game_replay(game: _Id) -> dict[str, Any]:
        """A finished game turn by turn: what happened, and what it made of the sheets."""
        # Some milliseconds of work, in which the tables of this worker would stand still.
        return await in_thread(_replay_of, *await _record_of(database, game))

    return router


def _with_shown(seat: dict[str, Any], shown_by_player: Mapping[str, Shown]) -> dict[str, Any]:
    """The seat with what tells its player from others of his name today: nothing of a bot, or who is gone."""
    shown = shown_by_player.get(seat["player"])
    return seat | {"tag": shown.tag if shown else None, "user_name": shown.user_name if shown else None}


async def _record_of(database: Database, game: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The record of a game, and its seats as they are shown."""
    async with database.reading() as session:
        record = await record_of_game(session, game)
        if record is None:
            raise _no_game(game)
        shown = await shown_among(session, [seat["player"] for seat in record["seats"]])
    return record, [_with_shown(seat, shown) for seat in record["seats"]]


def _replay_of(plain: dict[str, Any], seats: list[dict[str, Any]]) -> dict[str, Any]:
    record = readable(record_from_plain, plain, "the record")
    first = record.first
    return replay(record.game_id, seats, first.layout, steps_of_game(first, record.log))
