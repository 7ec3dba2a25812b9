"""Games played out with a solution."""
