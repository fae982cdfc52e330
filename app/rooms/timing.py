"""How often a worker looks after what happens by itself, and how long something may last before it counts."""

from dataclasses import dataclass, field

from app.rooms.presence import Patience


@dataclass(frozen=True, slots=True)
class Timing:
    """The intervals of a worker in seconds. Tests pass shorter ones.

    `renew`: between two renewals of the leases, each of which holds for 30 s. `look`: between two looks at
    what time alone changes, and before a store that was away is asked again. `poll`: between two questions
    for timers that are due. `audit`: between two comparisons of what viewers have with the store. `sessions`:
    between two questions whether those of the sockets are still valid. `drain`: over so long the sockets of a
    worker that stops are closed. `probe`: so long nothing was heard of a client that is then asked for a sign
    of life, and `silent` of one that counts as disconnected.
    """

    renew: float = 10.0
    look: float = 1.0
    poll: float = 0.25
    audit: float = 15.0
    sessions: float = 60.0
    drain: float = 3.0
    probe: float = 6.0
    silent: float = 12.0
    patience: Patience = field(default_factory=Patience)
