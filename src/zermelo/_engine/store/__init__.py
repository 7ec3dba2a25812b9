"""A solve's arrays and records."""
