"""Solving a game, and what a solved game answers."""
