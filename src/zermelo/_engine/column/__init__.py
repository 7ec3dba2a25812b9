"""Values by number, in memory and in files: their codes, their counts, best moves."""
