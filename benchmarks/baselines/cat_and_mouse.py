"""Cat and Mouse as textbooks solve it: a dictionary, a queue and a count of moves not tried yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import product

MOUSE, CAT = 0, 1

#: (mouse, cat, whose turn it is).
Placement = tuple[int, int, int]


def solve(graph: Sequence[Sequence[int]], hole: int = 0) -> dict[Placement, tuple[int, int]]:
    """Return (who wins, plies to the end) of every placement that somebody wins.

    Args:
        graph: the neighbours of each node; an edge is listed at both its ends.
        hole: where the mouse is safe and the cat may not go.
    """
    nodes = range(len(graph))
    steps = [_steps(graph, None), _steps(graph, hole)]
    back = [_reversed(rows) for rows in steps]
    table: dict[Placement, tuple[int, int]] = {}
    untried: dict[Placement, int] = {}
    queue: deque[Placement] = deque()
    for mouse, cat, turn in product(nodes, nodes, (MOUSE, CAT)):
        if cat == hole:
            continue
        if mouse in (hole, cat):
            table[mouse, cat, turn] = MOUSE if mouse == hole else CAT, 0
            queue.append((mouse, cat, turn))
        else:
            untried[mouse, cat, turn] = len(steps[turn][cat if turn == CAT else mouse])

    while queue:
        mouse, cat, turn = queue.popleft()
        winner, plies = table[mouse, cat, turn]
        mover = CAT if turn == MOUSE else MOUSE
        if mover == MOUSE:
            before = [(node, cat, mover) for node in back[MOUSE][mouse]]
        else:
            before = [(mouse, node, mover) for node in back[CAT][cat] if node != hole]
        for placement in before:
            if placement in table:
                continue
            untried[placement] -= 1
            if mover == winner or untried[placement] == 0:
                table[placement] = winner, plies + 1
                queue.append(placement)
    return table


def _steps(graph: Sequence[Sequence[int]], closed: int | None) -> list[list[int]]:
    """Return where a player can go from each node; whoever is stuck stays."""
    rows = [[other for other in row if other != closed] for row in graph]
    return [row or [node] for node, row in enumerate(rows)]


def _reversed(rows: list[list[int]]) -> list[list[int]]:
    """Return where a player can have come from."""
    back: list[list[int]] = [[] for _ in rows]
    for node, row in enumerate(rows):
        for other in row:
            back[other].append(node)
    return back
