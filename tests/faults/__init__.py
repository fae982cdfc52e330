"""The fault run: real servers and players, things that go wrong, and a checker of what everybody saw."""
