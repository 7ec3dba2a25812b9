"""Pursuits on graphs, a row of positions at a time."""
