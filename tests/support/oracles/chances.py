"""What ways of playing come to, by solving equations over the oracle's graph: for small games.

It shares nothing with the engine: probabilities are the solution of a system of linear equations
over every position from which an end can be reached, where the engine goes through positions in
order or in passes. Margins of score games are gathered path by path, as exact fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from support.oracles import oracle


def weighted(game: Any, graph: Any, table: Any, percent: int) -> dict[Any, list[tuple[float, Any]]]:
    """Return for each position its moves with their probabilities."""
    moves_by_position = {}
    for position, edges in graph.edges.items():
        if isinstance(table[position], tuple):
            good = [oracle.lift(table[e.child], e.sign) == table[position] for e in edges]
        else:
            good = [e.gain + e.sign * table[e.child] == table[position] for e in edges]
        share, best = Fraction(percent, 100 * len(edges)), Fraction(100 - percent, 100 * sum(good))
        moves_by_position[position] = [
            (share + best * g, e) for g, e in zip(good, edges, strict=True)
        ]
    return moves_by_position


def ending(ways: Any, ends: Any) -> set[Any]:
    """Return the positions from which an end can be reached by moves that may be made."""
    positions = set(ends)
    while new_positions := {
        p
        for p, moves in ways.items()
        if p not in positions and any(q and e.child in positions for q, e in moves)
    }:
        positions |= new_positions
    return positions


def outcomes(game: Any, percent: int) -> dict[Any, tuple[float, float, float, float]]:
    """Return for each position P(win), P(draw), P(loss) of its mover, and E(length; it ends)."""
    graph, table = oracle.explore(game), oracle.solve(game)
    moves_by_position = weighted(game, graph, table, percent)
    ending_positions = ending(moves_by_position, graph.ends)
    open_positions = [p for p in graph.edges if p in ending_positions]
    index_of = {p: i for i, p in enumerate(open_positions)}
    results = {
        p: (float(o == 1), float(o == 0), float(o == -1), 0.0) for p, o in graph.ends.items()
    }
    results |= {p: (0.0, 0.0, 0.0, 0.0) for p in graph.edges if p not in ending_positions}
    n = len(open_positions)
    # Unknowns: n chances of a win, then n of a loss, n of a draw.
    matrix, constants = np.eye(3 * n), np.zeros(3 * n)
    for p, i in index_of.items():
        for q, e in moves_by_position[p]:
            for mine, other in ((0, 1), (1, 0), (2, 2)):
                theirs = other if e.sign < 0 else mine
                if e.child in index_of:
                    matrix[mine * n + i, theirs * n + index_of[e.child]] -= float(q)
                else:
                    child_result = results[e.child]
                    constants[mine * n + i] += (
                        float(q) * (child_result[0], child_result[2], child_result[1])[theirs]
                    )
    chance = np.linalg.solve(matrix, constants).reshape(3, n)
    end_chance = dict(zip(open_positions, chance.sum(axis=0), strict=True))
    matrix, constants = np.eye(n), np.zeros(n)
    for p, i in index_of.items():
        for q, e in moves_by_position[p]:
            if e.child in index_of:
                matrix[i, index_of[e.child]] -= float(q)
            constants[i] += float(q) * end_chance.get(
                e.child, sum(results[e.child][:3]) if e.child in results else 0
            )
    lengths = np.linalg.solve(matrix, constants)
    for p, i in index_of.items():
        results[p] = (chance[0, i], chance[2, i], chance[1, i], lengths[i])
    return results


def margins(game: Any, percent: int) -> dict[int, Fraction]:
    """Return the exact probability of each final margin of the player who begins."""
    graph, table = oracle.explore(game), oracle.solve_scores(game)
    moves_by_position = weighted(game, graph, table, percent)
    total: dict[int, Fraction] = {}
    chances = {(graph.starts[0], 0, 1): Fraction(1)}
    while chances:
        next_chances: dict[Any, Fraction] = {}
        for (position, margin, sign), chance in chances.items():
            if position in graph.ends:
                end = margin + sign * table[position]
                total[end] = total.get(end, Fraction(0)) + chance
                continue
            for q, e in moves_by_position[position]:
                key = (e.child, margin + sign * e.gain, sign * e.sign)
                if q:
                    next_chances[key] = next_chances.get(key, Fraction(0)) + chance * q
        chances = next_chances
    return total
