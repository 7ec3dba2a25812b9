"""Values by number: their codes, their counts, the best of them."""
