"""The rules core, held by second opinions that share no code with it."""
