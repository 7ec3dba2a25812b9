"""Dense spaces on a cluster: ranges of slots, and of the positions in them, as units of work."""
