"""What would tell a game's dice before they fall, and whether a text tells it. Pure.

Any eight bytes in a row are enough, forwards or backwards: of the secret, of the game key, and of the digests
that rolls are read from. Of a roll that is still to come its faces are enough, where they are five or more.
"""

import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hmac import digest

from app.rules.fairness import RollName, draw, game_key
from app.rules.variant import MAX_ROLLS
from tests.faults.readings import bytes_of, faces_of, runs

WINDOW = 8
_FEWEST_FACES = 5  # fewer are in many a frame by chance
_TURNS_AHEAD = 4

RollsMade = Mapping[RollName, int]
"""The version in which each roll fell."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What fixes a game's dice: the secret, the seats' texts in their order, and how many dice are rolled."""

    secret: bytes
    texts: Sequence[str]
    dice: int


@dataclass(frozen=True, slots=True)
class Telling:
    """Of one game: what each telling piece of bytes belongs to, and which rolls have those faces."""

    pieces: dict[bytes, str] = field(default_factory=dict)
    rolls: dict[str, list[RollName]] = field(default_factory=lambda: defaultdict(list))


def what_tells(game: str, proof: Proof, made: Collection[RollName] = ()) -> Telling:
    """All of a game's rolls, some turns beyond those `made`."""
    key = game_key(proof.secret, proof.texts, game)
    telling = Telling()
    _add(telling, "the secret", proof.secret)
    _add(telling, "the key", key)
    last = max((name.turn for name in made), default=0) + _TURNS_AHEAD
    for name in _names(len(proof.texts), last):
        roll = f"roll {name.seat}:{name.turn}:{name.roll}"
        _add(telling, f"the digest of {roll}", digest(key, f"{roll[5:]}:0".encode(), "sha256"))
        if proof.dice >= _FEWEST_FACES:
            telling.rolls["".join(map(str, draw(key, name, proof.dice)))].append(name)
    return telling


class Search:
    """Looks through texts for what tells the dice of some games. `made`: by game, the rolls that fell."""

    def __init__(self, proofs: Mapping[str, Proof], made: Mapping[str, RollsMade]) -> None:
        self._made = made
        self._rolls: dict[str, list[tuple[str, RollName]]] = defaultdict(list)
        self._pieces: dict[bytes, tuple[str, str]] = {}
        self._harmless: set[str] = set()
        self._faces: dict[str, list[str]] = {}
        self._lengths = {proof.dice for proof in proofs.values()}
        for game, proof in proofs.items():
            telling = what_tells(game, proof, made.get(game, {}))
            self._pieces |= {piece: (game, what) for piece, what in telling.pieces.items()}
            for faces, names in telling.rolls.items():
                self._rolls[faces] += ((game, name) for name in names)

    def bytes_told(self, text: str) -> set[tuple[str, str]]:
        """The games of which a text tells, and what."""
        told: set[tuple[str, str]] = set()
        for run in runs(text) - self._harmless:
            found = {self._pieces[piece] for piece in _pieces(run) if piece in self._pieces}
            if not found:
                self._harmless.add(run)
            told |= found
        return told

    def told(self, frame: str, version: int) -> set[tuple[str, str]]:
        """The same of a frame, with the rolls that come only after that version."""
        return self.bytes_told(frame) | set(self._rolls_told(frame, version))

    def _rolls_told(self, frame: str, version: int) -> Iterator[tuple[str, str]]:
        if frame not in self._faces:
            self._faces[frame] = list(faces_of(json.loads(frame)))
        for faces in self._faces[frame]:
            for game, name in self._rolls_of(faces):
                if self._made.get(game, {}).get(name, math.inf) > version:
                    yield game, f"the faces of roll {name.seat}:{name.turn}:{name.roll}"

    def _rolls_of(self, faces: str) -> Iterator[tuple[str, RollName]]:
        for length in self._lengths:
            for start in range(len(faces) - length + 1):
                yield from self._rolls.get(faces[start : start + length], ())


def _names(seats: int, turns: int) -> Iterator[RollName]:
    for seat in range(seats):
        for turn in range(1, turns + 1):
            yield from (RollName(seat, turn, roll) for roll in range(1, MAX_ROLLS + 1))


def _add(telling: Telling, what: str, data: bytes) -> None:
    for one in (data, data[::-1]):
        telling.pieces.update(dict.fromkeys(_windows(one), what))


def _pieces(run: str) -> Iterator[bytes]:
    for data in bytes_of(run):
        yield from _windows(data)


def _windows(data: bytes) -> Iterator[bytes]:
    return (data[start : start + WINDOW] for start in range(len(data) - WINDOW + 1))
