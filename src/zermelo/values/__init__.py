"""Values of positions."""
