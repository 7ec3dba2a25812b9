"""Pieces on a strip of squares."""
