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
    begin = list(game.starts()) if hasattr(game, "starts") else [game.start()]
    found = dict.fromkeys(begin)
    waiting = deque(found)
    while waiting and len(found) < most:
        position = waiting.popleft()
        if ending(game, position) is None:
            for move in game.moves(position):
                child = game.play(position, move)
                if child not in found:
                    found[child] = None
                    waiting.append(child)
    return list(found)


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
        done, made = run_expand(compiled, keys, 0, len(positions), buffers)
        if done == len(positions):
            break
        buffers.children = np.empty(4 * len(buffers.children), np.uint64)
        buffers.gains = np.empty(4 * len(buffers.gains), np.int64)
    children = buffers.children[: made * compiled.words].reshape(-1, compiled.words)
    begin = 0
    for number, position in enumerate(positions):
        end = int(buffers.ends[number])
        given = [layout.unpack(words) for words in children[begin:end].tolist()]
        over = ending(game, position)
        moves = [] if over is not None else list(game.moves(position))
        assert given == [game.play(position, move) for move in moves], position
        assert int(buffers.values[number]) == _value(game, position, over, moves), position
        if hasattr(game, "turn"):
            assert int(buffers.owners[number]) == game.turn(position), position
        if compiled.kind.gains:
            gains = [game.gain(position, move) for move in moves] if hasattr(game, "gain") else []
            assert buffers.gains[begin:end].tolist() == (gains or [0] * len(moves)), position
        begin = end
    return positions


def _value(game: Any, position: Any, over: int | None, moves: list[Any]) -> int:
    scored = hasattr(game, "gain") or hasattr(game, "score")
    if over is None and moves:
        return UNKNOWN_SCORE if scored else codes.UNKNOWN
    if scored:
        return int(game.score(position)) if hasattr(game, "score") else 0
    return codes.TERMINAL[int(game.no_moves) if over is None else over]
