"""Values of partizan games: canonical forms, their arithmetic, their names."""
