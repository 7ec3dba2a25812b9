"""Compiled rules against the same rules in Python, position by position.

The Python side is a breadth-first walk that calls the author's methods and nothing of Zermelo's.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from zermelo._compile.rules import compile_rules
from zermelo._engine.column import codes
from zermelo._engine.expand.expander import Buffers, run_expand
from zermelo.values.scores import UNKNOWN_SCORE


def reachable(game: Any, most: int = 2000) -> list[Any]:
    """Return up to ``most`` positions in the order in which a walk from the start meets them."""
    starts = list(game.starts()) if hasattr(game, "starts") else [game.start()]
    positions = dict.fromkeys(starts)
    queue = deque(positions)
    while queue and len(positions) < most:
        position = queue.popleft()
        if ending(game, position) is None:
            for move in game.moves(position):
                child = game.play(position, move)
                if child not in positions:
                    positions[child] = None
                    queue.append(child)
    return list(positions)


def ending(game: Any, position: Any) -> int | None:
    """Return the outcome that the rules give a position, or None."""
    if hasattr(game, "outcome"):
        outcome = game.outcome(position)
        return None if outcome is None else int(outcome)
    if hasattr(game, "winner"):
        winner = game.winner(position)
        if winner is None:
            return None
        return 0 if winner == -1 else 1 if winner == game.turn(position) else -1
    return None


def check(game: Any, least: int = 10) -> list[Any]:
    """Compare both forms on every reachable position, and return the positions.

    Args:
        game: the game.
        least: how many positions there must be for the comparison to mean something.
    """
    compiled = compile_rules(game)
    layout = compiled.rules.layout
    positions = reachable(game)
    assert len(positions) >= least, len(positions)
    keys = np.array([layout.pack(p) for p in positions], np.uint64).reshape(-1)
    buffers = Buffers.for_rules(compiled, len(positions), 1)
    while True:
        expanded_count, child_count = run_expand(compiled, keys, 0, len(positions), buffers)
        if expanded_count == len(positions):
            break
        buffers.children = np.empty(4 * len(buffers.children), np.uint64)
        buffers.gains = np.empty(4 * len(buffers.gains), np.int64)
    children = buffers.children[: child_count * compiled.words].reshape(-1, compiled.words)
    begin = 0
    for number, position in enumerate(positions):
        end = int(buffers.ends[number])
        compiled_children = [layout.unpack(words) for words in children[begin:end].tolist()]
        outcome = ending(game, position)
        moves = [] if outcome is not None else list(game.moves(position))
        assert compiled_children == [game.play(position, move) for move in moves], position
        assert int(buffers.values[number]) == _value(game, position, outcome, moves), position
        if hasattr(game, "turn"):
            assert int(buffers.owners[number]) == game.turn(position), position
        if compiled.kind.gains:
            gains = [game.gain(position, move) for move in moves] if hasattr(game, "gain") else []
            assert buffers.gains[begin:end].tolist() == (gains or [0] * len(moves)), position
        begin = end
    return positions


def _value(game: Any, position: Any, outcome: int | None, moves: list[Any]) -> int:
    has_points = hasattr(game, "gain") or hasattr(game, "score")
    if outcome is None and moves:
        return UNKNOWN_SCORE if has_points else codes.UNKNOWN
    if has_points:
        return int(game.score(position)) if hasattr(game, "score") else 0
    return codes.TERMINAL[int(game.no_moves) if outcome is None else outcome]
