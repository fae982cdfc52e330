"""How a state follows from the one before, by docs/protocol.md: for every program that plays in tests."""

from typing import Any

Message = dict[str, Any]

_PARTS = ("room", "variant", "seats", "dice_proof", "turn", "own", "result")


def after(state: Message, update: Message) -> Message:
    """The state after an update, as a new object: what was shown before stays as it was."""
    parts = {part: update[part] for part in _PARTS if part in update}
    return state | parts | {"sheets": _sheets(state["sheets"], update.get("sheets"))}


def _sheets(sheets: list[Message], changed: list[Message] | None) -> list[Message]:
    """An update brings the sheets that changed, each whole; an empty list takes all of them away."""
    if changed == []:
        return []
    by_seat = {sheet["seat"]: sheet for sheet in [*sheets, *(changed or ())]}
    return [by_seat[seat] for seat in sorted(by_seat)]
