"""Yamb: a realtime server for the dice game, one folder per domain."""
