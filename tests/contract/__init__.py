"""One suite over every adapter of a port."""
