"""Margins of score games without circles."""
