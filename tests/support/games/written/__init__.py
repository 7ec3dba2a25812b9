"""Rules written for tests: a table of variants, and as many as are wanted from a grammar."""
