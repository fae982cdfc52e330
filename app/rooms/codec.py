"""Rooms as bytes, for the stores."""

import orjson

from app.rooms.by_identity import by_identity
from app.rooms.room import Phase, Room, Seat, SeatKind
from app.rules.plain import (
    game_from_plain,
    game_to_plain,
    own_dice_game_from_plain,
    own_dice_game_to_plain,
    variant_from_plain,
    variant_to_plain,
)
from app.rules.presets import for_seats
from app.rules.state import Undoing
from app.rules.variant import Variant


def encode_room(room: Room) -> bytes:
    """A room as JSON, its secret included: never to be sent to a client."""
    plain = {
        "code": room.code,
        "phase": room.phase.value,
        "host": room.host,
        "variant": _encoded_variant(room.variant),
        "max_seats": room.max_seats,
        "seats": [
            {
                "player": seat.player,
                "name": seat.name,
                "text": seat.text,
                "kind": seat.kind.value,
                "ready": seat.ready,
                "lent": seat.lent,
            }
            for seat in room.seats
        ],
        "game_id": room.game_id,
        "secret": room.secret.hex(),
        "created_at": room.created_at,
        "started_at": room.started_at,
        "ended_at": room.ended_at,
        "game": game_to_plain(room.game) if room.game else None,
        "undo": room.undo.value if room.undo else None,
        "own_dice": room.own_dice,
        "own_game": own_dice_game_to_plain(room.own_game) if room.own_game else None,
    }
    return orjson.dumps(plain)


@by_identity(kept=256)
def _encoded_variant(variant: Variant) -> orjson.Fragment:
    """A room keeps its variant from step to step, and most rooms share theirs."""
    return orjson.Fragment(orjson.dumps(variant_to_plain(variant)))


def decode_room(encoded: bytes) -> Room:
    """The room that `encode_room` wrote. Our own data: it isn't validated again."""
    plain = orjson.loads(encoded)
    variant = variant_from_plain(plain["variant"])
    seats = tuple(
        Seat(
            seat["player"],
            seat["name"],
            seat["text"],
            SeatKind(seat["kind"]),
            seat["ready"],
            seat.get("lent", False),
        )
        for seat in plain["seats"]
    )
    played = for_seats(variant, max(len(seats), 1))
    return Room(
        code=plain["code"],
        phase=Phase(plain["phase"]),
        host=plain["host"],
        variant=variant,
        max_seats=plain["max_seats"],
        seats=seats,
        game_id=plain["game_id"],
        secret=bytes.fromhex(plain["secret"]),
        created_at=plain["created_at"],
        started_at=plain["started_at"],
        ended_at=plain["ended_at"],
        game=game_from_plain(played, plain["game"]) if plain["game"] else None,
        # A room stored before there was an undo doesn't say so, and has none.
        undo=_undo_from_plain(plain),
        # Nor does one that was stored before dice could be one's own.
        own_dice=plain.get("own_dice", False),
        own_game=own_dice_game_from_plain(played, plain["own_game"]) if plain.get("own_game") else None,
    )


def _undo_from_plain(plain: dict[str, str | None]) -> Undoing | None:
    undo = plain.get("undo", Undoing.OFF)
    return None if undo is None else Undoing(undo)
