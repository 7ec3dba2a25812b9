"""How the positions of a table have numbers in its file."""
