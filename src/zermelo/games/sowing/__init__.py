"""Seeds that are sown from pit to pit."""
