"""Strangers attack for a second or two each: our server holds, and one without bounds doesn't."""

from collections import Counter

import pytest

from app.config import Settings
from app.main import create_app
from tests.faults.hostile.attacks import ATTACKS, Way
from tests.faults.hostile.frames import PING, TEXT, frame, take_frames
from tests.faults.hostile.measures import Taken, Waits
from tests.faults.hostile.routes import ROUTES, unlisted
from tests.faults.hostile.run import Judged, Plan, run_hostile
from tests.faults.hostile.tally import Tally
from tests.faults.hostile.unguarded import UnguardedServer
from tests.faults.hostile.verdict import Bounds, Case, find
from tests.values import replace

# A busy machine is slow, and an attack that isn't held off makes it many times slower.
LENIENT = Bounds(ratio=10, floor=1000, memory_left=48, files_left=48)
SHORT = Plan(seed=7, ways=(Way.DIRECT,), seconds=1.5, quiet=1.0, share=0.2, bounds=LENIENT)
HELD = Case(
    name="guessed rooms",
    way="direct",
    attack=ATTACKS["guessed rooms"],
    quiet=Waits([10.0] * 100, [10.0] * 100),
    during=Waits([12.0] * 100, [12.0] * 100),
    before=Taken(memory=100, files=30, log=0),
    peak=110,
    after=Taken(memory=105, files=31, log=0.1),
    tally=Tally(sent=9000, opened=8, statuses=Counter({"404": 60, "429": 400})),
    newcomers=8,
    let_in=8,
)


def judge(plan: Plan, *names: str) -> dict[str, Judged]:
    """Make these attacks, and what became of each."""
    judged: dict[str, Judged] = {}

    def tell(one: Judged) -> None:
        judged[one.case.name] = one

    assert run_hostile(replace(plan, names=names), tell) == []
    assert set(judged) == set(names)
    return judged


def with_tally(**counts: object) -> Case:
    """The case that held, with another tally."""
    assert HELD.tally
    return replace(HELD, tally=replace(HELD.tally, **counts))


def test_every_route_of_the_description_has_an_attack() -> None:
    described = create_app(Settings()).openapi()["paths"]
    assert unlisted(described) == []


def test_a_route_without_an_attack_is_named_and_so_is_an_attack_without_a_route() -> None:
    paths: dict[str, dict[str, object]] = {}
    for method, path in ROUTES:
        paths.setdefault(path, {})[method.lower()] = {}
    del paths["/readyz"]
    paths["/api/new"] = {"get": {}}
    assert unlisted(paths) == [
        "the route GET /api/new has no attack: give it one",
        "the attack on GET /readyz has no route",
    ]


def test_nothing_is_said_of_an_attack_that_held() -> None:
    assert find(HELD, Bounds()) == []


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        (replace(HELD, during=Waits([12.0] * 90 + [60.0] * 10, [])), "people waited 60 ms"),
        (replace(HELD, during=Waits([], [])), "nobody could act"),
        (replace(HELD, ends=("127.0.0.10: cut",)), "1 people were disconnected"),
        (replace(HELD, refusals=("KAFANA: too_many",)), "1 commands of people were refused"),
        (replace(HELD, let_in=3), "3 of 8 newcomers were let in"),
        (replace(HELD, peak=200), "it took 100 MiB"),
        (replace(HELD, after=Taken(memory=140, files=31, log=0)), "it left 40 MiB taken"),
        (replace(HELD, after=Taken(memory=105, files=60, log=0)), "it left 30 files open"),
        (replace(HELD, after=Taken(memory=105, files=31, log=9)), "it wrote 9.0 MiB of log"),
        (replace(HELD, troubles=("the server wasn't ready",)), "the server wasn't ready"),
        (with_tally(statuses=Counter({"404": 460})), "the attack was not answered 429"),
        (with_tally(statuses=Counter({"404": 2})), "the attack did nothing"),
        (with_tally(statuses=Counter({"429": 460, "500": 2})), "2 requests were answered 500"),
    ],
)
def test_what_did_not_hold_is_said(case: Case, sentence: str) -> None:
    found = find(case, Bounds())
    assert len(found) == 1
    assert found[0].startswith(sentence)


def test_a_wait_that_nobody_would_notice_is_no_fault() -> None:
    assert find(replace(HELD, during=Waits([45.0] * 100, [])), Bounds()) == []


def test_frames_are_taken_as_they_come() -> None:
    text = b"a" * 70_000
    sent = frame(TEXT, text) + frame(PING, b"x")
    unmasked = bytearray(b"\x81\x7f" + sent[2:10] + text + b"\x89\x01x")
    assert list(take_frames(unmasked[:50])) == []
    assert list(take_frames(unmasked)) == [(TEXT, text), (PING, b"x")]
    assert not unmasked


def test_every_attack_has_a_name_that_says_what_it_does() -> None:
    assert all(attack.what and attack.ways for attack in ATTACKS.values())


@pytest.mark.timeout(240)
def test_people_at_ten_tables_hardly_notice_strangers() -> None:
    names = (
        "pongs",
        "empty fragments",
        "old versions",
        "endless headers",
        "endless address",
        "guessed rooms",
    )
    judged = judge(SHORT, *names)
    assert {name: one.found for name, one in judged.items() if one.found} == {}


@pytest.mark.timeout(240)
def test_the_run_finds_what_a_server_without_bounds_lets_strangers_do() -> None:
    judged = judge(replace(SHORT, serve=UnguardedServer), "endless headers", "pongs")
    assert any("MiB" in sentence for sentence in judged["endless headers"].found), judged
    assert any("not refused or ended" in sentence for sentence in judged["endless headers"].found), judged
    assert any("people waited" in sentence for sentence in judged["pongs"].found), judged
