"""Addresses that flood again and again: for a while they get no new connection. Pure; times are seconds."""

MOST_FLOODS = 10
FLOOD_SECONDS = 60.0
"""So many floods in so much time, counted from the first one, shut the address out until it is over."""
_MOST_ADDRESSES = 10_000


class Floods:
    """Counts floods by address, of a bounded number of addresses."""

    def __init__(self) -> None:
        self._by_address: dict[str, tuple[float, int]] = {}  # first the one whose time began first

    def add(self, address: str, now: float) -> None:
        """One more connection of the address was cut off for flooding."""
        since, count = self._by_address.get(address, (now, 0))
        if now - since >= FLOOD_SECONDS:
            del self._by_address[address]
            since, count = now, 0
        self._by_address[address] = since, count + 1
        if len(self._by_address) > _MOST_ADDRESSES:
            del self._by_address[next(iter(self._by_address))]

    def is_shut_out(self, address: str, now: float) -> bool:
        """Whether the address gets no new connection now."""
        since, count = self._by_address.get(address, (now, 0))
        return count >= MOST_FLOODS and now - since < FLOOD_SECONDS
