"""Finished games and the leaderboards made from them."""
