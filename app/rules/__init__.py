"""The rules of the game: pure values and functions, nothing of ours and no framework imported."""
