"""Values of partizan games: canonical forms, their arithmetic and order, their names."""
