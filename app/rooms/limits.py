"""How much sockets and players may ask for, and how long it may take."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of a socket, and of a player over all his sockets here. Rates are messages a second, with a
    burst above them; an emote may be shown every `emote_seconds`. Breaches are messages beyond the bounds,
    before the socket is closed. Catching up is what is sent of updates again, and of states in their place,
    in characters. Of sockets there are at most so many at once, 0 for any number.
    """

    hello_seconds: float = 5
    stuck_seconds: float = 8
    malformed: int = 3
    messages_per_second: float = 100
    messages_burst: float = 400
    player_messages_per_second: float = 200
    player_messages_burst: float = 800
    breaches_per_second: float = 1
    breaches_burst: float = 100
    catch_up_bytes_per_second: float = 64 * 1024
    catch_up_bytes_burst: float = 2 * 1024 * 1024
    holdings_per_second: float = 10
    holdings_burst: float = 30
    says_per_second: float = 1
    says_burst: float = 5
    emote_seconds: float = 3
    sockets_per_player: int = 0
    sockets_per_address: int = 0


class TokenBucket:
    """Lets through `rate` a second, and up to `burst` at once. `clock` gives seconds."""

    __slots__ = ("_at", "_burst", "_clock", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._tokens = burst
        self._at = clock()

    def take(self) -> bool:
        """Whether one more is let through."""
        tokens = self._refill()
        is_enough = tokens >= 1
        self._tokens = tokens - 1 if is_enough else tokens
        return is_enough

    def spend(self, cost: float) -> None:
        """Take what was used already, also more than there is: so much longer nothing is let through."""
        self._tokens = self._refill() - cost

    def seconds_until(self, least: float) -> float:
        """How long until there is that much: 0 where there is."""
        missing = least - self._refill()
        return missing / self._rate if missing > 0 else 0

    @property
    def is_full(self) -> bool:
        """Whether a whole burst would be let through."""
        return self._tokens + (self._clock() - self._at) * self._rate >= self._burst

    def _refill(self) -> float:
        """What there is now."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        return self._tokens
