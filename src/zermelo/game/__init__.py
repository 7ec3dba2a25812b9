"""The contract: the hooks of a game, and its declarations."""
