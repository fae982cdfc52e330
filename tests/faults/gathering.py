"""What store and database hold at the end of a fault run, read from themselves, beside the servers."""

from collections.abc import Sequence

from sqlalchemy import func, select

from app.db import Database
from app.rooms.room import Phase, Room
from app.rooms.store import KEPT_UPDATES, RoomNotFound, RoomStore
from app.scores.tables import GameRow, ResultRow
from tests.faults.evidence import Book, Evidence, Held
from tests.faults.tables import Played, finished_in
from tests.faults.telling import Proof

_MOST_WAITING = 1000


class _Nobody:
    """A watcher who isn't interested."""

    def updated(self, code: str, version: int, update: bytes) -> None:
        """Nothing."""

    def relayed(self, code: str, message: bytes) -> None:
        """Nothing."""

    def resynced(self) -> None:
        """Nothing."""


async def gather(rooms: Sequence[Played], store: RoomStore, database_url: str) -> list[Evidence]:
    """The evidence of every room."""
    database = Database(database_url)
    await store.open(_Nobody())
    try:
        return [await _gather(room, store, database) for room in rooms]
    finally:
        await store.close()
        await database.dispose()


async def recorded_games(database_url: str) -> set[str]:
    """The ids of all games in the books."""
    database = Database(database_url)
    try:
        async with database.reading() as session:
            return set((await session.scalars(select(GameRow.id))).all())
    finally:
        await database.dispose()


async def _gather(room: Played, store: RoomStore, database: Database) -> Evidence:
    # In this order, so that a game which bots end just now is found where it then is.
    held = await _held(store, room.code)
    frames = [update for _, update in held.updates] if held else []
    games = room.finished_games | finished_in(frame.decode() for frame in frames)
    books = {game: book for game in games if (book := await _book(database, game))}
    return Evidence(room.code, room.seen, room.sent, held, books)


async def _held(store: RoomStore, code: str) -> Held | None:
    try:
        stored = await store.load(code)
    except RoomNotFound:
        return None
    first = max(stored.version - KEPT_UPDATES, 0)
    held = Held(
        version=stored.version,
        game=stored.room.game_id,
        proof=_proof(stored.room),
        is_finished=stored.room.phase is Phase.FINISHED,
        log=await store.log(code),
        updates=await store.updates_since(code, first) or [],
        waiting={game.game_id for game in await store.unrecorded(_MOST_WAITING)},
    )
    is_still = (await store.load(code)).version == stored.version
    return held if is_still else await _held(store, code)  # bots play on when the players have gone


def _proof(room: Room) -> Proof:
    variant = room.game.variant if room.game else room.variant
    return Proof(room.secret, [seat.text for seat in room.seats], variant.dice)


async def _book(database: Database, game: str) -> Book | None:
    async with database.reading() as session:
        records = (await session.scalars(select(GameRow.record).where(GameRow.id == game))).all()
        results = await session.scalar(
            select(func.count()).select_from(ResultRow).where(ResultRow.game_id == game)
        )
    return Book(records[0], len(records), results or 0) if records else None
