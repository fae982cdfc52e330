"""Which leases of a room are worth keeping. Pure. In Redis a script does the same."""

from collections.abc import Iterable

from app.rooms.store import SeenLease

KEPT_PLAYERS = 64  # who have left a room: enough for its seats and many who only looked


def worth_keeping(leases: Iterable[SeenLease], now: int) -> list[SeenLease]:
    """The leases that are alive, and the last of each of the players who left last, those latest first."""
    newest_first = sorted(leases, key=lambda lease: lease.until, reverse=True)
    alive = [lease for lease in newest_first if lease.until > now]
    ended: dict[str, SeenLease] = {}
    for lease in newest_first[len(alive) :]:
        ended.setdefault(lease.player, lease)
    return [*alive, *list(ended.values())[:KEPT_PLAYERS]]
