"""A table as one client follows it, from frames alone. Pure."""

from typing import Any

from tests.following import after

Message = dict[str, Any]


class Unsound(Exception):
    """A frame that may not come after those before it."""


class View:
    """What a client has of a table: folded from the frames it got, over all its sockets in order."""

    def __init__(self) -> None:
        self.version = -1
        self.epoch = ""
        self.state: Message = {}

    @property
    def turn(self) -> Message | None:
        """The turn, or None in the lobby and after the end."""
        turn: Message | None = self.state.get("turn")
        return turn

    @property
    def game(self) -> str | None:
        """The id of the game that the table plays, or is about to play."""
        proof = self.state.get("dice_proof")
        return str(proof["game"]) if proof else None

    def take(self, message: Message) -> bool:
        """Follow a message; whether it brought a state. Raises Unsound."""
        match message["type"]:
            case "welcome":
                self._begin(message)
                return True
            case "update":
                return self._follow(message)
        return False

    def _begin(self, welcome: Message) -> None:
        before, epoch = self.version, self.epoch
        self.version, self.epoch, self.state = welcome["version"], welcome["epoch"], welcome["state"]
        if self.version < before and self.epoch == epoch:
            raise Unsound(f"went back from version {before} to {self.version} within one epoch")

    def _follow(self, update: Message) -> bool:
        version = update["version"]
        if version <= self.version:
            return False
        if version > self.version + 1:
            raise Unsound(f"a gap: version {version} came after {self.version}")
        self.version = version
        self.state = after(self.state, update)
        return True
