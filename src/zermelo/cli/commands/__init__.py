"""The commands, one a file: each reads its arguments, calls the library and writes the answer."""
