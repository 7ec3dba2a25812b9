"""Search from one position: a table of bounds, and the walk that tests a value, without rules."""
