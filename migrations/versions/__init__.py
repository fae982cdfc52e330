"""A revision a file, in the order of their numbers."""
