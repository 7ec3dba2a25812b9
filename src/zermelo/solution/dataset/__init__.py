"""Datasets of labelled positions for learning, with columns, batches and splits."""
