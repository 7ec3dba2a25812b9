"""Families of parity games on which algorithms are compared, as successors by vertex.

Each function returns a game as a dictionary: for each vertex its priority, its owner and its
successors. Player 0 wins if the greatest priority that recurs for ever is even. The games are those
of the generators of PGSolver 4.4 (O. Friedmann and M. Lange) and, for ``two_counters``, of Oink
(T. van Dijk), which say that they come from:

* ``jurdzinski``: M. Jurdziński, "Small progress measures for solving parity games", STACS 2000;
* ``recursive_ladder``: O. Friedmann, "Recursive algorithm for parity games requires exponential
  time", RAIRO 45 (2011);
* ``two_counters``: T. van Dijk, "A parity game tale of two counters", GandALF 2019.
"""

from __future__ import annotations

import random


def clique(size):
    """Return the game in which every vertex leads to every other; vertex i has priority i."""
    return {v: (v, v % 2, [w for w in range(size) if w != v]) for v in range(size)}


def ladder(rungs):
    """Return a ring of pairs of vertices of priorities 0 and 1, which lead to the next pair."""
    size = 2 * rungs
    return {v: (v % 2, v % 2, [(v + 1) % size, (v + 2) % size]) for v in range(size)}


def jurdzinski(height, width):
    """Return the game on which small progress measures are slow."""

    def priority(vertex):
        side, row, _ = vertex
        return 2 * row + (side == "above" or (side == "right" and not row))

    def owner(vertex):
        side, row, _ = vertex
        return int((side == "right") == (row == 0)) if side != "above" else 0

    numbers = {("left", 0, 0): 0}
    walk = list(numbers)
    game = {}
    for number, vertex in enumerate(walk):
        children = _jurdzinski_successors(*vertex, height, width)
        for child in children:
            if child not in numbers:
                numbers[child] = len(walk)
                walk.append(child)
        game[number] = (priority(vertex), owner(vertex), [numbers[child] for child in children])
    return game


def _jurdzinski_successors(side, row, column, height, width):
    """Return the successors of a vertex, which has a side, a row and a column."""
    if side == "above":
        return [("right", row, column)]
    if side == "right":
        others = [("right", above, column) for above in range(1, height)]
        others = [("right", 0, column)] if row else others
        return [("left", row, column), ("left", row, column + 1), *others]
    before = [("right", row, column - 1)] if column else []
    if column == width:
        return before
    own = [("above", row, column), ("right", row, column)] if row else [("right", 0, column)]
    return before + own


def recursive_ladder(levels):
    """Return the game on which Zielonka's algorithm takes exponential time."""
    game = {}
    for level in range(levels + 1):
        begin, greatest, player = 5 * level - 2, 3 * level + 5, level % 2
        last, before_last = level == levels, level == levels - 1
        rows = []
        if level:
            rows += [(0, 1 - player, 1, [-2, 1]), (1, 1 - player, 0, [0] if last else [0, 2])]
        if not last:
            back, ahead = [] if not level else [-2], [] if before_last else [8]
            rows += [
                (2, greatest, 1, [6, 3]),
                (3, greatest - 1, 0, [*back, *ahead, 4]),
                (4, greatest - 2, 1, [3, 6]),
            ]
        for place, priority, flip, targets in rows:
            game[begin + place] = (priority, (player + flip) % 2, [begin + t for t in targets])
    return game


def two_counters(bits):
    """Return the game in which two counters of ``bits`` bits force each other to count."""
    game, gates, begins, size = {}, ([], []), ([], []), 0
    for bit in range(bits):
        for player in (0, 1):
            begins[player].append(size)
            gates[player].append(size + 2)
            size += 4 + 3 * bit
    low, top = 0, bits * bits + 9 * bits
    for bit in range(bits):
        low += 2 * (bits + 1 - bit)
        for player in (0, 1):
            high, gate = top - player, top - 2 * bits - 1 - player
            begin = begins[player][bit]
            tangle, distracted, first = begin + 1, begin + 3, begin + 4
            lower = gates[1 - player][bit + player :]
            game[begin] = (high, player, [gates[player][bit - 1]])
            game[tangle] = (low + player, 1 - player, [begin, first if bit else distracted])
            game[begin + 2] = (gate, 1 - player, [tangle])
            game[distracted] = (0, player, [tangle, *lower])
            for other in range(bit):
                choice = first + 3 * other
                after = choice + 3 if other + 1 < bit else distracted
                game[choice] = (0, player, [choice + 1, choice + 2])
                game[choice + 1] = (0, 1 - player, [after, gates[player][other]])
                game[choice + 2] = (0, 1 - player, [after, gates[1 - player][other]])
        top -= 2
    return game


def steady(size, degree, priorities, seed):
    """Return a random game in which ``degree`` edges lead from, and to, each vertex."""
    rng = random.Random(seed)
    rows = [[] for _ in range(size)]
    for _ in range(degree):
        for v, target in enumerate(rng.sample(range(size), size)):
            rows[v].append(target)
    return {v: (rng.randrange(priorities), rng.randrange(2), rows[v]) for v in range(size)}
