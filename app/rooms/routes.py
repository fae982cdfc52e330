"""Rooms over REST: making one, looking at it and its score panel, its link as a picture."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from starlette.requests import HTTPConnection

from app.accounts.identity import Identify
from app.accounts.origins import make_origin_check
from app.accounts.refusing import too_many_made
from app.accounts.routes import make_require_identity
from app.config import Settings
from app.problems import FieldError, Problem, problem_responses
from app.replays import REPLAY
from app.rooms.codes import read_room_code
from app.rooms.message_commands import columns_of
from app.rooms.panels import score_panels
from app.rooms.refusals import RoomRefusal
from app.rooms.replaying import own_dice_replay
from app.rooms.schemas import DiceValues, MadeRoom, NewRoom, RoomSummary, ScorePanels
from app.rooms.service import RoomService
from app.rooms.store import RoomNotFound, Stored, StoreUnavailable
from app.rules.layout import layout_of
from app.rules.own_dice.values import values_of_dice
from app.spending import in_thread

_Code = Annotated[str, Path(max_length=16)]
_Dice = Annotated[str, Query(pattern=r"^[1-6](,[1-6]){0,7}$", description="faces, such as 6,6,1,3,6")]
_QR_PIXELS = 8


BeginRoom = Callable[[HTTPConnection, str], Awaitable[None]]
"""Counts one more room of a player before it is made. Raises Problem when there were too many."""


async def any_number(_connection: HTTPConnection, _player: str) -> None:
    """Counts nothing."""


def make_router(
    service: RoomService, identify: Identify, settings: Settings, *, begin_room: BeginRoom = any_number
) -> APIRouter:
    """The routes. Unsafe ones refuse the pages of other sites."""
    checks = [Depends(make_origin_check(settings.allowed_origins))]
    router = APIRouter(prefix="/api", tags=["rooms"], dependencies=checks)
    require = make_require_identity(identify)
    made = problem_responses(401, 403, 422, _no_variant(), too_many_made("room", 60), 503)

    @router.post("/rooms", status_code=201, responses=made)
    async def make_room(request: Request, wanted: NewRoom) -> MadeRoom:
        """A new room. Its maker is the host, and takes a seat at the table itself."""
        identity = await require(request)
        await begin_room(request, identity.player)
        with _answering():
            stored = await service.create(
                identity,
                wanted.variant,
                wanted.max_seats,
                columns=columns_of(wanted.columns),
                undo=wanted.undo,
                own_dice=wanted.own_dice,
                request=wanted.request,
            )
        return MadeRoom(code=stored.room.code)

    @router.get("/rooms/{code}", responses=problem_responses(_no_room(), 422, 503))
    async def look_at_room(code: _Code) -> RoomSummary:
        """A room as one sees it before sitting down."""
        room = (await _load(service, code)).room
        return RoomSummary(
            code=room.code,
            phase=room.phase.value,
            variant=room.variant.id,
            seats=len(room.seats),
            max_seats=room.max_seats,
        )

    @router.get("/rooms/{code}/panel", responses=problem_responses(_no_room(), 422, 503))
    async def look_at_panels(code: _Code) -> ScorePanels:
        """The score panel of every seat: points now and still attainable, beside those of a perfect game."""
        # Some milliseconds of work, in which the tables of this worker would stand still.
        return await in_thread(score_panels, await _load(service, code))

    @router.get("/rooms/{code}/values", responses=problem_responses(_no_room(), 422, 503))
    async def look_up_values(code: _Code, dice: _Dice) -> DiceValues:
        """What these dice, real ones on the players' table, give in each row of the room's sheets."""
        room = (await _load(service, code)).room
        faces = tuple(map(int, dice.split(",")))
        try:
            values = await in_thread(values_of_dice, layout_of(room.variant), faces)
        except ValueError as error:
            wrong = FieldError(field="dice", sentence=str(error))
            raise Problem(422, "invalid", f"dice: {error}", errors=[wrong]) from None
        return DiceValues(rows={row: list(in_row) for row, in_row in values.items()})

    @router.get(
        "/rooms/{code}/replay", responses=REPLAY | problem_responses(_no_room(), _no_game(), 422, 503)
    )
    async def replay_room(code: _Code) -> dict[str, Any]:
        """The game with real dice that has just ended in a room, step by step: such a game is in no books."""
        with _answering():
            ended = await service.ended(read_room_code(code))
        if ended is None or ended[0].own_game is None:
            raise _no_game()
        return await in_thread(own_dice_replay, *ended)

    @router.get(
        "/rooms/{code}/qr.svg",
        response_class=Response,
        responses=_PICTURE | problem_responses(_bad_host(), _no_room(), 422, 503),
    )
    async def link_as_picture(request: Request, code: _Code) -> Response:
        """The room's link as a QR code."""
        room = (await _load(service, code)).room
        link = f"{request.base_url}rooms/{room.code}"
        return Response(_qr_code(link), media_type="image/svg+xml")

    return router


_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "image/svg+xml": {
                "schema": {"type": "string"},
                "example": '<?xml version="1.0" encoding="utf-8"?>\n<svg xmlns="http://www.w3.org/2000/svg"…',
            }
        }
    }
}


async def _load(service: RoomService, code: str) -> Stored:
    with _answering():
        return await service.load(read_room_code(code))


def _qr_code(link: str) -> bytes:
    picture = BytesIO()
    try:
        code = segno.make_qr(link)
    except segno.DataOverflowError:
        raise _bad_host() from None
    code.save(picture, kind="svg", scale=_QR_PIXELS, omitsize=True, light="white")
    return picture.getvalue()


@contextmanager
def _answering() -> Iterator[None]:
    """Errors of rooms as problems."""
    try:
        yield
    except RoomNotFound:
        raise _no_room() from None
    except StoreUnavailable:
        headers = {"Retry-After": "2"}
        raise Problem(
            503, "unavailable", "the room store did not answer; try again", headers=headers
        ) from None
    except RoomRefusal as refusal:
        raise Problem(422, refusal.code.value, refusal.sentence) from None


def _no_room() -> Problem:
    return Problem(404, "room_not_found", "no room has that code")


def _no_game() -> Problem:
    return Problem(404, "game_not_found", "no game with real dice has just ended in that room")


def _no_variant() -> Problem:
    return Problem(422, "unknown_variant", "no variant has that id")


def _bad_host() -> Problem:
    return Problem(400, "bad_request", "the Host header is too long for a QR code")
