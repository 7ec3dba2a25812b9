"""Levels of placement games on disk: those of solves larger than memory, or that are resumed."""
