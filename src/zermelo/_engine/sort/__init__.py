"""Partitions of positions, sorted and without duplicates."""
