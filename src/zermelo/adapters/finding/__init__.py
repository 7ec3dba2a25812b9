"""From a game that is explored state by state to the graph of its positions."""
