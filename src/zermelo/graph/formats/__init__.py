"""Games on graphs in the file formats of other programs: reading and writing."""
