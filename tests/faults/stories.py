"""Small true stories of a room, which a test of the checker bends in one place."""

import json

from tests.faults.evidence import Evidence, Held, Seen, Sent
from tests.faults.telling import Proof
from tests.faults.view import Message
from tests.values import replace

SECRET = bytes(range(32))
PROOF = Proof(SECRET, ["seven blue herons", "чаша"], 5)
LIJA = "plija"
MEDO = "pmedo"

_EMPTY: Message = {
    "room": {"code": "KAFANA", "phase": "playing", "host": LIJA},
    "seats": [{"seat": 0, "player": LIJA, "kind": "person"}, {"seat": 1, "player": MEDO, "kind": "person"}],
    "dice_proof": {"game": "g1", "secret": None},
    "sheets": [],
    "result": None,
}

SHEET: Message = {"seat": 0, "total": 5, "cells": {"down": {"ones": 5}}, "sums": {}}


def turn_at(turn: int, roll: int) -> Message:
    """The turn part of a state."""
    return {"seat": (turn - 1) % 2, "turn": turn, "round": (turn + 1) // 2, "roll": roll}


def rolled(turn: int, roll: int) -> Message:
    """The event of a roll, and the place before it, in which the roll had one less."""
    return {"type": "rolled", "seat": (turn - 1) % 2, "roll": roll, "dice": [roll] * 5, "held": []}


def welcome(version: int, turn: Message) -> str:
    """A snapshot."""
    return _welcome("e1", version, _state({"turn": turn}))


def _state(parts: Message) -> Message:
    return _EMPTY | parts


def _welcome(epoch: str, version: int, state: Message) -> str:
    return json.dumps({"type": "welcome", "epoch": epoch, "version": version, "state": state})


def update(version: int, event: Message, turn: Message) -> str:
    """A step."""
    return json.dumps({"type": "update", "version": version, "events": [event], "turn": turn})


def host_passed(version: int) -> str:
    """A step that the server makes by itself."""
    return update(version, {"type": "host_passed", "player": MEDO, "name": "Medo"}, turn_at(1, 2))


def roll_of(player: str, request: str, turn: int, roll: int) -> Message:
    """The command to roll, meant for that turn after so many rolls."""
    meant = {"seat": 0 if player == LIJA else 1, "turn": turn, "roll": roll}
    return {"type": "act", "request": request, **meant, "action": {"type": "roll", "hold": []}}


def ok(request: str, version: int) -> Message:
    """That command is that version."""
    return {"type": "ok", "request": request, "version": version}


def refused(request: str, code: str, *, retry: bool = False) -> Message:
    """That command changed nothing."""
    return {"type": "refused", "request": request, "code": code, "retry": retry}


def two_rolls() -> Evidence:
    """Lija rolls twice, both see it, and the store has it."""
    steps = [update(1, rolled(1, 1), turn_at(1, 1)), update(2, rolled(1, 2), turn_at(1, 2))]
    frames = [welcome(0, turn_at(1, 0)), *steps]
    return Evidence(
        code="KAFANA",
        seen=[Seen("Lija", list(frames)), Seen("Medo", list(frames))],
        sent=[
            Sent(LIJA, roll_of(LIJA, "a1", 1, 0), [ok("a1", 1)]),
            Sent(LIJA, roll_of(LIJA, "a2", 1, 1), [ok("a2", 2)]),
        ],
        held=Held(
            version=2,
            game="g1",
            proof=PROOF,
            is_finished=False,
            log=[json.dumps(rolled(1, roll)).encode() for roll in (1, 2)],
            updates=[(version, step.encode()) for version, step in zip((1, 2), steps, strict=True)],
        ),
    )


def a_rematch(*shown_after: Message) -> Evidence:
    """Lija asks for another game, which takes all sheets away. Then the store may have lost something, and a
    snapshot under its new epoch shows the same version, with these sheets."""
    over = _state({"sheets": [SHEET], "turn": None})
    begun = {"type": "rematch", "game": "g2"}
    step = json.dumps({"type": "update", "version": 1, "events": [begun], "sheets": [], "turn": None})
    frames = [_welcome("e1", 0, over), step]
    again = _welcome("e2", 1, over | {"sheets": list(shown_after)})
    asked = Sent(LIJA, {"type": "rematch", "request": "a1", "game": "g1"}, [ok("a1", 1)])
    held = Held(1, "g2", PROOF, is_finished=False, log=[], updates=[(1, step.encode())])
    return Evidence("KAFANA", [Seen("Lija", [*frames, again]), Seen("Medo", frames)], [asked], held)


def with_frames(story: Evidence, viewer: int, frames: list[str]) -> Evidence:
    """The story in which that viewer got other frames."""
    seen = list(story.seen)
    seen[viewer] = Seen(seen[viewer].viewer, frames)
    return replace(story, seen=seen)


def with_answers(story: Evidence, place: int, *answers: Message) -> Evidence:
    """The story in which that command had other answers."""
    sent = list(story.sent)
    sent[place] = Sent(sent[place].player, sent[place].message, list(answers))
    return replace(story, sent=sent)


def with_held(story: Evidence, **changes: object) -> Evidence:
    """The story in which the store holds something else."""
    assert story.held is not None
    return replace(story, held=replace(story.held, **changes))
