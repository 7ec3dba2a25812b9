"""Scans over all positions of a solved table.

Outcome probabilities, margins, only-moves and traps.
"""
