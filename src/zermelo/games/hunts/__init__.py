"""One or a few against many."""
