"""Nimbers of heaps in sequence: from all splits, or from the few that a sparse space requires."""
