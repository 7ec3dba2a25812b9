"""The author's code: source, hooks, the values of names, and a checksum of the rules."""
