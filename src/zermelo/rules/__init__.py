"""A game's hooks as plain Python, with the packed layout and canonical forms of its positions."""
