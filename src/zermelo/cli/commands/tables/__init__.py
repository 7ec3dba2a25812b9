"""Commands about tables as files: what one says of itself, verify, export, the cache."""
