"""Who is at a table, from the leases of connections: what is so, and what is shown of it. Pure.

A player is told from his connections, not from a flag: of two tabs one may close. Instants are milliseconds
since 1970 in UTC.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.rooms.store import SeenLease


class Presence(StrEnum):
    """How a player is at a table, from the best to the worst."""

    HERE = "here"
    AWAY = "away"
    RECONNECTING = "reconnecting"
    GONE = "gone"


_BADNESS = {presence: badness for badness, presence in enumerate(Presence)}


@dataclass(frozen=True, slots=True)
class Patience:
    """How long something may last before it counts, in milliseconds.

    `worse`: before a worsening is shown, so that a reload of the page shows nothing. `gone`: without a
    connection, before a player counts as gone.
    """

    worse: int = 3_000
    gone: int = 60_000


@dataclass(frozen=True, slots=True)
class Sight:
    """How a player is now. `missed_since`: when his last connection ended, None while he has one."""

    presence: Presence
    missed_since: int | None = None


@dataclass(frozen=True, slots=True)
class Attendance:
    """What a table is shown: of each player how he is, and how many others look on.

    `worse_since`: since when a player has been worse than is shown, which isn't shown itself.
    """

    players: Mapping[str, Presence] = field(default_factory=dict)
    spectators: int = 0
    worse_since: Mapping[str, int] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Leases:
    """The leases of a room as they were read. `known_since`: since when it has been looked at.

    Who has no lease at all may have been there before the store forgot its leases: he counts as missed from
    then on.
    """

    leases: tuple[SeenLease, ...] = ()
    known_since: int = 0


def sight_of(player: str, known: Leases, now: int, patience: Patience) -> Sight:
    """How a player is."""
    own = [lease for lease in known.leases if lease.player == player]
    alive = [lease for lease in own if lease.until > now]
    if alive:
        return Sight(Presence.AWAY if all(lease.is_away for lease in alive) else Presence.HERE)
    missed_since = max((lease.until for lease in own), default=known.known_since)
    is_gone = now - missed_since >= patience.gone
    return Sight(Presence.GONE if is_gone else Presence.RECONNECTING, missed_since)


def attend(
    shown: Attendance | None, seated: Collection[str], known: Leases, now: int, *, patience: Patience
) -> Attendance:
    """What is to be shown of the seated players and the others, after what has been shown.

    What gets better is shown at once, what gets worse only when it has lasted.
    """
    before = shown or Attendance()
    players: dict[str, Presence] = {}
    worse_since: dict[str, int] = {}
    for player in seated:
        presence = sight_of(player, known, now, patience).presence
        old = before.players.get(player, presence)
        if _BADNESS[presence] > _BADNESS[old]:
            since = before.worse_since.get(player, now)
            if now - since < patience.worse:
                presence, worse_since[player] = old, since
        players[player] = presence
    return Attendance(players, _spectators(known.leases, seated, now - patience.worse), worse_since)


def next_look(shown: Attendance, known: Leases, now: int, patience: Patience) -> int | None:
    """When time alone may next change what is shown; None for never."""
    instants = [since + patience.worse for since in shown.worse_since.values()]
    for lease in known.leases:
        instants += (lease.until, lease.until + patience.worse, lease.until + patience.gone)
    instants += (known.known_since + patience.worse, known.known_since + patience.gone)
    return min((instant for instant in instants if instant > now), default=None)


def _spectators(leases: Iterable[SeenLease], seated: Collection[str], after: int) -> int:
    return len({lease.player for lease in leases if lease.until > after and lease.player not in seated})
