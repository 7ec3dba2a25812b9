"""Games with circles on a cluster: supersteps, of which each owner of positions does a unit."""
