"""Which rooms the journal has to keep anew, so that batches which they are in can be dropped, and when.

One round after another: the rooms that changed since the round before began are kept, some at a time, then
the batches up to its beginning are dropped. A round goes on as entries are written, with half as many bytes,
so that it neither stops those who write nor is left behind by them. Pure.
"""

from collections.abc import Callable, Sequence

from app.rooms.journal_file import Drop, Found, Keep

_ROOMS_AT_ONCE = 32
_BYTES_AT_ONCE = 256 * 1024
_BATCHES_AT_ONCE = 16

KeptNow = Callable[[str], bytes | None]


class Folding:
    """What is left to do. A round begins once there are so many `bytes_to_begin` to be won."""

    def __init__(self, found: Found, bytes_to_begin: int) -> None:
        self._bytes_to_begin = bytes_to_begin
        self._won = found.size
        self._changed = found.changed
        self._kept = found.kept
        self._written, self._dropped = found.written, found.dropped
        self._left: list[str] = []
        self._up_to: int | None = None  # the last batch before the round
        self._allowance = 0

    def wrote(self, number: int, size: int) -> None:
        """A batch is written, and its steps are in memory."""
        self._written = number
        self.waste(size)

    def stepped(self, code: str) -> None:
        """That room is in the batch that is written."""
        self._changed.add(code)

    def changed(self, codes: Sequence[str]) -> None:
        """Those rooms are in the batch that is written."""
        self._changed.update(codes)

    def forgot(self, codes: Sequence[str]) -> None:
        """Those rooms are gone, and so says the batch that is written."""
        kept = self._kept.intersection(codes)
        self._changed.difference_update(codes)
        self._changed |= kept

    def waste(self, size: int) -> None:
        """So many bytes more are in the file than have to be."""
        self._won += size
        self._allowance += size

    def go_on(self) -> None:
        """Do one more piece, whether or not anything was written."""
        self._allowance = max(self._allowance, 1)

    def next(self, kept_now: KeptNow, asked_at: int) -> Keep | Drop | None:
        """A piece of work for now, the same until it is `done`. Memory is as the last batch made it."""
        if self._up_to is None and self._won >= self._bytes_to_begin:
            self._begin()
        if self._up_to is None or self._allowance <= 0:
            return None
        if self._left:
            return self._keep(kept_now)
        return Drop(min(self._dropped + _BATCHES_AT_ONCE, self._up_to), asked_at)

    def done(self, work: Keep | Drop) -> None:
        """That is written."""
        if isinstance(work, Keep):
            del self._left[-len(work.rooms) - len(work.gone) :]
            self._kept.difference_update(work.gone)
            return
        self._dropped = work.up_to
        if self._dropped == self._up_to:
            self._up_to = None

    def _begin(self) -> None:
        self._up_to = self._written
        self._left, self._changed = list(self._changed), set()
        self._won = self._allowance = 0

    def _keep(self, kept_now: KeptNow) -> Keep:
        rooms: list[tuple[str, bytes]] = []
        gone: list[str] = []
        size = 0
        for code in reversed(self._left[-_ROOMS_AT_ONCE:]):
            kept = kept_now(code)
            if kept is None:
                gone.append(code)
            else:
                rooms.append((code, kept))
                self._kept.add(code)
                size += len(kept)
            if size >= _BYTES_AT_ONCE:
                break
        self._allowance -= 2 * size
        return Keep(self._written, rooms, gone)
