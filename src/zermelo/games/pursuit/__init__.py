"""One chases, the other runs."""
