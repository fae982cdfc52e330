"""Whole games over real servers."""
