"""Games with cycles on a cluster: supersteps with one unit for each owner of positions."""
