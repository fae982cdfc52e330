"""The rules of Yamb: pure, on the standard library alone."""
