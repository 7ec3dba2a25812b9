"""Proving: the value of one position by search, and the strategy that proves it."""
