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
    ways = {}
    for position, edges in graph.edges.items():
        if isinstance(table[position], tuple):
            good = [oracle.lift(table[e.child], e.sign) == table[position] for e in edges]
        else:
            good = [e.gain + e.sign * table[e.child] == table[position] for e in edges]
        any_, best = Fraction(percent, 100 * len(edges)), Fraction(100 - percent, 100 * sum(good))
        ways[position] = [(any_ + best * g, e) for g, e in zip(good, edges, strict=True)]
    return ways


def ending(ways: Any, ends: Any) -> set[Any]:
    """Return the positions from which an end can be reached by moves that may be made."""
    alive = set(ends)
    while more := {
        p
        for p, moves in ways.items()
        if p not in alive and any(q and e.child in alive for q, e in moves)
    }:
        alive |= more
    return alive


def outcomes(game: Any, percent: int) -> dict[Any, tuple[float, float, float, float]]:
    """Return for each position P(win), P(draw), P(loss) of its mover, and E(length; it ends)."""
    graph, table = oracle.explore(game), oracle.solve(game)
    ways = weighted(game, graph, table, percent)
    alive = ending(ways, graph.ends)
    open_ = [p for p in graph.edges if p in alive]
    at = {p: i for i, p in enumerate(open_)}
    found = {p: (float(o == 1), float(o == 0), float(o == -1), 0.0) for p, o in graph.ends.items()}
    found |= {p: (0.0, 0.0, 0.0, 0.0) for p in graph.edges if p not in alive}
    n = len(open_)
    # Unknowns: n chances of a win, then n of a loss, n of a draw.
    left, right = np.eye(3 * n), np.zeros(3 * n)
    for p, i in at.items():
        for q, e in ways[p]:
            for mine, other in ((0, 1), (1, 0), (2, 2)):
                theirs = other if e.sign < 0 else mine
                if e.child in at:
                    left[mine * n + i, theirs * n + at[e.child]] -= float(q)
                else:
                    known = found[e.child]
                    right[mine * n + i] += float(q) * (known[0], known[2], known[1])[theirs]
    chance = np.linalg.solve(left, right).reshape(3, n)
    over = dict(zip(open_, chance.sum(axis=0), strict=True))
    left, right = np.eye(n), np.zeros(n)
    for p, i in at.items():
        for q, e in ways[p]:
            if e.child in at:
                left[i, at[e.child]] -= float(q)
            right[i] += float(q) * over.get(
                e.child, sum(found[e.child][:3]) if e.child in found else 0
            )
    lengths = np.linalg.solve(left, right)
    for p, i in at.items():
        found[p] = (chance[0, i], chance[2, i], chance[1, i], lengths[i])
    return found


def margins(game: Any, percent: int) -> dict[int, Fraction]:
    """Return the exact probability of each final margin of the player who begins."""
    graph, table = oracle.explore(game), oracle.solve_scores(game)
    ways = weighted(game, graph, table, percent)
    total: dict[int, Fraction] = {}
    waiting = {(graph.starts[0], 0, 1): Fraction(1)}
    while waiting:
        following: dict[Any, Fraction] = {}
        for (position, margin, sign), chance in waiting.items():
            if position in graph.ends:
                end = margin + sign * table[position]
                total[end] = total.get(end, Fraction(0)) + chance
                continue
            for q, e in ways[position]:
                key = (e.child, margin + sign * e.gain, sign * e.sign)
                if q:
                    following[key] = following.get(key, Fraction(0)) + chance * q
        waiting = following
    return total
