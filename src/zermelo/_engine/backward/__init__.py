"""Backward over a graph of moves: the transposed graph, propagation, rounds, order."""
