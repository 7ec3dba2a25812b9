"""The method for pursuits on graphs, a row of positions at a time."""
