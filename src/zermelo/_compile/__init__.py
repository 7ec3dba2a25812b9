"""From a game's class to compiled rules, and the only room that knows how Numba is driven."""
