"""In whatever form a frame tells the dice before they fall, the checker says so, and of nothing else."""

import base64
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from hmac import digest

import pytest

from app.rules.fairness import RollName, commitment_of, draw, game_key
from tests.faults.checker import find_faults, find_told
from tests.faults.stories import PROOF, rolled, turn_at, two_rolls, update, with_frames
from tests.faults.telling import Search

TRUE = two_rolls()
FRAMES = TRUE.seen[0].frames
GAME = "g1"
KEY = game_key(PROOF.secret, PROOF.texts, GAME)
FALLEN = {RollName(0, 1, 1): 1, RollName(0, 1, 2): 2}
NEXT = list(draw(KEY, RollName(0, 1, 3), PROOF.dice))

FORMS: dict[str, Callable[[bytes], object]] = {
    "hex": bytes.hex,
    "upper-case hex": lambda data: data.hex().upper(),
    "hex in pairs": lambda data: data.hex(":"),
    "hex as Python shows bytes": lambda data: "".join(f"\\x{byte:02x}" for byte in data),
    "hex backwards": lambda data: data.hex()[::-1],
    "bytes backwards": lambda data: data[::-1].hex(),
    "hex after a nibble": lambda data: "f" + data.hex(),
    "base64": lambda data: base64.b64encode(data).decode(),
    "base64 without padding": lambda data: base64.b64encode(data).decode().rstrip("="),
    "base64 after a byte": lambda data: base64.b64encode(b"x" + data).decode(),
    "base64 after two bytes": lambda data: base64.b64encode(b"xy" + data).decode(),
    "base64 after a word": lambda data: "key_" + base64.b64encode(data).decode(),
    "base64 for addresses": lambda data: base64.urlsafe_b64encode(data).decode(),
    "base64 with its slashes escaped": lambda data: base64.b64encode(data).decode().replace("/", "\\/"),
    "base32": lambda data: base64.b32encode(data).decode(),
    "base32 in small letters": lambda data: base64.b32encode(data).decode().lower(),
    "a number": lambda data: int.from_bytes(data, "big"),
    "a number as text": lambda data: str(int.from_bytes(data, "little")),
    "a list of bytes": list,
    "a list of bytes as text": lambda data: " ".join(map(str, data)),
    "characters": lambda data: data.decode("latin-1"),
    "its second half": lambda data: data[16:].hex(),
    "eight bytes of it": lambda data: base64.b64encode(data[11:19]).decode(),
}
BYTES = {
    "the secret": PROOF.secret,
    "the key": KEY,
    "the digest of roll 1:3:2": digest(KEY, b"1:3:2:0", "sha256"),
}


def said(value: object) -> str:
    """A frame with that in it."""
    return json.dumps({"type": "refused", "request": "a1", "code": "stale", "detail": {"about": value}})


def found_in(frame: str) -> list[str]:
    """What the checker says when Medo gets that frame after the second roll."""
    return find_faults(with_frames(TRUE, 1, [*FRAMES, frame]))


@pytest.mark.parametrize("what", BYTES)
@pytest.mark.parametrize("form", FORMS)
def test_bytes_that_tell_the_dice_are_found_in_every_form(what: str, form: str) -> None:
    sentence = f"room KAFANA: Medo was shown {what} of game {GAME} at version 2"
    assert sentence in found_in(said(FORMS[form](BYTES[what])))


@pytest.mark.parametrize(
    "told",
    [
        NEXT,
        [6, *NEXT, 1],
        " ".join(map(str, NEXT)),
        "".join(map(str, NEXT)),
        int("".join(map(str, NEXT))),
        f"the next roll gives {NEXT}",
        ", ".join(map(str, NEXT)),
    ],
    ids=repr,
)
def test_the_faces_of_a_later_roll_are_found(told: object) -> None:
    assert found_in(said(told)) == [
        f"room KAFANA: Medo was shown the faces of roll 0:1:3 of game {GAME} at version 2"
    ]


def test_the_faces_of_a_later_roll_are_found_within_an_update() -> None:
    step = json.loads(update(3, rolled(1, 3), turn_at(1, 3)))
    next_turn = list(draw(KEY, RollName(1, 1, 1), PROOF.dice))
    step["turn"]["next"] = {"faces": next_turn}
    assert any("the faces of roll 1:1:1" in fault for fault in found_in(json.dumps(step)))


@pytest.mark.parametrize(
    "frame",
    [
        said(commitment_of(PROOF.secret)),
        said(list(draw(KEY, RollName(0, 1, 2), PROOF.dice))),
        said(NEXT[:4]),
        said(f"p{''.join(map(str, NEXT))}a"),
        json.dumps({"type": "holding", "seat": 0, "turn": 1, "roll": 2, "dice": NEXT}),
        said("3f9c2b7e" * 8),
        said(list(range(100, 140))),
    ],
    ids=[
        "the commitment",
        "a roll that has fallen",
        "four faces",
        "faces within a name",
        "dice where dice are shown",
        "other digits",
        "other numbers",
    ],
)
def test_nothing_is_said_of_what_tells_nothing(frame: str) -> None:
    assert found_in(frame) == []


def test_what_is_told_after_the_end_is_no_fault() -> None:
    over = json.loads(update(3, {"type": "finished", "reason": "sheets_full"}, turn_at(1, 2)))
    over |= {"turn": None, "dice_proof": {"game": GAME, "secret": PROOF.secret.hex()}}
    told = json.dumps(over)
    assert not _about_secrets(find_faults(with_frames(TRUE, 0, [*FRAMES, told])))
    early = [*FRAMES[:2], said(PROOF.secret.hex()), FRAMES[2], told]
    assert _about_secrets(find_faults(with_frames(TRUE, 0, early)))


def test_a_log_is_searched_too_and_its_line_is_named() -> None:
    key = base64.b64encode(KEY).decode()
    assert find_told([TRUE], f"started\ndrawn from {key}\n") == [
        f"a line of a server's log tells the key of game {GAME}: drawn from {key}"
    ]
    assert find_told([TRUE], f"started\n{commitment_of(PROOF.secret)}\n") == []


def test_a_game_of_few_dice_is_searched_for_bytes_alone() -> None:
    search = Search({GAME: replace(PROOF, dice=4)}, {GAME: FALLEN})
    assert search.told(said([face for face in NEXT for _ in range(3)]), 2) == set()


def _about_secrets(found: Iterable[str]) -> list[str]:
    return [fault for fault in found if "was shown" in fault]
