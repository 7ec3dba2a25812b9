"""Heaps and rows of stones that are taken away."""
