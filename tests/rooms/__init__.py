"""Tests of the realtime layer."""
