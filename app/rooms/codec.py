"""Rooms as bytes, for the stores."""

from operator import attrgetter
from typing import Any

import orjson
from msgspec import Struct
from msgspec.json import Encoder
from msgspec.structs import replace

from app.rooms.room import Offer, OfferReason, Pace, Phase, Room, Seat, SeatKind, Tally
from app.rules.by_identity import by_identity
from app.rules.plain import (
    GameShape,
    Plain,
    game_from_plain,
    own_dice_game_from_plain,
    own_dice_game_to_plain,
    shape_of_game,
    variant_from_plain,
    variant_to_plain,
)
from app.rules.presets import for_seats
from app.rules.state import Undoing
from app.rules.variant import Variant


def encode_room(room: Room) -> bytes:
    """A room as JSON, its secret included: never to be sent to a client."""
    return _beginning(room) + _encode(_passing(room))[1:]


class _Passing(Struct, frozen=True):
    """The game, and what belongs to its turn, as it looks in JSON."""

    game: GameShape | None
    own_game: Plain | None
    deadline: int | None
    bot_turn: int | None
    bot_at: int | None
    offer: tuple[int, int, OfferReason, int] | None
    waited_at: int | None


_encode = Encoder().encode
_PASSING = frozenset(_Passing.__struct_fields__)
_lasting_values = attrgetter(*(name for name in Room.__struct_fields__ if name not in _PASSING))
_KEPT = 2048
_kept: dict[str, tuple[tuple[Any, ...], bytes]] = {}


def _beginning(room: Room) -> bytes:
    """The JSON up to what each step changes. Kept by room, with the values that it was made of."""
    values = _lasting_values(room)
    made = _kept.get(room.code)
    if made is not None and made[0] == values:  # mostly the very same objects, and then at once
        return made[1]
    encoded = orjson.dumps(_lasting_to_plain(room))[:-1] + b","
    if len(_kept) >= _KEPT:
        del _kept[next(iter(_kept))]
    _kept[room.code] = (values, encoded)
    return encoded


def _lasting_to_plain(room: Room) -> Plain:
    """What stays the same through most of a game."""
    return {
        "code": room.code,
        "phase": room.phase.value,
        "host": room.host,
        "variant": _encoded_variant(room.variant),
        "max_seats": room.max_seats,
        "seats": [_seat_to_plain(seat) for seat in room.seats],
        "game_id": room.game_id,
        "secret": room.secret.hex(),
        "created_at": room.created_at,
        "started_at": room.started_at,
        "ended_at": room.ended_at,
        "undo": room.undo.value if room.undo else None,
        "own_dice": room.own_dice,
        "request": room.request,
        "pace": room.pace.value,
        "chat": room.chat,
        "kicked": room.kicked,
        "previous_game": room.previous_game,
        "tally": [(one.player, one.name, one.wins) for one in room.tally],
        "games": room.games,
    }


def _passing(room: Room) -> _Passing:
    game, own_game, offer = room.game, room.own_game, room.offer
    return _Passing(
        None if game is None else shape_of_game(game),
        None if own_game is None else own_dice_game_to_plain(own_game),
        room.deadline,
        room.bot_turn,
        room.bot_at,
        None if offer is None else (offer.seat, offer.turn, offer.reason, offer.since),
        room.waited_at,
    )


@by_identity(kept=256)
def _encoded_variant(variant: Variant) -> orjson.Fragment:
    """A room keeps its variant from step to step, and most rooms share theirs."""
    return orjson.Fragment(orjson.dumps(variant_to_plain(variant)))


def decode_room(encoded: bytes) -> Room:
    """The room that `encode_room` wrote. Our own data: it isn't validated again."""
    plain = orjson.loads(encoded)
    variant = variant_from_plain(plain["variant"])
    seats = tuple(_seat_from_plain(seat) for seat in plain["seats"])
    played = for_seats(variant, max(len(seats), 1))
    room = Room(
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
        own_game=own_dice_game_from_plain(variant, plain["own_game"]) if plain.get("own_game") else None,
        request=plain.get("request"),
    )
    # Nor does one that was stored before tables had a pace, chat, bots and one game after another.
    return _with_table(room, plain) if "pace" in plain else room


def _seat_to_plain(seat: Seat) -> Plain:
    return {
        "player": seat.player,
        "name": seat.name,
        "text": seat.text,
        "kind": seat.kind.value,
        "ready": seat.ready,
        "lent": seat.lent,
        "left": seat.left,
        "barred": seat.barred,
        "bot_turns": seat.bot_turns,
        "bot_since": seat.bot_since,
        "kept": seat.kept,
        "user_name": seat.user_name,
        "bot_last": seat.bot_last,
    }


def _seat_from_plain(plain: dict[str, Any]) -> Seat:
    return Seat(
        plain["player"],
        plain["name"],
        plain["text"],
        SeatKind(plain["kind"]),
        plain["ready"],
        plain.get("lent", False),
        plain.get("left", False),
        plain.get("barred", False),
        plain.get("bot_turns", 0),
        plain.get("bot_since"),
        plain.get("kept", False),
        plain.get("user_name"),
        plain.get("bot_last"),
    )


def _with_table(room: Room, plain: dict[str, Any]) -> Room:
    offer = plain["offer"]
    return replace(
        room,
        pace=Pace(plain["pace"]),
        chat=plain["chat"],
        kicked=tuple(plain["kicked"]),
        deadline=plain["deadline"],
        bot_turn=plain["bot_turn"],
        bot_at=plain.get("bot_at"),
        offer=Offer(offer[0], offer[1], OfferReason(offer[2]), offer[3]) if offer else None,
        waited_at=plain["waited_at"],
        previous_game=plain["previous_game"],
        tally=tuple(Tally(*one) for one in plain["tally"]),
        games=plain["games"],
    )


def _undo_from_plain(plain: dict[str, str | None]) -> Undoing | None:
    undo = plain.get("undo", Undoing.OFF)
    return None if undo is None else Undoing(undo)
