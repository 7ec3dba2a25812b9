"""Search from one position: transposition tables, and search loops without rules."""
