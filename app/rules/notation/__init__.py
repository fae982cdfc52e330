"""Positions and whole games as one line of text, and back. The form is that of docs/notation.md.

A line has one form only: what is read is written again as it was. Reading raises WrongNotation and nothing
else.
"""

from app.rules.notation.games import Played, format_game, parse_game
from app.rules.notation.positions import format_position, parse_position
from app.rules.notation.reading import WrongNotation

__all__ = ["Played", "WrongNotation", "format_game", "format_position", "parse_game", "parse_position"]
