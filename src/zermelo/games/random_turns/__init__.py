"""A coin decides whose turn it is."""
