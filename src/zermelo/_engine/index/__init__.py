"""Indexes: from positions to numbers and back."""
