"""Solutions of games: values, checks, datasets, exports and presentations."""
