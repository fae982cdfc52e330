"""Tests of app/scores."""
