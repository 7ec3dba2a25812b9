"""Games of marks put on cells with lines, 64 positions at a time."""
