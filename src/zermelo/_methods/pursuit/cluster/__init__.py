"""Pursuits on a cluster: ranges of rows of a round as units of work."""
