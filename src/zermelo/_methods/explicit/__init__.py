"""The method for explicit graphs, which are given as arrays."""
