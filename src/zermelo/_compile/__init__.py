"""From a game's class to compiled rules."""
