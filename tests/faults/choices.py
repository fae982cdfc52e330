"""What a simulated player does next, from what its table shows. Pure but for the chance passed in."""

import random
from dataclasses import dataclass

from tests.faults.view import Message, View

_UNDO_SHARE = 0.1
_LEAVE_SHARE = 0.02
_RETURN_SHARE = 0.3


@dataclass(slots=True)
class Intent:
    """What the people of a table are up to: to play as so many with so many bots, and that many rematches."""

    people: int
    bots: int = 0
    rematches: int = 0


def next_command(view: View, player: str, intent: Intent, chance: random.Random) -> Message | None:
    """A command that the table offers this player now; None when it is for others to do something."""
    if not view.state:
        return None
    match view.state["room"]["phase"]:
        case "playing":
            return _next_in_game(view, player, chance)
        case "lobby":
            return _next_in_lobby(view, player, intent)
        case _ if not is_over(view, intent) and (seat := _seat_of(view, player)) and not seat["left"]:
            return {"type": "rematch", "game": view.state["result"]["game"]}
    return None


def is_over(view: View, intent: Intent) -> bool:
    """Whether the last game that was meant to be played has ended."""
    if not view.state or view.state["room"]["phase"] != "finished":
        return False
    return bool(view.state["room"]["games"] > intent.rematches)


def _next_in_lobby(view: View, player: str, intent: Intent) -> Message | None:
    taken = view.state["seats"]
    own = _seat_of(view, player)
    if own is None:
        return {"type": "join", "text": f"dice of {player}"}
    if not own["ready"]:
        return {"type": "ready", "ready": True} | ({} if own["text"] else {"text": f"more of {player}"})
    if view.state["room"]["previous_game"] is not None:
        return None  # such a game starts by itself
    bots = sum(seat["kind"] == "bot" for seat in taken)
    is_complete = len(taken) - bots == intent.people and all(seat["ready"] for seat in taken)
    if view.state["room"]["host"] == player and is_complete:
        return {"type": "start"} if bots == intent.bots else {"type": "add_bot"}
    return None


def _next_in_game(view: View, player: str, chance: random.Random) -> Message | None:
    """An action in his turn; sometimes he leaves for good, and comes back all the same."""
    seat = _seat_of(view, player)
    if seat is None:
        return None
    if seat["left"]:
        return {"type": "return", "seat": seat["seat"]} if chance.random() < _RETURN_SHARE else None
    action = next_action(view, player, chance)
    is_leaving = action is not None and chance.random() < _LEAVE_SHARE
    return {"type": "leave", "seat": seat["seat"]} if is_leaving else action


def _seat_of(view: View, player: str) -> Message | None:
    seats: list[Message] = view.state["seats"]
    return next((seat for seat in seats if seat["player"] == player), None)


def next_action(view: View, player: str, chance: random.Random) -> Message | None:
    """A legal action in the player's own turn, None in another's; sometimes one that takes an entry back."""
    turn = view.turn
    if turn is None or view.state["seats"][turn["seat"]]["player"] != player:
        return None
    legal = turn["legal"]
    meant = {"type": "act", "turn": turn["turn"], "roll": turn["roll"]}
    if legal["undo"] and chance.random() < _UNDO_SHARE:
        return _undo(view, player, meant) or meant | {
            "seat": turn["seat"],
            "action": _any_legal(turn, chance),
        }
    return meant | {"seat": turn["seat"], "action": _any_legal(turn, chance)}


def _undo(view: View, player: str, meant: Message) -> Message | None:
    """Taking the last entry back, where it was this player's."""
    turn = view.turn
    seat = turn["undo_seat"] if turn else None
    if seat is None or view.state["seats"][seat]["player"] != player:
        return None
    return meant | {"seat": seat, "action": {"type": "undo"}}


def _any_legal(turn: Message, chance: random.Random) -> Message:
    legal = turn["legal"]
    ways: list[Message] = []
    if legal["roll"]["legal"]:
        dice = turn["dice"] if turn["roll"] else []
        hold = [place for place in range(len(dice)) if chance.random() < 0.5]
        ways.append({"type": "roll", "hold": hold[: legal["roll"]["max_hold"]]})
    for kind, by_column in (("announce", legal["announce"]), ("fill", legal["open"])):
        cells = [(column, row) for column, rows in by_column.items() for row in rows]
        if cells:
            column, row = chance.choice(cells)
            ways.append({"type": kind, "column": column, "row": row})
    return chance.choice(ways)
