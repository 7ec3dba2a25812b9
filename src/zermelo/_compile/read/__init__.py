"""What an author wrote: source, hooks, the values of names, and a checksum of it all."""
