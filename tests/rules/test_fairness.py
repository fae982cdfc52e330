"""The dice: fixed by the formula of docs/rules.md, Dice, which is written out again here."""

import hashlib
import hmac
from collections import Counter

import pytest

from app.rules.actions import Roll
from app.rules.fairness import RollName, commitment_of, draw, draw_next, game_key
from app.rules.game import apply, start
from app.rules.presets import CLASSIC_5X4, PAPIR
from tests.rules.positions import position
from tests.values import replace

SECRET = bytes(range(32))
TEXTS = ["seven blue herons", "", "чаша 🎲"]
KEY = game_key(SECRET, TEXTS, "g7d1")

# Worked out with `openssl dgst -sha256 -mac HMAC -macopt hexkey:…` over the bytes that the formula names.
KNOWN_COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
KNOWN_KEY = "330b7da322da83002f0fd14f581ad3f0e105162a5704d4cabd59a96170543d74"
KNOWN_FACES = [(5, 6, 3, 2, 2, 6), (1, 1, 4, 2, 4, 5), (1, 3, 2, 4, 4, 2)]


def _hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 from its definition: no hmac module."""
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def _faces_by_the_formula(key: bytes, name: str, dice: int) -> tuple[list[int], int]:
    """The faces, and how many blocks were needed."""
    faces: list[int] = []
    block = 0
    while len(faces) < dice:
        stream = _hmac(key, f"{name}:{block}".encode())
        faces += [byte % 6 + 1 for byte in stream if byte < 252]
        block += 1
    return faces[:dice], block


def test_the_commitment_is_the_sha256_of_the_secret() -> None:
    assert commitment_of(SECRET) == KNOWN_COMMITMENT
    assert commitment_of(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_the_game_key_is_the_hmac_of_the_texts_and_the_game_id_each_after_its_length() -> None:
    message = b""
    for text in ("seven blue herons", "", "чаша 🎲", "g7d1"):
        encoded = text.encode("utf-8")
        message += bytes([len(encoded) // 256, len(encoded) % 256]) + encoded
    assert _hmac(SECRET, message) == hmac.digest(SECRET, message, "sha256") == KEY


@pytest.mark.parametrize(
    ("texts", "game"),
    [
        (["ab", "c"], "g"),
        (["a", "bc"], "g"),
        (["abc", ""], "g"),
        (["", "abc"], "g"),
        (["abc"], "g"),
        (["c", "ab"], "g"),
        (["ab"], "cg"),
        (["ab", "c", "g"], ""),
    ],
)
def test_texts_that_run_together_alike_give_different_keys(texts: list[str], game: str) -> None:
    keys = [game_key(SECRET, ["ab", "c"], "g"), game_key(SECRET, texts, game)]
    assert len(set(keys)) == (1 if (texts, game) == (["ab", "c"], "g") else 2)


def test_a_text_of_256_bytes_has_a_length_of_two_bytes() -> None:
    text = "🎲" * 64
    message = b"\x01\x00" + text.encode() + b"\x00\x01g"
    assert game_key(SECRET, [text], "g") == _hmac(SECRET, message)


@pytest.mark.parametrize("text", ["x" * 65_536, "\ud800"])
def test_a_text_that_can_not_be_written_so_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"bytes|surrogates"):
        game_key(SECRET, [text], "g")


def test_the_faces_of_a_roll_are_those_of_the_formula() -> None:
    for seat in range(8):
        for turn in (1, 2, 117, 1000):
            for roll in range(1, 6):
                faces, _ = _faces_by_the_formula(KEY, f"{seat}:{turn}:{roll}", 6)
                assert draw(KEY, RollName(seat, turn, roll), 6) == tuple(faces)
                assert draw(KEY, RollName(seat, turn, roll), 5) == tuple(faces[:5])


def test_the_key_and_the_first_rolls_are_those_that_another_program_found() -> None:
    assert KEY.hex() == KNOWN_KEY
    assert [draw(KEY, RollName(0, 1, roll), 6) for roll in (1, 2, 3)] == KNOWN_FACES


def test_every_face_has_the_same_number_of_bytes() -> None:
    counts = Counter(byte % 6 + 1 for byte in range(252))
    assert counts == dict.fromkeys(range(1, 7), 42)


def _key_where(name: str, is_wanted_block: str) -> bytes:
    """A key whose first block for that roll is such: found by search, the same one each time."""
    for number in range(10**6):
        key = number.to_bytes(32, "big")
        stream = _hmac(key, f"{name}:0".encode())
        high = sum(byte >= 252 for byte in stream[:6])
        if is_wanted_block == "first byte high" and stream[0] >= 252:
            return key
        if is_wanted_block == "two high of six" and high >= 2:
            return key
    raise AssertionError(is_wanted_block)


def test_a_byte_of_252_or_more_is_skipped() -> None:
    key = _key_where("0:1:1", "first byte high")
    stream = _hmac(key, b"0:1:1:0")
    assert stream[0] >= 252
    expected = [byte % 6 + 1 for byte in stream[1:] if byte < 252][:6]
    assert draw(key, RollName(0, 1, 1), 6) == tuple(expected)


def test_several_high_bytes_are_skipped() -> None:
    key = _key_where("0:1:1", "two high of six")
    assert draw(key, RollName(0, 1, 1), 6) == tuple(_faces_by_the_formula(key, "0:1:1", 6)[0])


def test_a_block_that_runs_out_is_followed_by_the_next_one() -> None:
    """A block has 32 bytes, and six dice all but never use them up: so forty faces are asked for."""
    faces, blocks = _faces_by_the_formula(KEY, "3:4:2", 40)
    assert blocks >= 2
    assert draw(KEY, RollName(3, 4, 2), 40) == tuple(faces)
    assert draw(KEY, RollName(3, 4, 2), 6) == tuple(faces[:6])


def test_what_is_held_never_shifts_what_comes() -> None:
    game = position(PAPIR, None, None, dice=(1, 2, 3, 4, 5, 6))
    drawn = draw_next(KEY, game)
    for hold in ((), (0,), (2, 4), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 5)):
        after, _ = apply(game, Roll(hold), drawn)
        assert all(
            face == (game.dice[position] if position in hold else drawn[position])
            for position, face in enumerate(after.dice)
        )
        assert draw_next(KEY, after) == draw(KEY, RollName(0, 1, 3), 6)


def test_the_next_roll_is_named_by_the_seat_its_own_turn_and_the_roll() -> None:
    game = start(CLASSIC_5X4, 3)
    assert draw_next(KEY, game) == draw(KEY, RollName(0, 1, 1), 5)
    assert draw_next(KEY, replace(game, turn=5, roll=2)) == draw(KEY, RollName(1, 2, 3), 5)
    assert draw_next(KEY, replace(game, turn=6)) == draw(KEY, RollName(2, 2, 1), 5)


def test_no_two_rolls_of_a_game_share_a_name() -> None:
    names = {
        (game.seat, game.seat_turn, roll)
        for turn in range(1, 400)
        for roll in range(1, 6)
        for game in [replace(start(PAPIR, 3), turn=turn)]
    }
    assert len(names) == 399 * 5


@pytest.mark.parametrize("length", [1, 32, 64, 65, 200])
def test_a_key_of_any_length_draws_by_its_hmac(length: int) -> None:
    key = bytes(range(length))
    blocks = b"".join(hmac.digest(key, f"2:3:1:{block}".encode(), "sha256") for block in range(3))
    faces = [byte % 6 + 1 for byte in blocks if byte < 252]
    assert draw(key, RollName(2, 3, 1), 40) == tuple(faces[:40])
