"""What the checker is given of one room: what everybody saw and sent, and what store and database hold."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tests.faults.telling import Proof
from tests.faults.view import Message


@dataclass(slots=True)
class Seen:
    """Every frame that one viewer got, in order, over all his sockets."""

    viewer: str
    frames: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Sent:
    """A command as a player sent it, once or several times under one request id, and all its answers."""

    player: str
    message: Message
    answers: list[Message] = field(default_factory=list)

    @property
    def is_unanswered(self) -> bool:
        """Whether nothing is known of its end: it may have been carried out or not."""
        return not any(is_final(answer) for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Held:
    """The room as the store holds it in the end. `updates`: those it still keeps, with their versions.

    `waiting`: finished games that it hasn't handed over to the database yet.
    """

    version: int
    game: str
    proof: Proof
    is_finished: bool
    log: Sequence[bytes]
    updates: Sequence[tuple[int, bytes]]
    waiting: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Book:
    """A finished game as the database holds it: its record, how many rows it has and how many results."""

    record: Message
    games: int
    results: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known of one room. `books` by game id; `held` is None where the store has no such room."""

    code: str
    seen: Sequence[Seen]
    sent: Sequence[Sent]
    held: Held | None
    books: dict[str, Book] = field(default_factory=dict)


UNSETTLED = ("unavailable", "conflict")
"""Refusals after which the same request is sent again."""


def is_final(answer: Message) -> bool:
    """Whether an answer settles its command."""
    return answer["type"] == "ok" or answer["code"] not in UNSETTLED
