"""Games on graphs in files of other programs: read, and written for them."""
