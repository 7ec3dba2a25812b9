"""Values of partizan games: games in canonical form."""
