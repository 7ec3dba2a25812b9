"""Stores: a solve's arrays, in memory or files, with records."""
