"""Tests of app/accounts."""
