"""Explicit graphs on a cluster: ranges of vertices as units of work."""
