"""Placement games on a cluster: ranges of tiers of a level as units of work."""
