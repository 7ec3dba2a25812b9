"""Games with numbers."""
