"""What every kernel needs: compiling and caching, memory, threads, files, the ledger."""
