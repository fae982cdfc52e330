"""What an attacker did and what it was answered, as numbers. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(slots=True)
class Tally:
    """Counts of one attack. `sent` and `heard` are bytes.

    `opened`: connections that were made, and `not_opened` those that were not. `statuses`: answers to
    requests. `ends`: connections that the server ended, by close code, or "cut" where it said none. `said`:
    messages of the server, by type or refusal code. `left_open`: connections that it still bore at the end.
    """

    sent: int = 0
    heard: int = 0
    opened: int = 0
    not_opened: int = 0
    left_open: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)

    def plain(self) -> dict[str, Any]:
        """All of it as JSON values."""
        counts = {name: dict(getattr(self, name)) for name in _COUNTS}
        return {name: getattr(self, name) for name in _NUMBERS} | counts

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """What `plain` gave."""
        values: dict[str, Any] = {name: plain[name] for name in _NUMBERS}
        return cls(**values | {name: Counter(plain[name]) for name in _COUNTS})

    @property
    def answered(self) -> int:
        """How many requests were answered."""
        return self.statuses.total()

    def refusals(self) -> str:
        """How it was refused, for a table: answers, ends, messages."""
        parts = [f"{status}×{count}" for status, count in self.statuses.most_common(4)]
        parts += [f"end {code}×{count}" for code, count in self.ends.most_common(4)]
        parts += [f"{word}×{count}" for word, count in self.said.most_common(3)]
        parts += [f"not let in×{self.not_opened}"] if self.not_opened else []
        parts += [f"open×{self.left_open}"] if self.left_open else []
        return ", ".join(parts) or "nothing"


_COUNTS = ("statuses", "ends", "said")
_NUMBERS = ("sent", "heard", "opened", "not_opened", "left_open")
