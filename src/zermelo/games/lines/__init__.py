"""Marks on a board, and whoever lines them up."""
