"""What a table sees of its room, as plain values: the parts of docs/protocol.md. Pure.

Every part is made from the room alone and is the same for everybody. The secret is in none before the game
is over. What changes with every action is given as a fragment of JSON; the rest as plain values.
"""

from collections.abc import Iterable

import orjson

from app.rooms.ending import standings
from app.rooms.legal_part import legal_part
from app.rooms.room import NOBODY, SHEETS_FULL, Offer, Phase, Room, Seat
from app.rooms.schedule import is_bot_to_move
from app.rooms.sheet_part import sheet_part
from app.rules.fairness import commitment_of
from app.rules.layout import CellIndex
from app.rules.legality import rolls_allowed
from app.rules.own_dice import game as own_dice
from app.rules.own_dice.game import OwnDiceGame
from app.rules.own_dice.values import values_by_row
from app.rules.plain import (
    Plain,
    cell_to_plain,
    standings_to_plain,
    variant_shown,
)
from app.rules.presets import for_seats
from app.rules.state import Game
from app.rules.variant import ColumnKind, Variant


def state(room: Room) -> Plain:
    """Every part of a room's state."""
    return {
        "room": _room(room),
        "variant": variant_shown(room.variant),
        "seats": _seats(room),
        "dice_proof": _dice_proof(room),
        "sheets": _sheets(room),
        "turn": _turn(room),
        "own": _own(room),
        "result": _result(room),
    }


def changed_parts(before: Room, after: Room) -> Plain:
    """The parts that differ between two neighbouring versions of a room. Of the sheets, those that differ."""
    parts: Plain = {}
    if _room_fields(before) != _room_fields(after):
        parts["room"] = _room(after)
    if before.variant is not after.variant:
        parts["variant"] = variant_shown(after.variant)
    if before.seats is not after.seats:
        parts["seats"] = _seats(after)
    if before.game is after.game and before.own_game is after.own_game and before.phase is after.phase:
        if _clock_fields(before) != _clock_fields(after):
            parts["turn"] = _turn(after)
        return parts
    if before.game_id != after.game_id or before.phase is not after.phase:
        parts["dice_proof"] = _dice_proof(after)
        parts["result"] = _result(after)
    elif after.phase is Phase.FINISHED:  # a sheet was corrected
        parts["result"] = _result(after)
    sheets = _sheets(after, before)
    if sheets or after.phase is Phase.LOBBY:
        parts["sheets"] = sheets
    if after.own_dice:
        parts["own"] = _own(after)
    else:
        parts["turn"] = _turn(after)
    return parts


def _clock_fields(room: Room) -> tuple[object, ...]:
    """What of the turn part can change without the game."""
    return room.deadline, room.offer, is_bot_to_move(room)


def _room_fields(room: Room) -> tuple[object, ...]:
    """What the room part depends on."""
    agreed = (room.max_seats, room.variant, len(room.seats), room.undo, room.own_dice, room.pace, room.chat)
    return room.phase, room.host, room.games, room.tally, room.previous_game, agreed


def _room(room: Room) -> Plain:
    return {
        "code": room.code,
        "phase": room.phase.value,
        "host": None if room.host == NOBODY else room.host,
        "max_seats": room.max_seats,
        "created_at": room.created_at,
        "dropped_columns": _dropped_columns(room),
        "undo": room.undoing.value,
        "own_dice": room.own_dice,
        "pace": room.pace.value,
        "chat": room.chat,
        "games": room.games,
        "tally": [{"player": one.player, "name": one.name, "wins": one.wins} for one in room.tally],
        "previous_game": room.previous_game,
    }


def _dropped_columns(room: Room) -> list[str]:
    game = room.own_game or room.game
    played = game.variant if game else _variant_to_play(room)
    return [column.kind.value for column in room.variant.columns if played.column(column.kind) is None]


def _variant_to_play(room: Room) -> Variant:
    """The variant that the table would play if the game began now."""
    return room.variant if room.own_dice else for_seats(room.variant, max(len(room.seats), 1))


def _seats(room: Room) -> list[Plain]:
    return [_seat(number, seat) for number, seat in enumerate(room.seats)]


def _seat(number: int, seat: Seat) -> Plain:
    return {
        "seat": number,
        "player": seat.player,
        "name": seat.name,
        "kind": seat.kind.value,
        "ready": seat.ready,
        "text": seat.text,
        "played_by": "player" if seat.is_present else "bot",
        "left": seat.left,
        "barred": seat.barred,
        "bot_turns": seat.bot_turns,
        "kept": seat.kept,
        "user_name": seat.user_name,
    }


def _dice_proof(room: Room) -> Plain:
    is_over = room.phase is Phase.FINISHED
    return {
        "game": room.game_id,
        "commitment": commitment_of(room.secret),
        "secret": room.secret.hex() if is_over else None,
    }


def _sheets(room: Room, before: Room | None = None) -> list[orjson.Fragment]:
    """The sheets that aren't the same in the room before; all of them without one."""
    played = room.own_game or room.game
    if played is None:
        return []
    earlier = before and (before.own_game or before.game)
    old = earlier.sheets if earlier else (None,) * len(played.sheets)
    return [
        sheet_part(seat, played.layout, sheet)
        for seat, sheet in enumerate(played.sheets)
        if sheet is not old[seat]
    ]


def _result(room: Room) -> Plain | None:
    places = standings(room)
    if room.phase is not Phase.FINISHED or places is None:
        return None
    return {
        "reason": SHEETS_FULL,
        "game": room.game_id,
        "board": room.game.variant.id if room.game else None,
        "standings": standings_to_plain(places),
        "started_at": room.started_at,
        "ended_at": room.ended_at,
    }


def _own(room: Room) -> Plain | None:
    """What can be written at an own-dice table: by row the values, by seat the open cells.

    Also after the end, when a value can still be corrected.
    """
    game = room.own_game
    if game is None:
        return None
    return {
        "values": {row.value: list(values) for row, values in values_by_row(game.layout).items()},
        "seats": [_own_seat(game, seat) for seat in range(len(game.sheets))],
    }


def _own_seat(game: OwnDiceGame, seat: int) -> Plain:
    announced = game.announced[seat]
    announceable = () if announced else own_dice.announceable_cells(game, seat)
    return {
        "seat": seat,
        "open": _rows_by_column(game, own_dice.open_cells(game, seat)),
        "announce": _rows_by_column(game, announceable),
        "announced": cell_to_plain(announced) if announced else None,
    }


def _rows_by_column(game: OwnDiceGame, indexes: Iterable[CellIndex]) -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {}
    for cell in (game.layout.cells[index] for index in indexes):
        rows.setdefault(cell.column.value, []).append(cell.row.value)
    return rows


def _turn(room: Room) -> Plain | None:
    game = room.game
    if game is None or room.phase is not Phase.PLAYING:
        return None
    is_bot = is_bot_to_move(room)
    return {
        "turn": game.turn,
        "round": game.round,
        "rounds": game.rounds,
        "seat": game.seat,
        "roll": game.roll,
        "rolls": rolls_allowed(game),
        "dice": list(game.dice),
        "held": list(game.held),
        "announced": cell_to_plain(game.announced) if game.announced else None,
        "bound": _bound(game),
        "pending": _pending(game),
        "undo_seat": game.undo_seat,
        "legal": legal_part(game),
        "deadline": None if is_bot else room.deadline,
        "offer": _offer(room.offer),
        "bot": is_bot,
    }


def _offer(offer: Offer | None) -> Plain | None:
    if offer is None:
        return None
    return {"seat": offer.seat, "reason": offer.reason.value, "since": offer.since}


def _bound(game: Game) -> Plain | None:
    """What the seat to move owes to announcements, or may make of them. Each cell once, by who was first.

    Nothing once it has announced a cell itself: then that is the only one it can fill.
    """
    bindings = game.pending[game.seat]
    if not bindings or game.announced is not None:
        return None
    callers = {binding.cell: binding.by for binding in reversed(bindings)}
    cells = dict.fromkeys(binding.cell for binding in bindings)
    return {
        "duty": _duty(game),
        "cells": [{**cell_to_plain(cell), "by": callers[cell]} for cell in cells],
        "by": bindings[0].by,
    }


def _pending(game: Game) -> list[Plain]:
    mover = game.seat
    return [
        {"seat": seat, "by": binding.by, "duty": _duty(game), **cell_to_plain(binding.cell)}
        for seat, bindings in enumerate(game.pending)
        if seat != mover
        for binding in bindings
    ]


def _duty(game: Game) -> str:
    return game.layout.column_by_kind[ColumnKind.NOTIFICATION].column.duty.value
