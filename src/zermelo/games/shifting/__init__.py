"""Pieces that shift about until somebody cannot move."""
