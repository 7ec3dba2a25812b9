"""Nim-sequences of heap games."""

from __future__ import annotations

from typing import Any

from benchmarks.works.common import Answer, Prepared


def _told(nimbers: Any) -> Answer:
    total = 0
    for nimber in nimbers:
        total = (total * 31 + nimber) % 1_000_000_007
    return {"heaps": len(nimbers) - 1, "largest": max(nimbers), "sum": total}


def _game(code: str) -> Any:
    from zermelo.heaps import GRUNDYS_GAME, HeapGame, TakeAndBreak

    known = GRUNDYS_GAME if code == "grundy" else TakeAndBreak(code)
    return HeapGame(known.code, code)  # one that knows no nimbers yet


def sequence(code: str, heaps: int, *, by_period: bool = False) -> Prepared:
    """Find nimbers, each by itself or by a proved period."""
    _game(code).nimbers(2_000, by_period=by_period)
    game = _game(code)
    return lambda: game.nimbers(heaps, by_period=by_period), lambda found: _told(found.tolist())


def sequence_by_sets(code: str, heaps: int) -> Prepared:
    """Find nimbers in plain Python."""
    from benchmarks.baselines import nim_sequence

    rules = _game(code).code
    return lambda: nim_sequence.solve(rules.digits, heaps, unequal=rules.unequal), _told
