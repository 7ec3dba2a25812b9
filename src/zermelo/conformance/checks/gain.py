"""``gain`` and ``score``: margins that are small enough, where all positions were visited."""

from __future__ import annotations

from zermelo.conformance.asked import Asked
from zermelo.conformance.report import Fault, ProblemKind
from zermelo.conformance.values import Solver
from zermelo.conformance.walk import Walk, WalkLimits
from zermelo.rules.hooks import SMALLER_POINTS
from zermelo.values.scores import LARGEST_SCORE


def check_gain(asked: Asked, walk: Walk, limits: WalkLimits) -> None:
    """Check that no margin is too large; where points are small, none can be.

    Raises:
        Fault: one is.
    """
    places = walk.places.values()
    points = (max((abs(p.score), *map(abs, p.gains))) for p in places)
    if not walk.complete or max(points, default=0) * len(places) <= LARGEST_SCORE:
        return
    solver = Solver(asked, walk.places, limits)
    solver.solve(walk.places)
    for position, margin in (solver.values or {}).items():
        if abs(margin) > LARGEST_SCORE:
            message = f"the margin at {position!r} is {margin:,}; {SMALLER_POINTS}"
            raise Fault(ProblemKind.POINTS, message, position)
