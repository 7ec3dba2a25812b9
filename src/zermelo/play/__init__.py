"""Matches played with a solution."""
