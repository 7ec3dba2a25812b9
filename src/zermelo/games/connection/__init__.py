"""Chains from side to side."""
