"""What the checker says of small stories: nothing of a true one, and what is wrong of every bent one."""

import json
from dataclasses import replace

import pytest

from tests.faults.checker import find_faults
from tests.faults.evidence import Evidence, Sent
from tests.faults.stories import (
    LIJA,
    MEDO,
    SHEET,
    a_rematch,
    host_passed,
    ok,
    refused,
    roll_of,
    rolled,
    turn_at,
    two_rolls,
    update,
    welcome,
    with_answers,
    with_frames,
    with_held,
)

TRUE = two_rolls()
FRAMES = TRUE.seen[0].frames
AGAIN = Sent(LIJA, roll_of(LIJA, "a3", 1, 1))


def test_nothing_is_said_of_a_true_story() -> None:
    assert find_faults(TRUE) == []


@pytest.mark.parametrize(
    "story",
    [
        with_answers(TRUE, 0, ok("a1", 1), ok("a1", 1)),
        with_answers(TRUE, 1, refused("a2", "unavailable", retry=True), ok("a2", 2)),
        with_answers(TRUE, 1),
        replace(TRUE, sent=[*TRUE.sent, Sent(LIJA, AGAIN.message, [refused("a3", "stale")])]),
        with_frames(TRUE, 1, [welcome(2, turn_at(1, 2))]),
        with_frames(TRUE, 1, [*FRAMES, FRAMES[1], welcome(2, turn_at(1, 2)), FRAMES[2]]),
        with_held(TRUE, version=3, updates=[(3, host_passed(3).encode())]),
        with_frames(TRUE, 1, [*FRAMES[:2], json.dumps({"type": "pong", "version": 2}), FRAMES[2]]),
        a_rematch(),
    ],
    ids=[
        "answered twice alike",
        "unavailable at first",
        "done without an answer",
        "the same under another id, refused",
        "a snapshot in place of updates",
        "updates that come again",
        "a step of the server when all had gone",
        "a pong that is ahead",
        "a snapshot of another epoch in a rematch's lobby",
    ],
)
def test_what_a_bad_network_may_do_is_no_fault(story: Evidence) -> None:
    assert find_faults(story) == []


@pytest.mark.parametrize(
    ("story", "sentence"),
    [
        (with_frames(TRUE, 1, [FRAMES[0], FRAMES[2]]), "Medo a gap: version 2 came after 0"),
        (with_frames(TRUE, 1, FRAMES[:2]), "Medo never got beyond version 1 of 2"),
        (with_frames(TRUE, 1, [*FRAMES, FRAMES[0], *FRAMES[1:]]), "Medo went back from version 2 to 0"),
        (
            with_frames(TRUE, 1, [*FRAMES[:2], update(2, rolled(1, 2), turn_at(1, 1))]),
            "Medo was told another version 2 than somebody else",
        ),
        (with_frames(TRUE, 1, [welcome(2, turn_at(1, 1))]), "Medo and Lija see different states"),
        (with_held(TRUE, version=1), "the store is at version 1, 2 had been seen"),
        (replace(TRUE, held=None), "the store has lost it"),
        (with_held(TRUE, log=[json.dumps(rolled(1, 1)).encode()]), "is not in its log"),
        (
            with_held(TRUE, log=[json.dumps(rolled(1, roll)).encode() for roll in (1, 2, 3)]),
            "3 events, 2 were",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_was_seen_and_what_is_held_have_to_agree(story: Evidence, sentence: str) -> None:
    assert_said(story, sentence)


@pytest.mark.parametrize(
    ("story", "sentence"),
    [
        (with_answers(TRUE, 1, ok("a2", 3)), "acknowledged as version 3, and is lost"),
        (
            with_answers(TRUE, 1, ok("a2", 1)),
            "roll a2 of plija was acknowledged as version 1, which is something",
        ),
        (
            with_answers(TRUE, 0, ok("a1", 1), ok("a1", 2)),
            "roll a1 of plija was done twice, as versions [1, 2]",
        ),
        (
            with_answers(TRUE, 0, ok("a1", 1), refused("a1", "stale")),
            "was acknowledged, and refused as stale",
        ),
        (with_answers(TRUE, 1, refused("a2", "stale")), "version 2 (rolled) was made by no command"),
        (replace(TRUE, sent=TRUE.sent[:1]), "2 (rolled) was made by no command that wasn't refused"),
        (
            replace(TRUE, sent=[*TRUE.sent, Sent(LIJA, AGAIN.message, [ok("a3", 2)])]),
            "roll a3 of plija and roll a2 of plija are both said to be version 2",
        ),
        (
            replace(TRUE, sent=[TRUE.sent[0], Sent(MEDO, roll_of(MEDO, "b1", 2, 0), [])]),
            "(rolled) was made by no command",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_command_has_one_outcome_and_every_step_a_command(story: Evidence, sentence: str) -> None:
    assert_said(story, sentence)


def test_one_unanswered_command_explains_one_step_only() -> None:
    steps = [update(3, rolled(1, 3), turn_at(1, 3)), update(4, rolled(1, 3), turn_at(1, 3))]
    lost = Sent(LIJA, roll_of(LIJA, "a3", 1, 2))
    story = replace(with_frames(TRUE, 1, [*FRAMES, *steps]), sent=[*TRUE.sent, lost])
    faults = [fault for fault in find_faults(story) if "made by no command" in fault]
    assert faults == ["room KAFANA: version 4 (rolled) was made by no command that wasn't refused"]


def assert_said(story: Evidence, sentence: str) -> None:
    """The checker says it of the story."""
    found = find_faults(story)
    assert any(sentence in fault for fault in found), found


def test_a_rematch_that_leaves_a_sheet_behind_is_told_apart() -> None:
    assert_said(a_rematch(SHEET), "at version 1 Lija and Lija see different states")
