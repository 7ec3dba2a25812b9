"""Expansion of batches of positions, and discovery of all reachable positions."""
