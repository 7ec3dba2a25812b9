"""Backward analysis of a graph of moves.

Transposed graph, propagation, rounds, topological order.
"""
