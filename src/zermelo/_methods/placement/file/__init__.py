"""Tables of placement games in files."""
