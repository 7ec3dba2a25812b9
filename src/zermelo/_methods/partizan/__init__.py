"""Values of partizan games: the game in canonical form that each position is worth."""
