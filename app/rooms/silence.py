"""Who is there no more although his socket is open: a client that was cut off doesn't even say an end.

A page pings every few seconds. Who is silent for longer, such as a page that is hidden or a program, is asked
for a sign of life, which his browser or library gives by itself.
"""

from collections.abc import Iterable, Iterator

from app.rooms.hub import Viewer
from app.rooms.timing import Timing


def listen(viewers: Iterable[Viewer], now: float, timing: Timing) -> Iterator[Viewer]:
    """The viewers that are silent now and weren't, or are heard again. `now` is on the loop's clock."""
    for viewer in viewers:
        if viewer.line is None:
            continue
        silent_for = now - viewer.line.heard_at
        is_silent = silent_for >= timing.silent
        if is_silent is not viewer.is_silent:
            viewer.is_silent = is_silent
            yield viewer
        elif silent_for >= timing.probe and not is_silent:
            viewer.line.probe()
