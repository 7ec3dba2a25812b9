"""Commands about tables as files: their headers, verify, export, the cache."""
