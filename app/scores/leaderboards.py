"""A page of a leaderboard as it is asked for: what the period means now, cursors, and where a game stands."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.clock import Now
from app.db import Database
from app.rules.column_choice import base_of
from app.rules.share_code import share_code
from app.rules.variant import Variant
from app.scores.board_pages import edge_of_game, page_of
from app.scores.boards import Board, Edge, Mode, Page
from app.scores.cursors import Mark, read_cursor, write_cursor
from app.scores.periods import EVER, day_of, is_day, is_month, month_of
from app.scores.repository import kept_key
from app.scores.schemas import Leaderboard, listed_result

_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for. At most one of `cursor` and `around`; `player`: whose results alone, by his id."""

    variant: str
    period: str
    mode: Mode
    limit: int
    cursor: str | None = None
    around: str | None = None
    player: str | None = None

    @property
    def purpose(self) -> tuple[str, ...]:
        """What a cursor of its pages is good for."""
        return ("leaderboard", self.variant, self.period, self.mode.value, self.player or "")


class NotListed(Exception):
    """The game isn't on the board."""


ReadLeaderboard = Callable[[Wish, Variant], Awaitable[Leaderboard]]


def make_read_leaderboard(database: Database, now: Now) -> ReadLeaderboard:
    """The function that reads a page of a variant's board.

    It raises WrongCursor, NotListed and DatabaseUnavailable.
    """
    keys: list[bytes] = []

    async def cursor_key() -> bytes:
        if not keys:
            async with database.session() as session:
                keys.append(await kept_key(session, "cursor", secrets.token_bytes(_KEY_BYTES)))
        return keys[0]

    async def read_leaderboard(wish: Wish, variant: Variant) -> Leaderboard:
        key = await cursor_key()
        mark = read_cursor(key, wish.purpose, wish.cursor) if wish.cursor is not None else None
        period = mark.period if mark else key_of(wish.period, now())
        board = Board(wish.variant, period, wish.mode)
        async with database.reading() as session:
            edge = mark.edge if mark else None
            if wish.around is not None:
                edge = await edge_of_game(session, board, wish.around, limit=wish.limit, player=wish.player)
                if edge is None:
                    raise NotListed(wish.around)
            page = await page_of(session, board, limit=wish.limit, edge=edge, player=wish.player)

        def cursor_of(edge: Edge | None) -> str | None:
            return write_cursor(key, wish.purpose, Mark(period, edge)) if edge else None

        return _shown(wish, variant, board, page, cursor_of=cursor_of)

    return read_leaderboard


def key_of(period: str, now: int) -> str:
    """The key of a period as it is asked for: all, month, today, or a month such as 2026-10."""
    match period:
        case "all":
            return EVER
        case "month":
            return month_of(now)
        case "today":
            return day_of(now)
        case month:
            return month


def _shown(
    wish: Wish,
    variant: Variant,
    board: Board,
    page: Page,
    *,
    cursor_of: Callable[[Edge | None], str | None],
) -> Leaderboard:
    base = base_of(variant)
    return Leaderboard(
        variant=board.variant,
        base=base.id if base else board.variant,
        code=share_code(variant),
        dice=variant.dice,
        columns=[column.kind for column in variant.columns],
        period=wish.period,
        month=board.period if is_month(board.period) else None,
        day=board.period if is_day(board.period) else None,
        mode=board.mode,
        total=page.total,
        results=[listed_result(standing) for standing in page.standings],
        next=cursor_of(page.next),
        previous=cursor_of(page.previous),
    )
