"""Games with levels on a cluster: parts of a level, by first bits of hashes, as units of work."""
