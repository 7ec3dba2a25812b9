"""Misère quotients of heap games, found by search and proved by a finite check."""
