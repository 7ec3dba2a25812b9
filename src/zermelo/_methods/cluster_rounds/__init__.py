"""Rounds of backward analysis on a cluster."""
