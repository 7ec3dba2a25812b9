"""Margins of score games, with or without cycles."""
