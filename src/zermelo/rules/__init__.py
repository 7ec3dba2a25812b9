"""A game's hooks as plain Python, its packed layout and its canonical forms."""
