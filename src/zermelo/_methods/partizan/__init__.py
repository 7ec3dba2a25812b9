"""Values of partizan games: canonical forms."""
