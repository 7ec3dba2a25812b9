"""Levels of placement games on disk: in solves larger than memory, or that are resumed."""
