"""Presentation of answers: HTML for notebooks, flat columns for data frames, pictures in files."""
