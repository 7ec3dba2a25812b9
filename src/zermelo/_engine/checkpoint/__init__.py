"""Stages to resume from."""
