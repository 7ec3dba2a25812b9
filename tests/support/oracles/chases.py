"""A slow solver of pursuits whose answers are meant to be right at sight, and random pursuits.

It shares no code with the engine: every placement is looked at again in every round.
"""

from __future__ import annotations

from itertools import product

import numpy as np


def solve(graphs, safe=(), forbidden=(), *, together=True):
    """Return the value of every placement as a mark: plies + 1, with a minus if the mover loses.

    Args:
        graphs: the evader's rows of neighbours, then each pursuer's.
        safe: nodes where the evader has won.
        forbidden: nodes that no pursuer may enter.
        together: whether the pursuers move in one turn.

    Returns:
        A dictionary by (turn, evader, pursuers); 0 where nobody can force an end.
    """
    marks, children = _placements(graphs, safe, forbidden, together)
    mark = 1
    while True:
        mark += 1
        new_marks = {}
        for placement, placements_after in children.items():
            if placement in marks:
                continue
            mover_marks = [
                marks.get(child, 0) * (1 if (child[0] == 0) == (placement[0] == 0) else -1)
                for child in placements_after
            ]
            if max(mover_marks) > 0:
                new_marks[placement] = mark
            elif all(value < 0 for value in mover_marks):
                new_marks[placement] = -mark
        if not new_marks:
            return dict.fromkeys(children, 0) | marks
        marks |= new_marks


def _placements(graphs, safe, forbidden, together):
    """Return what the rules decide, and what each other placement leads to."""
    evader, *pursuers = graphs
    n, k = len(evader), len(pursuers)
    turns = 2 if together else 1 + k
    free_nodes = [p for p in range(n) if p not in forbidden]
    marks, children = {}, {}
    for turn, e, team in product(range(turns), range(n), product(free_nodes, repeat=k)):
        placement = (turn, e, team)
        if e in safe or e in team:
            marks[placement] = 1 if (e in safe) == (turn == 0) else -1
            continue
        if turn == 0:
            placements_after = [(1, x, team) for x in evader[e]]
        else:
            moving_pursuers = range(k) if together else [turn - 1]
            choices = [
                [x for x in pursuers[i][team[i]] if x in free_nodes]
                if i in moving_pursuers
                else [team[i]]
                for i in range(k)
            ]
            placements_after = [
                ((turn + 1) % turns, e, team_after) for team_after in product(*choices)
            ]
        children[placement] = placements_after
        if not placements_after:
            marks[placement] = -1
    return marks, children


def random_rows(rng, n, density):
    """Return rows of neighbours of a random directed graph, with loops and repeated edges."""
    rows = [[j for j in range(n) if rng.random() < density] for _ in range(n)]
    return [row + row[:1] if rng.random() < 0.1 else row for row in rows]


def both_ways(rows):
    """Return the rows with each edge listed at both its ends."""
    out = [set(row) for row in rows]
    for node, row in enumerate(rows):
        for neighbour in row:
            out[neighbour].add(node)
    return [sorted(row) for row in out]


def random_pursuit(rng):
    """Return graphs and special nodes of a random pursuit with one to three pursuers."""
    k = int(rng.choice([1, 1, 2, 3]))
    n = int(rng.integers(1, {1: 9, 2: 6, 3: 4}[k]))
    graphs = [random_rows(rng, n, rng.random() * 0.6) for _ in range(k + 1)]
    if rng.random() < 0.3:
        graphs = [both_ways(graphs[0])] * (k + 1)
    safe = np.flatnonzero(rng.random(n) < 0.15).tolist()
    forbidden = np.flatnonzero(rng.random(n) < 0.2).tolist() if rng.random() < 0.5 else []
    return graphs, safe, forbidden, bool(rng.random() < 0.5)
