"""Support for kernels: compiling and caching, memory, threads, files, the memory budget."""
