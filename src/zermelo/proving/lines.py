"""Lines of best play, of which the search says the moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import MoveError, UnprovedError
from zermelo.proving.strategies.strategy import folded
from zermelo.values.answers import Line

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo.proving.inquiry import Inquiry
    from zermelo.proving.strategies.replies import Keys

#: Moves after which a line is cut.
_LONGEST = 10_000


def move_to(compiled: CompiledRules, position: Any, child: Keys) -> Any:
    """Return the move of a position that leads to a packed one.

    Raises:
        MoveError: none does.
    """
    rules = compiled.rules
    for move in rules.moves(position):
        if np.array_equal(folded(compiled, rules.play(position, move)), child):
            return move
    message = f"no move leads from {position!r} to where the search went; run zermelo check"
    raise MoveError(message)


def best_line(inquiry: Inquiry, value: int, *, far: bool) -> Line:
    """Return a line in which each move keeps the value.

    Args:
        inquiry: what searches, and from where.
        value: what its position is worth.
        far: whether that tells how far away wins and losses are.

    Raises:
        UnprovedError: the search is wrong.
    """
    compiled = inquiry.compiled
    rules, kind = compiled.rules, compiled.kind
    here, worth = inquiry.position, value
    line, seen = Line(here, [], [], "terminal"), {inquiry.position}
    while moves := rules.moves(here):
        if len(line.moves) >= _LONGEST:
            line.ends = "cut"
            break
        owner, move = rules.owner(here), moves[0]
        if far or inquiry.scored or worth >= 0:  # of a loss, any move keeps as much
            child = inquiry.kept(folded(compiled, here), owner, worth, far=far)
            if child is None:
                message = f"the search is wrong about {here!r}; run zermelo check"
                raise UnprovedError(message)
            move = move_to(compiled, here, child)
        worth -= rules.gain(here, move) if kind.gains else 0
        here = rules.play(here, move)
        same = not rules.alternate and rules.owner(here) == owner
        if far:
            worth += (worth > 0) - (worth < 0)
        worth = worth if same else -worth
        line.moves.append(move)
        line.positions.append(here)
        if here in seen:
            if not far and worth and inquiry.expect_circles():
                return best_line(inquiry, value, far=far)  # a win does not go round
            line.ends = "repeats"
            break
        seen.add(here)
    return line
