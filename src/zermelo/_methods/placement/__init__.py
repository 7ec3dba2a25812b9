"""The method for placement games, marks on cells with lines, 64 positions at a time."""
