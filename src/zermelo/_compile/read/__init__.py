"""What an author wrote: source, hooks, the values that names stand for, and a checksum of it all."""
