"""Games with cycles on a cluster: owners of positions explore, rounds decide."""
