"""Misère quotients of heap games: found by search, proved by a finite check."""
