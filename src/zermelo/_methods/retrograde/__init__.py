"""Retrograde analysis of reachable positions."""
