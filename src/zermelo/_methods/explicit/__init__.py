"""Graphs that are given in arrays."""
