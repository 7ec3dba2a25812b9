"""Margins of score games, also of those that can go round in circles."""
