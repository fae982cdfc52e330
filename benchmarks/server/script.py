"""The game that every table plays: made before, since no legality depends on what the dice show."""

import json
from functools import cache
from typing import NamedTuple

from app.rules.actions import Action, Announce, Fill, Roll
from app.rules.presets import PAPIR
from benchmarks.server.frames import text_frame
from tests.rules.games import steps

SEATS = 4
VARIANT = PAPIR


class Line(NamedTuple):
    """One action as a frame, and the seat that sends it."""

    seat: int
    frame: bytes


@cache
def script(seed: int) -> tuple[Line, ...]:
    """A random game of the largest preset for four, from its first roll to its end."""
    lines = []
    for number, step in enumerate(steps(VARIANT, SEATS, seed)):
        game = step.before
        message = {
            "type": "act",
            "request": f"r{number}",
            "seat": game.seat,
            "turn": game.turn,
            "roll": game.roll,
            "action": _plain(step.action),
        }
        lines.append(Line(game.seat, message_frame(message)))
    return tuple(lines)


def message_frame(message: dict[str, object]) -> bytes:
    """A message as a frame."""
    return text_frame(json.dumps(message, separators=(",", ":")).encode())


def _plain(action: Action) -> dict[str, object]:
    match action:
        case Roll():
            return {"type": "roll", "hold": list(action.hold)}
        case Announce() | Fill():
            name = "announce" if isinstance(action, Announce) else "fill"
            return {"type": name, "column": action.cell.column.value, "row": action.cell.row.value}
        case _:
            raise ValueError(f"a game without undo has no {action}")
