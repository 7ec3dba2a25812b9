"""The values of a table in its file."""
