"""Bots: what they choose."""
