"""The children of a batch of positions, and discovery of all that can be reached."""
