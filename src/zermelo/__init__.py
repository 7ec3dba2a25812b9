"""Zermelo solves finite two-player games of perfect information exactly.

Write the rules of a game as one small class; ``solve`` gives the value, the distance to the end
and the best moves of every position, with a certificate that anyone can check::

    import zermelo
    from zermelo.games import TicTacToe

    solution = zermelo.solve(TicTacToe())
    solution.value  # Value(outcome=<Outcome.DRAW: 0>, remoteness=9, ...)
    solution.verify()  # true: every value follows from its successors'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.check import Report, check
from zermelo.errors import (
    BudgetError,
    CompileError,
    CorruptTableError,
    MissingExtraError,
    MissingTableError,
    MoveError,
    ParameterError,
    PositionError,
    RulesError,
    StaleTableError,
    TableBusyError,
    TableExistsError,
    TableWriteError,
    ZermeloError,
)
from zermelo.game import Game, put
from zermelo.keeping import KeptTable, kept_tables, recall
from zermelo.placement import MarkingGame, PlacementGame
from zermelo.progress import Event
from zermelo.pursuit import capture_time, cop_number, pursuit
from zermelo.pursuit_rules import PursuitRules
from zermelo.solve import solve
from zermelo.spaces import Disjoint, Permutation, Squares, Subsets
from zermelo.symmetry import Symmetry
from zermelo.tables import describe_table
from zermelo.tables import open_table as open  # noqa: A004  # read as zermelo.open
from zermelo.values import DRAW, LOSS, NOBODY, WIN, Outcome, Value

if TYPE_CHECKING:
    from zermelo.analysis import Analysis
    from zermelo.answers import Counts, Line, Option, Probes, Verification
    from zermelo.chase import Chase, open_chase
    from zermelo.explain import Explanation
    from zermelo.match import Match, Opponent, Played
    from zermelo.solution import Solution
    from zermelo.view import View

__version__ = "0.1.0"

__all__ = [
    "DRAW",
    "LOSS",
    "NOBODY",
    "WIN",
    "Analysis",
    "BudgetError",
    "Chase",
    "CompileError",
    "CorruptTableError",
    "Counts",
    "Disjoint",
    "Event",
    "Explanation",
    "Game",
    "KeptTable",
    "Line",
    "MarkingGame",
    "Match",
    "MissingExtraError",
    "MissingTableError",
    "MoveError",
    "Opponent",
    "Option",
    "Outcome",
    "ParameterError",
    "Permutation",
    "PlacementGame",
    "Played",
    "PositionError",
    "Probes",
    "PursuitRules",
    "Report",
    "RulesError",
    "Solution",
    "Squares",
    "StaleTableError",
    "Subsets",
    "Symmetry",
    "TableBusyError",
    "TableExistsError",
    "TableWriteError",
    "Value",
    "Verification",
    "View",
    "ZermeloError",
    "capture_time",
    "check",
    "cop_number",
    "describe_table",
    "kept_tables",
    "open",
    "open_chase",
    "pursuit",
    "put",
    "recall",
    "solve",
]

#: Names that are imported when first used, because they bring NumPy arrays or Numba with them.
_LATER = {
    "Analysis": "zermelo.analysis",
    "Chase": "zermelo.chase",
    "open_chase": "zermelo.chase",
    "Explanation": "zermelo.explain",
    "Counts": "zermelo.answers",
    "Line": "zermelo.answers",
    "Match": "zermelo.match",
    "Opponent": "zermelo.match",
    "Option": "zermelo.answers",
    "Played": "zermelo.match",
    "Probes": "zermelo.answers",
    "Verification": "zermelo.answers",
    "Solution": "zermelo.solution",
    "View": "zermelo.view",
}


def __getattr__(name: str) -> Any:
    """Import a name of the façade that is not needed by everybody."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    if name == "graph":
        return import_module("zermelo.graph")
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
