"""The certificate of placement games, 64 positions at a time."""
