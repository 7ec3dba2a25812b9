"""Games on graphs decided by how play goes on for ever: parity, energy and mean payoff."""
