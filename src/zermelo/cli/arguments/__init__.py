"""Arguments of commands: a game and its parameters, a sum, ranges, or a table."""
