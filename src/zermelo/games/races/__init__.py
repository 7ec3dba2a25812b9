"""Men that run for the other side of the board."""
