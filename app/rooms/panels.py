"""The score panels of a table, made when somebody asks for them."""

from functools import lru_cache

from app.rooms.schemas import PanelPoints, PerfectGame, ScorePanels, SeatPanel
from app.rooms.store import Stored
from app.rules.panel import panel, perfect_game
from app.rules.state import Game


def score_panels(stored: Stored) -> ScorePanels:
    """The panel of every seat in a room's newest state; none in the lobby."""
    game = stored.room.game
    return ScorePanels(version=stored.version, panels=list(_panels(game)) if game else [])


@lru_cache(maxsize=64)
def _panels(game: Game) -> tuple[SeatPanel, ...]:
    """Kept for a while: everybody at a table asks for the same after an update."""
    return tuple(_seat_panel(game, seat) for seat in range(game.seats))


def _seat_panel(game: Game, seat: int) -> SeatPanel:
    shown = panel(game, seat)
    return SeatPanel(
        seat=seat,
        upper=PanelPoints.model_validate(shown.upper),
        middle=PanelPoints.model_validate(shown.middle),
        lower=PanelPoints.model_validate(shown.lower),
        total=PanelPoints.model_validate(shown.total),
        perfect=PerfectGame.model_validate(perfect_game(game)),
    )
