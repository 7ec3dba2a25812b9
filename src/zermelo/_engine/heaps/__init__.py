"""Nimbers of heaps one after another: by all splits, or by the few that a sparse space leaves."""
