"""Table files: header and blocks, writing, reading and resuming."""
