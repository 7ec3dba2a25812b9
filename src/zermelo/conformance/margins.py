"""The check of margins in a solved score game: none is large enough to have overflowed.

A margin is the points of a move plus or minus the margin of its child. The sum of two numbers
within ``LARGEST_SCORE`` fits in 64 bits. So the first margin beyond it, in the order of computing,
is right, and it is in the table: if the table has none, no sum has wrapped around.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo.conformance.brute_force import Solver
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.errors import RulesError
from zermelo.rules.hooks import SMALLER_POINTS
from zermelo.values.scores import LARGEST_SCORE

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.conformance.hook_calls import CheckedHooks
    from zermelo.conformance.walk import Walk, WalkLimits
    from zermelo.solution.solved_base import Solved


def check_margins(compiled: CompiledRules, table: Table) -> None:
    """Check that no margin of a table is too large.

    Args:
        compiled: the rules, canonicalising if the table does.
        table: positions and their margins.

    Raises:
        RulesError: one is; the message names a position none of whose children has one.
    """
    for places in table.pages():
        margins = table.values(places)
        large = np.flatnonzero((margins > LARGEST_SCORE) | (margins < -LARGEST_SCORE))
        if len(large):
            from zermelo.solution.split import solved_game

            solved = solved_game(compiled, table)
            place = _follow_large_margins(solved, int(places[large[0]]))
            message = (
                f"{compiled.rules.name} has the margin {table.value(place):,} at "
                f"{solved.position(place)!r}; {SMALLER_POINTS}"
            )
            raise RulesError(message)
        table.column.release_pages()


def _follow_large_margins(solved: Solved, place: int) -> int:
    """Follow moves to margins that are too large, as far as possible; return the last place.

    A score game with cycles has margins of another kind, so this ends.
    """
    rules = solved.rules
    while True:
        position = solved.position(place)
        children = (solved.place(rules.play(position, move)) for move in rules.moves(position))
        large = next(
            (child for child in children if abs(solved.table.value(child)) > LARGEST_SCORE), None
        )
        if large is None:
            return place
        place = large


def check_gain(hooks: CheckedHooks, walk: Walk, limits: WalkLimits) -> None:
    """Check that no margin is too large; if points are small, none can be.

    Raises:
        ContractError: one is.
    """
    visits = walk.visits.values()
    points = (max((abs(p.score), *map(abs, p.gains))) for p in visits)
    if not walk.complete or max(points, default=0) * len(visits) <= LARGEST_SCORE:
        return
    solver = Solver(hooks, walk.visits, limits)
    solver.solve(walk.visits)
    for position, margin in (solver.values or {}).items():
        if abs(margin) > LARGEST_SCORE:
            message = f"the margin at {position!r} is {margin:,}; {SMALLER_POINTS}"
            raise ContractError(ProblemKind.POINTS, message, position)
