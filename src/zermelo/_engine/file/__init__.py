"""The file that a table is: its header, its blocks, how it is written, read and resumed."""
