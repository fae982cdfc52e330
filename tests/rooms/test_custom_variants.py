"""A room plays a variant that players made: it is looked for before the decision, never during a game."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.db import Database, DatabaseUnavailable
from app.rooms.commands import Act, ChangeSettings, Command, Join, MarkReady, Start
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import Phase
from app.rooms.service import Asked, RoomService
from app.rules.actions import Roll
from app.rules.column_choice import with_columns
from app.rules.custom import custom_variant, parameters_of
from app.rules.presets import PAPIR
from app.rules.variant import Variant
from app.schema import migrate
from app.variants.finding import make_find_variant
from app.variants.repository import add_variant
from tests.rooms.serving import Rooms
from tests.rooms.tables import NOW, identity

CUSTOM = custom_variant(parameters_of(PAPIR) | {"dice": 5, "max_hold": 5, "last_cell_rolls": 5})
CHOSEN = with_columns(PAPIR, ["down", "up"])
UNKNOWN = "x-0123456789abcdef"


def service_with(rooms: Rooms, database: Database) -> RoomService:
    """A service over the same store, which finds variants in that database."""
    return RoomService(
        rooms.store,
        now=lambda: NOW,
        draw=lambda count: bytes(range(count)),
        on_finished=lambda: None,
        find_variant=make_find_variant(database),
    )


@pytest.fixture
async def service(unserved: Rooms, tmp_path: Path) -> AsyncIterator[RoomService]:
    """A service whose database has a variant."""
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'yamb.db'}")
    await migrate(database)
    async with database.session() as session:
        for variant in (CUSTOM, CHOSEN):
            await add_variant(session, variant, NOW)
    yield service_with(unserved, database)
    await database.dispose()


@pytest.fixture
async def cut_off(unserved: Rooms, tmp_path: Path) -> AsyncIterator[RoomService]:
    """A service over the same store whose database doesn't answer."""
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'nowhere' / 'yamb.db'}")
    yield service_with(unserved, database)
    await database.dispose()


async def carry_out(service: RoomService, code: str, *commands: Command) -> None:
    for at, command in enumerate(commands):
        await service.carry_out(Asked(code, identity("Lija"), f"{type(command).__name__}-{at}", command))


async def refusal_of(service: RoomService, code: str, command: Command) -> RefusalCode:
    before = await service.load(code)
    with pytest.raises(RoomRefusal) as refused:
        await service.carry_out(Asked(code, identity("Lija"), "refused", command))
    assert await service.load(code) == before
    assert isinstance(refused.value.code, RefusalCode)
    return refused.value.code


async def test_a_room_is_made_with_a_variant_that_players_made(service: RoomService) -> None:
    stored = await service.create(identity("Lija"), CUSTOM.id, 2)
    assert stored.room.variant == CUSTOM


async def test_the_host_changes_to_a_variant_that_players_made(service: RoomService) -> None:
    code = (await service.create(identity("Lija"), "papir", 2)).room.code
    await carry_out(service, code, ChangeSettings(CUSTOM.id, 3))
    room = (await service.load(code)).room
    assert (room.variant, room.max_seats) == (CUSTOM, 3)


@pytest.mark.parametrize("variant", [UNKNOWN, "poker", "x-", CUSTOM.id.upper()])
async def test_a_variant_that_nobody_made_is_unknown(service: RoomService, variant: str) -> None:
    code = (await service.create(identity("Lija"), CUSTOM.id, 2)).room.code
    assert await refusal_of(service, code, ChangeSettings(variant, 2)) is RefusalCode.UNKNOWN_VARIANT
    with pytest.raises(RoomRefusal) as refused:
        await service.create(identity("Lija"), variant, 2)
    assert refused.value.code is RefusalCode.UNKNOWN_VARIANT


@pytest.mark.parametrize("variant", [CUSTOM, CHOSEN], ids=["custom", "chosen"])
async def test_columns_are_chosen_of_the_variants_that_have_a_choice_alone(
    service: RoomService, variant: Variant
) -> None:
    code = (await service.create(identity("Lija"), "papir", 2)).room.code
    wanted = ChangeSettings(variant.id, 2, columns=("down",))
    assert await refusal_of(service, code, wanted) is RefusalCode.UNKNOWN_COLUMNS


async def test_without_the_database_such_a_variant_is_unavailable_and_nothing_changes(
    service: RoomService, cut_off: RoomService
) -> None:
    code = (await service.create(identity("Lija"), "papir", 2)).room.code
    assert await refusal_of(cut_off, code, ChangeSettings(CUSTOM.id, 2)) is RefusalCode.UNAVAILABLE
    with pytest.raises(DatabaseUnavailable):
        await cut_off.create(identity("Lija"), CUSTOM.id, 2)
    await carry_out(cut_off, code, ChangeSettings("classic-5x4", 2))
    assert (await service.load(code)).room.variant.id == "classic-5x4"


async def test_a_game_under_way_needs_no_database_for_its_variant(
    service: RoomService, cut_off: RoomService
) -> None:
    code = (await service.create(identity("Lija"), CUSTOM.id, 2)).room.code
    await carry_out(cut_off, code, Join("x"), MarkReady(ready=True), Start(), Act(0, 1, 0, Roll()))
    room = (await cut_off.load(code)).room
    assert room.phase is Phase.PLAYING
    assert room.game is not None
    assert len(room.game.dice) == 5
