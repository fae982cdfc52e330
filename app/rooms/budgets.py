"""How much a player may still ask for on this worker: shared by all his sockets, and kept when one is closed.

A socket has a budget of its own too, so that one tab that has gone mad doesn't silence the others at once.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from app.rooms.limits import Limits, TokenBucket

_FEW = 64


@dataclass(slots=True)
class _Shared:
    """What a player's sockets share. `breaches` has what he may exceed his bounds by before he is closed."""

    messages: TokenBucket
    holdings: TokenBucket
    breaches: TokenBucket
    says: TokenBucket
    emotes: TokenBucket
    catch_up: TokenBucket
    sockets: int = 0

    @property
    def is_idle(self) -> bool:
        """Whether a new one would be the same."""
        buckets = (self.messages, self.holdings, self.breaches, self.says, self.emotes, self.catch_up)
        return not self.sockets and all(bucket.is_full for bucket in buckets)


class Budget:
    """What one socket may still ask for."""

    __slots__ = ("_own", "_shared")

    def __init__(self, shared: _Shared, own: TokenBucket) -> None:
        self._shared = shared
        self._own = own

    def take_message(self) -> bool:
        """Whether one more message is let through."""
        return self._own.take() and self._shared.messages.take()

    def take_holding(self) -> bool:
        """Whether one more holding, let through as a message, is passed on."""
        return self._shared.holdings.take()

    def take_say(self) -> bool:
        """Whether one more thing said is passed on."""
        return self._shared.says.take()

    def take_emote(self) -> bool:
        """Whether one more emote is passed on."""
        return self._shared.emotes.take()

    @property
    def may_catch_up(self) -> bool:
        """Whether updates are sent again now."""
        return self._shared.catch_up.seconds_until(1) <= 0

    def spend_catching_up(self, size: int) -> None:
        """So many characters were sent to bring a socket up to date."""
        self._shared.catch_up.spend(size)

    def take_breach(self) -> bool:
        """Whether one more message beyond the bounds is borne with."""
        return self._shared.breaches.take()


class Budgets:
    """The budgets of this worker's players. `clock` gives seconds."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._players: dict[str, _Shared] = {}
        self._sweep_at = _FEW

    def __len__(self) -> int:
        """How many players are remembered."""
        return len(self._players)

    @contextmanager
    def of(self, player: str) -> Iterator[Budget]:
        """The budget of one more socket of a player."""
        self._sweep()
        shared = self._players.get(player)
        if shared is None:
            shared = self._players[player] = self._new()
        shared.sockets += 1
        try:
            yield Budget(shared, self._bucket(self._limits.messages_per_second, self._limits.messages_burst))
        finally:
            shared.sockets -= 1

    def _new(self) -> _Shared:
        limits = self._limits
        return _Shared(
            self._bucket(limits.player_messages_per_second, limits.player_messages_burst),
            self._bucket(limits.holdings_per_second, limits.holdings_burst),
            self._bucket(limits.breaches_per_second, limits.breaches_burst),
            self._bucket(limits.says_per_second, limits.says_burst),
            self._bucket(1 / limits.emote_seconds, 1),
            self._bucket(limits.catch_up_bytes_per_second, limits.catch_up_bytes_burst),
        )

    def _bucket(self, rate: float, burst: float) -> TokenBucket:
        return TokenBucket(rate, burst, self._clock)

    def _sweep(self) -> None:
        """Forget who has gone and would begin anew just so; seldom, since it looks at everybody."""
        if len(self._players) < self._sweep_at:
            return
        self._players = {name: shared for name, shared in self._players.items() if not shared.is_idle}
        self._sweep_at = max(_FEW, 2 * len(self._players))
