"""From positions to numbers and back."""
