"""Datasets of labelled positions for learning: their columns, batches and splits."""
