"""What an author wrote: source, hooks, the values that names stand for, and the name of it all."""
