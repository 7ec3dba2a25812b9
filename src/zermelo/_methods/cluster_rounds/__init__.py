"""Rounds of backward analysis on clusters."""
