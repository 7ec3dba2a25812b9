"""From a game that is only asked state by state to the graph of its positions."""
