"""Preparation of a function: variables, lists and patterns in forms that compile."""
