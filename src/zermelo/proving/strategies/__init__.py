"""Strategies that prove a value: put together from a search, and checked without it."""
