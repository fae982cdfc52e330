"""What the bot chooses: the best where it is certain, the best mean where it can be counted, always legal."""

from collections import defaultdict
from itertools import product
from random import Random
from statistics import mean

import pytest

from app.bots import choose
from app.rules.actions import Action, Announce, Fill, Roll
from app.rules.dice import FACES, Dice
from app.rules.game import apply, start
from app.rules.legality import is_over, legal_actions, legal_cells, legal_scores
from app.rules.presets import BULGARIAN_8, CLASSIC_5X4, MY_YAHTZEE, PAPIR, PRESETS, SWEDISH_5
from app.rules.sheet import Sheet, total
from app.rules.state import Game, Undoing
from app.rules.variant import FACE_BY_ROW, Cell, Row, Variant
from tests.bots.playing import bot, totals
from tests.rules.games import any_kind, steps
from tests.rules.positions import cell, position, sheet_of
from tests.rules.random_games import follow, taken_over
from tests.rules.random_variants import random_variant
from tests.rules.variants import ANNOUNCED, DOWN, FREE, LATE, LATE_SWEDISH, with_columns
from tests.values import replace


def test_it_rolls_first() -> None:
    assert choose(start(PAPIR, 4)) == Roll()


def test_a_game_that_is_over_leaves_nothing_to_choose() -> None:
    with pytest.raises(ValueError, match="over"):
        choose(position(CLASSIC_5X4, ()))


@pytest.mark.parametrize(
    ("variant", "dice", "best"),
    [
        (with_columns(FREE), (6, 6, 6, 6, 6), "free yamb"),
        (PAPIR, (6, 6, 6, 6, 6, 6), "hand yamb"),
        (with_columns(FREE), (2, 3, 4, 5, 6), "free straight"),
        (with_columns(FREE), (6, 6, 5, 5, 6), "free full"),
    ],
)
def test_it_takes_at_once_what_cannot_become_better(variant: Variant, dice: Dice, best: str) -> None:
    assert choose(replace(start(variant, 1), dice=dice, roll=1)) == Fill(cell(best))


def test_five_sixes_are_a_yamb_and_the_next_five_are_sixes() -> None:
    game = position(with_columns(FREE), ["free sixes", "free ones", "free yamb"], dice=(6,) * 5, roll=3)
    assert choose(game) == Fill(cell("free yamb"))
    game = position(with_columns(FREE), ["free sixes", "free ones", "free poker"], dice=(6,) * 5, roll=3)
    assert choose(game) == Fill(cell("free poker"))
    game = position(with_columns(FREE), ["free sixes", "free ones", "free straight"], dice=(6,) * 5, roll=3)
    assert choose(game) == Fill(cell("free sixes"))


def test_it_crosses_out_what_it_would_miss_least() -> None:
    """Nothing fits: a yamb is the rarest, and less than the sixes are usually worth."""
    game = position(
        with_columns(FREE), ["free sixes", "free full", "free yamb"], dice=(1, 2, 2, 3, 4), roll=3
    )
    assert choose(game) == Fill(cell("free yamb"))


def test_where_only_the_announced_column_is_left_it_announces_what_the_dice_promise() -> None:
    game = position(CLASSIC_5X4, ["announced fours", "announced straight"], dice=(4, 4, 1, 4, 2), roll=1)
    assert choose(game) == Announce(cell("announced fours"))
    game = position(CLASSIC_5X4, ["announced fours", "announced straight"], dice=(4, 5, 3, 2, 2), roll=1)
    assert choose(game) == Announce(cell("announced straight"))


def test_it_announces_while_other_columns_are_open_when_that_is_worth_more() -> None:
    game = position(
        with_columns(DOWN, ANNOUNCED), ["down yamb", "announced poker"], dice=(5, 5, 5, 5, 1), roll=1
    )
    assert choose(game) in {Fill(cell("announced poker")), Announce(cell("announced poker"))}


def test_it_announces_late_when_the_window_comes_with_the_second_roll_only() -> None:
    """The dice of the first roll can't be used yet; those of the second can be announced for the third."""
    variant = with_columns(FREE, LATE_SWEDISH)
    game = position(variant, ["late_announced sixes"], dice=(6, 6, 6, 1, 2), roll=1)
    assert choose(game) == Roll((0, 1, 2))
    assert choose(replace(game, roll=2)) == Announce(cell("late_announced sixes"))


def test_what_it_announced_it_rolls_for() -> None:
    game = position(
        CLASSIC_5X4, ["free yamb", "announced ones"], dice=(6, 1, 6, 1, 6), roll=1, announced="announced ones"
    )
    assert choose(game) == Roll((1, 3))


def test_a_bound_seat_rolls_for_the_row_that_was_announced() -> None:
    game = position(
        PAPIR,
        ["announced twos", "notification twos"],
        ["down yamb", "notification twos"],
        seat=1,
        dice=(2, 5, 5, 2, 5, 5),
        bound={1: [("twos", 0)]},
    )
    assert choose(game) == Roll((0, 3))
    assert choose(replace(game, roll=3)) == Fill(cell("notification twos"))


def test_it_holds_no_more_than_the_variant_allows() -> None:
    """Five sixes of six: the sixth die rolls always, and five are all that count."""
    game = position(MY_YAHTZEE, ["free sixes"], dice=(6, 6, 6, 6, 1, 1), roll=1)
    assert choose(game) == Roll((0, 1, 2, 3))
    few = replace(with_columns(FREE), max_hold=2)
    action = choose(position(few, ["free straight"], dice=(2, 3, 4, 5, 1)[::-1], roll=1))
    assert action == Fill(cell("free straight"))
    action = choose(position(few, ["free straight"], dice=(2, 3, 4, 4, 6), roll=1))
    assert isinstance(action, Roll)
    assert len(action.hold) == 2


@pytest.mark.parametrize(
    ("count", "crossed_out"), [(3, "free yamb"), (0, "free fours")], ids=["in reach", "out of reach"]
)
def test_it_crosses_nothing_out_that_the_bonus_needs(count: int, crossed_out: str) -> None:
    """Nothing fits. Fours are missed less than a yamb, unless they can still make the bonus.

    `count`: how many dice stand in each of the other number rows.
    """
    game = position(with_columns(FREE), ["free fours", "free yamb"], dice=(1, 2, 2, 3, 5), roll=3)
    left = {Row.FOURS, Row.YAMB}
    entries = {
        Cell(FREE.kind, row): count * FACE_BY_ROW.get(row, 0) for row in game.layout.rows if row not in left
    }
    assert choose(replace(game, sheets=(sheet_of(game.layout, entries),))) == Fill(cell(crossed_out))


def test_the_same_position_gives_the_same_action() -> None:
    for step in list(steps(BULGARIAN_8, 2, 3))[::40]:
        assert choose(step.before) == choose(replace(step.before))


def test_it_takes_nothing_back() -> None:
    for step in list(steps(CLASSIC_5X4, 1, 5, undo=Undoing.ENTRY))[:60]:
        assert not is_over(step.before)
        assert isinstance(choose(step.before), Roll | Announce | Fill)


LAST_CELLS = [
    (CLASSIC_5X4, "free sixes"),
    (CLASSIC_5X4, "up min"),
    (SWEDISH_5, "free two_pairs"),
    (SWEDISH_5, "down straight"),
    (MY_YAHTZEE, "up poker"),
    (PAPIR, "final max"),
]


@pytest.mark.parametrize(("variant", "last"), LAST_CELLS, ids=[f"{v.id} {last}" for v, last in LAST_CELLS])
def test_its_last_entry_has_the_best_mean_total_there_is(variant: Variant, last: str) -> None:
    rng = Random(last)
    for _ in range(2):
        game = _with_any_entries(rng, position(variant, [last]), last)
        _is_best(replace(game, dice=_any_dice(rng, game), roll=2))


def test_its_last_entry_has_the_best_mean_total_in_variants_of_any_kind() -> None:
    rng = Random(11)
    for _ in range(25):
        variant = replace(random_variant(rng), last_cell_rolls=3)
        game = start(variant, 1)
        if not game.layout.announceable:
            last = game.layout.cells[rng.choice(game.layout.playable)]
            text = f"{last.column} {last.row}"
            game = _with_any_entries(rng, position(variant, [text]), text)
            game = replace(game, dice=_any_dice(rng, game), roll=2)
            if legal_cells(game):
                _is_best(game)


def _any_dice(rng: Random, game: Game) -> Dice:
    return tuple(rng.choice(FACES) for _ in range(game.variant.dice))


def _with_any_entries(rng: Random, game: Game, last: str) -> Game:
    """The position with scores of any dice in its filled cells."""
    layout, left = game.layout, cell(last)
    playable = {layout.cells[index] for index in layout.playable}
    entries = {
        one: layout.scores(_any_dice(rng, game), rng.randint(1, 3))[layout.rows.index(one.row)]
        for one in layout.cells
        if one in playable and one != left
    }
    return replace(game, sheets=(sheet_of(layout, entries), *game.sheets[1:]))


def _is_best(game: Game) -> None:
    """Whether no way to roll the last time, or to fill at once, has a better mean total: all are tried."""
    means = _mean_totals(game)
    best = max(means.values())
    assert means[choose(game)] == pytest.approx(best, rel=1e-9, abs=1e-4)


def _mean_totals(game: Game) -> dict[Action, float]:
    ends: dict[Dice, float] = defaultdict(float)

    def end(dice: Dice) -> float:
        known = tuple(sorted(dice))
        if known not in ends:
            ends[known] = _best_total(replace(game, dice=known, roll=3))
        return ends[known]

    found: dict[Action, float] = {}
    for action in legal_actions(game):
        if isinstance(action, Roll):
            held = tuple(game.dice[position] for position in action.hold)
            rolled = product(FACES, repeat=game.variant.dice - len(held))
            found[action] = mean(end(held + faces) for faces in rolled)
        else:
            found[action] = _best_total(game)
    return found


def _best_total(game: Game) -> float:
    return max(total(game.layout, _filled(game, one, score)) for one, score in legal_scores(game).items())


def _filled(game: Game, one: Cell, score: int) -> Sheet:
    place = game.layout.index_by_cell[one]
    return tuple(score if index == place else entry for index, entry in enumerate(game.sheet))


@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_a_game_of_bots_keeps_the_rules_and_ends(variant: Variant) -> None:
    """Alone, which is the shortest, but for papir, which alone is papir-solo."""
    follow(variant, 2 if variant is PAPIR else 1, seed=7, choose=bot)


@pytest.mark.parametrize("seed", range(18))
def test_a_bot_that_takes_over_at_any_time_keeps_the_rules_of_any_variant(seed: int) -> None:
    """Half of the seats are bots from some turn on, the others play by chance."""
    rng = Random(f"bots {seed}")
    variant = rng.choice(PRESETS) if seed % 5 == 0 else random_variant(rng)
    seats = rng.randint(1, 4 if seed % 8 else 8)
    others = taken_over(rng, seats, variant.turns)
    since = [rng.choice((1, rng.randint(1, variant.turns), variant.turns + 1)) for _ in range(seats)]

    def way(chance: Random, game: Game) -> Action:
        return choose(game) if game.round >= since[game.seat] else others(chance, game)

    follow(variant, seats, seed, way)


@pytest.mark.parametrize(("variant", "seats", "games"), [(CLASSIC_5X4, 2, 3), (PAPIR, 2, 1)])
def test_the_worst_of_its_games_has_twice_the_points_of_the_best_by_chance(
    variant: Variant, seats: int, games: int
) -> None:
    """The games have the same dice for both."""
    by_chance = [points for seed in range(games) for points in totals(variant, seed, any_kind, seats)]
    by_bots = [points for seed in range(games) for points in totals(variant, seed, bot, seats)]
    assert min(by_bots) > 2 * max(by_chance)


def test_every_action_it_takes_is_among_the_legal_ones() -> None:
    game = start(with_columns(DOWN, ANNOUNCED, LATE, FREE), 2)
    for step in steps(game.variant, 2, 9, bot):
        assert step.action in legal_actions(step.before)
        assert apply(step.before, step.action, (1, 2, 3, 4, 5))
