"""Strategies that prove a value: built from a search, and checked without it."""
