"""Compiled rules against the same rules in Python, position by position.

The Python side is a breadth-first walk that calls the author's methods and nothing of Zermelo's.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from support.compiled_rules import CompiledGame
from zermelo.values import win_draw_loss as codes
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
    compiled = CompiledGame(game)
    positions = reachable(game)
    assert len(positions) >= least, len(positions)
    for position, found in zip(positions, compiled.expand(positions), strict=True):
        outcome = ending(game, position)
        moves = [] if outcome is not None else list(game.moves(position))
        assert found.children == [game.play(position, move) for move in moves], position
        assert found.value == _value(game, position, outcome, moves), position
        if hasattr(game, "turn"):
            assert found.owner == game.turn(position), position
        if compiled.kind.gains:
            gains = [game.gain(position, move) for move in moves] if hasattr(game, "gain") else []
            assert found.gains == (gains or [0] * len(moves)), position
    return positions


def _value(game: Any, position: Any, outcome: int | None, moves: list[Any]) -> int:
    has_points = hasattr(game, "gain") or hasattr(game, "score")
    if outcome is None and moves:
        return UNKNOWN_SCORE if has_points else codes.UNKNOWN
    if has_points:
        return int(game.score(position)) if hasattr(game, "score") else 0
    return codes.TERMINAL[int(game.no_moves) if outcome is None else outcome]
