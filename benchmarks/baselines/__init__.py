"""What Zermelo is measured against: the programs people write by hand for one game."""
