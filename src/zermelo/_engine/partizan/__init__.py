"""Values of partizan games: canonical forms, their order and sums, in flat arrays."""
