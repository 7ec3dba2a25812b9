"""Checkpoints: a folder of stages, to resume from."""
