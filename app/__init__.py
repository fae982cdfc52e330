"""Yamb: a multiplayer realtime server for the dice game Yamb."""
