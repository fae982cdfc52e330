"""Strangers attack a server under play: what the players feel, and what became of each attack."""
