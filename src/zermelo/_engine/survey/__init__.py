"""Passes over all positions of a solved table: chances, margins, only-moves and traps."""
