"""Honest records of whole games, played by chance from a seed."""

from random import Random

from app.rules.actions import Action, Announce, Fill, Roll
from app.rules.events import Event
from app.rules.fairness import commitment_of, draw_next, game_key
from app.rules.game import apply, start
from app.rules.legality import is_over, legal_actions
from app.rules.presets import CLASSIC_5X4, for_seats
from app.rules.record import Record, RecordSeat
from app.rules.state import Game
from app.rules.variant import Variant

ENDED_AT = 1_790_003_600_000


def play(
    variant: Variant = CLASSIC_5X4,
    seats: int = 2,
    *,
    seed: int = 1,
    ended_at: int = ENDED_AT,
    game_id: str | None = None,
    bot_text: str | None = None,
) -> Record:
    """A finished game of players p0, p1, … and its record. With `bot_text` the last seat is a bot's."""
    chance = Random(seed)
    game_id = game_id or f"g{seed}"
    players = tuple(RecordSeat(f"p{seat}", f"Player {seat}", f"text {seat}") for seat in range(seats))
    if bot_text is not None:
        players = (*players[:-1], RecordSeat("bot1", "Bot 1", bot_text, "bot"))
    secret = chance.randbytes(32)
    key = game_key(secret, [player.text for player in players], game_id)
    game = start(variant, seats)
    log: list[Event] = []
    while not is_over(game):
        game, events = apply(game, _choose(game, chance), draw_next(key, game))
        log += events
    return Record(
        game_id=game_id,
        variant=for_seats(variant, seats),
        seats=players,
        log=tuple(log),
        secret=secret,
        commitment=commitment_of(secret),
        started_at=ended_at - 3_600_000,
        ended_at=ended_at,
    )


def _choose(game: Game, chance: Random) -> Action:
    """First the kind, then the action: there are many more holds than cells."""
    legal = legal_actions(game)
    kinds: list[type[Action]] = [Roll, Announce, Fill]
    kind = chance.choice(kinds)
    of_kind = [action for action in legal if isinstance(action, kind)]
    return chance.choice(of_kind or legal)
