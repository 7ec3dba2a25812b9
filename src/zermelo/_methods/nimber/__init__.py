"""Nimbers of impartial games."""
