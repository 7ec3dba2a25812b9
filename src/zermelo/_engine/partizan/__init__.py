"""Canonical forms of partizan games in arrays."""
