"""Games on the nodes and edges of a graph."""
