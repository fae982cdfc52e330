"""The timers of rooms in one process: at most one a room. Pure; instants are milliseconds since 1970."""

from dataclasses import dataclass, field
from heapq import heappop, heappush

from app.rooms.store import FIRING_MS, OUTAGE_MS, DueRoom


@dataclass(slots=True)
class _Timer:
    """`look_at`: when to hand it out next."""

    due_at: int
    look_at: int
    outage_ms: int = 0


@dataclass(slots=True)
class Timers:
    """`asked_at` is when they were asked for last, None while there is none to ask for."""

    asked_at: int | None = None
    _by_code: dict[str, _Timer] = field(default_factory=dict)
    _queue: list[tuple[int, str]] = field(default_factory=list)  # timers changed since are skipped

    def __len__(self) -> int:
        return len(self._by_code)

    def set(self, code: str, due_at: int | None) -> None:
        """Set or clear the timer of a room. One that is set to the same again is as it was."""
        timer = self._by_code.get(code)
        if due_at is None:
            self._by_code.pop(code, None)
        elif timer is None or timer.due_at != due_at:
            self._by_code[code] = _Timer(due_at, due_at)
            heappush(self._queue, (due_at, code))
        if not self._by_code:
            self.asked_at = None

    def drop(self, code: str, due_at: int) -> None:
        """Clear the timer if it is still that one."""
        timer = self._by_code.get(code)
        if timer is not None and timer.due_at == due_at:
            self.set(code, None)

    def due(self, now: int, limit: int) -> list[DueRoom]:
        """As the port says."""
        self._note_outage(now)
        due: list[DueRoom] = []
        while self._queue and self._queue[0][0] <= now and len(due) < limit:
            look_at, code = heappop(self._queue)
            timer = self._by_code.get(code)
            if timer is not None and timer.look_at == look_at:
                due.append(DueRoom(code, timer.due_at, timer.outage_ms))
                self._look_at(code, timer, now + FIRING_MS)
        return sorted(due, key=lambda room: room.due_at)

    def _note_outage(self, now: int) -> None:
        if self._by_code:
            before, self.asked_at = self.asked_at, now
            if before is not None and now - before > OUTAGE_MS:
                for code, timer in self._by_code.items():
                    if timer.due_at > before:
                        timer.outage_ms += now - before
                        self._look_at(code, timer, min(timer.due_at, now))

    def _look_at(self, code: str, timer: _Timer, look_at: int) -> None:
        timer.look_at = look_at
        heappush(self._queue, (look_at, code))
