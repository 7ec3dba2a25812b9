"""Solutions on disk: opening, saving, caching and resuming them."""
