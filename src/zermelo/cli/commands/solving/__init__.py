"""Commands that solve: a game, a position, a graph, heaps, cops; here or on a cluster."""
