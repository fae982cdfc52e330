"""Variants that players make, over both databases."""
