"""Checkpoints: what a solve saves on the way, so that another process can resume it."""
