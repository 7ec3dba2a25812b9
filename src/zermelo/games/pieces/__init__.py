"""Pieces that are put on a board for good, or stacked there."""
