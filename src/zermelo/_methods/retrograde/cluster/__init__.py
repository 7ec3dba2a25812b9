"""Games with cycles on a cluster: owners explore, rounds decide."""
