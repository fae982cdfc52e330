"""Policies: ways for a bot to choose an action. They see the rules only."""

from app.bots.policy import choose

__all__ = ["choose"]
