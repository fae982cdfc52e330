"""Variants that players make: kept by their content, found by id or by code."""
