"""What commands are given: a game and its parameters, a sum, ranges, or a table."""
