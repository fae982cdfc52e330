"""A second way to a game's totals: from the log and the variant's numbers, sharing no code with the rules.

It scores each entry again from the dice that the log shows, then sums every column.
"""

from collections import Counter
from itertools import combinations
from typing import Any

NUMBERS = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}


def recount(record: dict[str, Any]) -> list[int]:
    """Totals by seat; asserts that every entry has the score that its dice give."""
    variant = record["variant"]
    rule_by_row = {rule["row"]: rule for rule in variant["rows"]}
    sheets: list[dict[tuple[str, str], int]] = [{} for _ in record["seats"]]
    dice, roll = [], 0
    for event in record["log"]:
        if event["type"] == "rolled":
            dice, roll = event["dice"], event["roll"]
        elif event["type"] == "filled":
            cell = (event["column"], event["row"])
            assert cell not in sheets[event["seat"]], f"{cell} filled twice"
            best = max(_points(rule_by_row[event["row"]], five, roll) for five in combinations(dice, 5))
            if event["row"] == "min":
                best = sum(sorted(dice)[:5])
            assert event["score"] == best, (event, dice, roll)
            sheets[event["seat"]][cell] = event["score"]
    return [_total(variant, sheet) for sheet in sheets]


def _points(rule: dict[str, Any], five: tuple[int, ...], roll: int) -> int:
    row, bonus = rule["row"], rule.get("bonus", 0)
    counts = Counter(five)
    if row in NUMBERS:
        return NUMBERS[row] * counts[NUMBERS[row]]
    if row in ("max", "min"):
        return sum(five)
    if row == "straight":
        return _straight(rule["straight"], set(five), roll)
    if row == "full":
        return sum(five) + bonus if sorted(counts.values()) == [2, 3] else 0
    size = {"triling": 3, "poker": 4, "yamb": 5}[row]
    return max((size * face + bonus for face, count in counts.items() if count >= size), default=0)


def _straight(values: dict[str, Any], faces: set[int], roll: int) -> int:
    small, large = faces == {1, 2, 3, 4, 5}, faces == {2, 3, 4, 5, 6}
    if not (small or large):
        return 0
    if "by_roll" in values:
        return int(values["by_roll"][roll - 1])
    return int(values["large"] if large else values["small"])


def _total(variant: dict[str, Any], sheet: dict[tuple[str, str], int]) -> int:
    rows = [rule["row"] for rule in variant["rows"]]
    names = [column["column"] for column in variant["columns"]]
    full = dict(sheet)
    if "maximum" in names:
        for row in rows:
            in_row = [score for (_, of), score in sheet.items() if of == row]
            full["maximum", row] = min(in_row) if row == "min" else max(in_row)
    assert len(full) == len(rows) * len(names), "a cell stayed empty"
    return sum(_column(variant, [full[name, row] for row in rows]) for name in names)


def _column(variant: dict[str, Any], scores: list[int]) -> int:
    upper = sum(scores[:6])
    award = max((step["award"] for step in variant["bonus_steps"] if upper >= step["at_least"]), default=0)
    assert variant["middle"] == {"formula": "times_ones", "floor": False}
    return upper + award + (scores[6] - scores[7]) * scores[0] + sum(scores[8:])
