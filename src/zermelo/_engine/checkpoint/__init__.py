"""Checkpoints: the data that a solve saves while it runs, so that another process can resume it."""
