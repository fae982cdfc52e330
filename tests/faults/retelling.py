"""What all viewers of a room saw, put together by version; where two of them differ is a fault. Pure."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from app.rules.fairness import RollName
from tests.faults.deeds import GAME_EVENTS, Place, place_of
from tests.faults.evidence import Evidence, Seen
from tests.faults.view import Message, Unsound, View


@dataclass(slots=True)
class Retelling:
    """A room's steps by version. `places[v]` is where the table stood at version v.

    `digests[v]` is its state then, and who saw it first. `newest`: how each viewer saw it last.
    """

    updates: dict[int, str] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)
    digests: dict[int, tuple[str, str]] = field(default_factory=dict)
    newest: dict[str, View] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def step(self, version: int) -> Message | None:
        """The update to a version, where anybody saw it."""
        text = self.updates.get(version)
        return None if text is None else dict(json.loads(text))

    def steps(self) -> Iterator[tuple[int, Message, Place | None]]:
        """Every step that was seen: its version, its update, and where the table stood before."""
        for version in sorted(self.updates):
            yield version, json.loads(self.updates[version]), self.places.get(version - 1)

    def logs(self) -> dict[str, list[Message]]:
        """The events of each game, in order, as far as they were seen."""
        logs: dict[str, list[Message]] = {}
        for _, update, before in self.steps():
            events = [event for event in update["events"] if event["type"] in GAME_EVENTS]
            if events and before is not None and before.game is not None:
                logs.setdefault(before.game, []).extend(events)
        return logs

    def rolls(self) -> dict[str, dict[RollName, int]]:
        """The rolls of each game, with the version in which each fell, as far as they were seen."""
        rolls: dict[str, dict[RollName, int]] = {}
        for version, update, before in self.steps():
            if before is None or before.game is None or before.round is None:
                continue
            for event in update["events"]:
                if event["type"] == "rolled":
                    name = RollName(event["seat"], before.round, event["roll"])
                    rolls.setdefault(before.game, {}).setdefault(name, version)
        return rolls

    def ends(self) -> dict[str, int]:
        """The version in which each finished game ended."""
        return {
            before.game: version
            for version, update, before in self.steps()
            if before is not None
            and before.game is not None
            and any(event["type"] == "finished" for event in update["events"])
        }


def retell(evidence: Evidence) -> Retelling:
    """Put together what was seen, and what the store still keeps of it."""
    told = Retelling()
    for version, update in evidence.held.updates if evidence.held else ():
        told.updates[version] = update.decode()
    for seen in evidence.seen:
        _listen(told, seen)
    _read_on(told)
    return told


def _read_on(told: Retelling) -> None:
    """Where the table stood after the last viewer had gone, as the store's own updates tell it."""
    newest = max(told.newest.values(), key=lambda view: view.version, default=View())
    view = View()
    view.version, view.epoch, view.state = newest.version, newest.epoch, newest.state
    while view.state and (step := told.step(view.version + 1)):
        view.take(step)
        told.places[view.version] = place_of(view)


def _listen(told: Retelling, seen: Seen) -> None:
    view = told.newest[seen.viewer] = View()
    for text in seen.frames:
        message = json.loads(text)
        if message["type"] == "update":
            _compare_update(told, seen.viewer, message["version"], text)
        try:
            has_changed = view.take(message)
        except Unsound as unsound:
            told.faults.append(f"{seen.viewer} {unsound}")
            has_changed = message["type"] == "welcome"
            if not has_changed:
                return
        if has_changed:
            _compare_state(told, seen.viewer, view)


def _compare_update(told: Retelling, viewer: str, version: int, text: str) -> None:
    if told.updates.setdefault(version, text) != text:
        told.faults.append(f"{viewer} was told another version {version} than somebody else")


def _compare_state(told: Retelling, viewer: str, view: View) -> None:
    told.places[view.version] = place_of(view)
    digest = sha256(json.dumps(view.state, sort_keys=True).encode()).hexdigest()
    other, known = told.digests.setdefault(view.version, (viewer, digest))
    if known != digest:
        told.faults.append(f"at version {view.version} {viewer} and {other} see different states")
