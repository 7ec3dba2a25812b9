"""Tables: solved games on disk."""
