"""What every kernel stands on: compiling and keeping it, memory, threads, files, the ledger."""
