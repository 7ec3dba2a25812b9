"""The certificate: every value follows from its successors' values."""
