"""Questions about all positions of a solved table at once."""
