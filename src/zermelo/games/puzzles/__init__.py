"""Games of programming contests."""
