"""Canonical forms in arrays."""
