"""Boards that fill up, or fall apart, until somebody cannot move."""
