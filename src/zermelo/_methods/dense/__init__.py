"""Spaces in which every position has a number in closed form."""
