"""What is swapped inside Numba while kernels compile, so that it does less, and put back."""
