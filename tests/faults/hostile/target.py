"""What an attacker is told: whom to attack, from which address, for how long."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Target:
    """A server, and what a stranger may know of it.

    `attack`: a name of the table of attacks. `source`: the address that the attack comes from; `network`: the
    beginning of many more of the kind (`127.9.1.`). `tables`: codes of rooms where people play. `game`,
    `player`, `user_name`: what anybody reads on a leaderboard. `share`: of the usual number of connections.
    """

    attack: str
    port: int
    source: str
    network: str
    seconds: float
    seed: int
    share: float
    tables: Sequence[str]
    game: str
    player: str
    user_name: str

    @property
    def host(self) -> str:
        """As a browser would say it."""
        return f"127.0.0.1:{self.port}"

    def line(self) -> str:
        """All of it in one line."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, line: str) -> Self:
        """What `line` gave."""
        return cls(**json.loads(line))
