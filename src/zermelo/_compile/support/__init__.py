"""What compiled rules call beyond Numba's own Python."""
