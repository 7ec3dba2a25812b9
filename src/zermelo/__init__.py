"""Zermelo solves finite two-player games of perfect information exactly.

Write the rules of a game as one small class; ``solve`` gives the value, the distance to the end
and the best moves of every position, with a certificate that anyone can check::

    import zermelo
    from zermelo.games import TicTacToe

    solution = zermelo.solve(TicTacToe())
    solution.value  # Value(DRAW, remoteness=9)
    solution.verify()  # true: every value follows from its successors'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import zermelo.early_interrupt  # noqa: F401  # first, for the command
from zermelo.errors import (
    BudgetError,
    ClusterError,
    CombinatorialValueError,
    CompileError,
    CorruptTableError,
    MissingExtraError,
    MissingTableError,
    MoveError,
    ParameterError,
    PositionError,
    PrecisionError,
    RulesError,
    RulesWarning,
    StaleTableError,
    TableBusyError,
    TableExistsError,
    TableWriteError,
    UnknownKindError,
    UnprovedError,
    ZermeloError,
)
from zermelo.public_names import importer

if TYPE_CHECKING:
    from zermelo._cluster.diagnostics import ClusterReport, WorkerReport, check_cluster
    from zermelo.agents import Evaluation
    from zermelo.agents.evaluate import evaluate
    from zermelo.analysis import Analysis
    from zermelo.checking import check
    from zermelo.conformance import Report
    from zermelo.fact_checks import CheckedFact, check_facts
    from zermelo.forms.pictures import Picture
    from zermelo.game.chance import Face
    from zermelo.game.contract import Game, bag, put
    from zermelo.game.facts import Fact
    from zermelo.game.placement import MarkingGame, PlacementGame, transversals
    from zermelo.game.pursuit import PursuitRules
    from zermelo.game.spaces import Disjoint, Permutation, Squares, Subsets
    from zermelo.genera import genus
    from zermelo.methods import METHODS
    from zermelo.notebook import board
    from zermelo.play.match import Match, Opponent, Played
    from zermelo.progress import Event, WorkerProgress
    from zermelo.proving.proof import Proof
    from zermelo.proving.prove import prove
    from zermelo.proving.strategies.strategy import Strategy
    from zermelo.pursuits import (
        PursuitPosition,
        capture_time,
        capture_times,
        cop_number,
        cop_numbers,
        pursuit,
    )
    from zermelo.readers import write_readers
    from zermelo.solution.dataset.dataset import Dataset
    from zermelo.solution.explain import Explanation
    from zermelo.solution.solution import Solution
    from zermelo.solution.tree import Tree
    from zermelo.solution.view import View
    from zermelo.solving import solve
    from zermelo.sums import sum_of as sum  # noqa: A004  # read as zermelo.sum
    from zermelo.symmetry import Symmetry
    from zermelo.tables.cache import CachedTable, cached_tables, solve_cached
    from zermelo.tables.open import describe_table
    from zermelo.tables.open import open_file as open  # noqa: A004  # read as zermelo.open
    from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue
    from zermelo.values.combinatorial.orthodox_play import (
        OrthodoxMove,
        hotstrat,
        rank_by_temperature,
        sentestrat,
    )
    from zermelo.values.combinatorial.thermograph import Thermograph
    from zermelo.values.genus import Genus
    from zermelo.values.nimbers import nim_sum
    from zermelo.values.outcome_class import OutcomeClass
    from zermelo.values.outcomes import (
        DRAW,
        LOSS,
        NOBODY,
        WIN,
        ExpectedValue,
        Outcome,
        PartialValue,
        Value,
    )
    from zermelo.values.results import Counts, Line, Option, Options, Probes, Verification

__version__ = "0.1.0"

__all__ = [
    "DRAW",
    "LOSS",
    "METHODS",
    "NOBODY",
    "WIN",
    "Analysis",
    "BudgetError",
    "CachedTable",
    "CheckedFact",
    "ClusterError",
    "ClusterReport",
    "CombinatorialValue",
    "CombinatorialValueError",
    "CompileError",
    "CorruptTableError",
    "Counts",
    "Dataset",
    "Disjoint",
    "Evaluation",
    "Event",
    "ExpectedValue",
    "Explanation",
    "Face",
    "Fact",
    "Game",
    "Genus",
    "Line",
    "MarkingGame",
    "Match",
    "MissingExtraError",
    "MissingTableError",
    "MoveError",
    "Opponent",
    "Option",
    "Options",
    "OrthodoxMove",
    "Outcome",
    "OutcomeClass",
    "ParameterError",
    "PartialValue",
    "Permutation",
    "Picture",
    "PlacementGame",
    "Played",
    "PositionError",
    "PrecisionError",
    "Probes",
    "Proof",
    "PursuitPosition",
    "PursuitRules",
    "Report",
    "RulesError",
    "RulesWarning",
    "Solution",
    "Squares",
    "StaleTableError",
    "Strategy",
    "Subsets",
    "Symmetry",
    "TableBusyError",
    "TableExistsError",
    "TableWriteError",
    "Thermograph",
    "Tree",
    "UnknownKindError",
    "UnprovedError",
    "Value",
    "Verification",
    "View",
    "WorkerProgress",
    "WorkerReport",
    "ZermeloError",
    "bag",
    "board",
    "cached_tables",
    "capture_time",
    "capture_times",
    "check",
    "check_cluster",
    "check_facts",
    "cop_number",
    "cop_numbers",
    "describe_table",
    "evaluate",
    "genus",
    "hotstrat",
    "nim_sum",
    "open",
    "prove",
    "pursuit",
    "put",
    "rank_by_temperature",
    "sentestrat",
    "solve",
    "solve_cached",
    "sum",
    "transversals",
    "write_readers",
]

#: The module from which each public name is imported at its first use. Programs that need few
#: names, such as ``zermelo --help``, then import neither NumPy nor Numba.
_MODULE_OF = {
    "Analysis": "zermelo.analysis",
    "CachedTable": "zermelo.tables.cache",
    "CheckedFact": "zermelo.fact_checks",
    "ClusterReport": "zermelo._cluster.diagnostics",
    "CombinatorialValue": "zermelo.values.combinatorial.combinatorial_value",
    "Counts": "zermelo.values.results",
    "DRAW": "zermelo.values.outcomes",
    "Dataset": "zermelo.solution.dataset.dataset",
    "Disjoint": "zermelo.game.spaces",
    "Evaluation": "zermelo.agents",
    "Event": "zermelo.progress",
    "Explanation": "zermelo.solution.explain",
    "Fact": "zermelo.game.facts",
    "Game": "zermelo.game.contract",
    "Genus": "zermelo.values.genus",
    "LOSS": "zermelo.values.outcomes",
    "Line": "zermelo.values.results",
    "METHODS": "zermelo.methods",
    "MarkingGame": "zermelo.game.placement",
    "Match": "zermelo.play.match",
    "NOBODY": "zermelo.values.outcomes",
    "Opponent": "zermelo.play.match",
    "Option": "zermelo.values.results",
    "Options": "zermelo.values.results",
    "Outcome": "zermelo.values.outcomes",
    "OutcomeClass": "zermelo.values.outcome_class",
    "OrthodoxMove": "zermelo.values.combinatorial.orthodox_play",
    "ExpectedValue": "zermelo.values.outcomes",
    "Face": "zermelo.game.chance",
    "PartialValue": "zermelo.values.outcomes",
    "Permutation": "zermelo.game.spaces",
    "Picture": "zermelo.forms.pictures",
    "PlacementGame": "zermelo.game.placement",
    "Played": "zermelo.play.match",
    "Probes": "zermelo.values.results",
    "Proof": "zermelo.proving.proof",
    "PursuitPosition": "zermelo.pursuits",
    "PursuitRules": "zermelo.game.pursuit",
    "Report": "zermelo.conformance",
    "Solution": "zermelo.solution.solution",
    "Squares": "zermelo.game.spaces",
    "Strategy": "zermelo.proving.strategies.strategy",
    "Subsets": "zermelo.game.spaces",
    "Symmetry": "zermelo.symmetry",
    "Thermograph": "zermelo.values.combinatorial.thermograph",
    "Tree": "zermelo.solution.tree",
    "Value": "zermelo.values.outcomes",
    "Verification": "zermelo.values.results",
    "View": "zermelo.solution.view",
    "WIN": "zermelo.values.outcomes",
    "WorkerProgress": "zermelo.progress",
    "WorkerReport": "zermelo._cluster.diagnostics",
    "bag": "zermelo.game.contract",
    "board": "zermelo.notebook",
    "cached_tables": "zermelo.tables.cache",
    "capture_time": "zermelo.pursuits",
    "capture_times": "zermelo.pursuits",
    "check": "zermelo.checking",
    "check_cluster": "zermelo._cluster.diagnostics",
    "check_facts": "zermelo.fact_checks",
    "cop_number": "zermelo.pursuits",
    "cop_numbers": "zermelo.pursuits",
    "describe_table": "zermelo.tables.open",
    "evaluate": "zermelo.agents.evaluate",
    "genus": "zermelo.genera",
    "hotstrat": "zermelo.values.combinatorial.orthodox_play",
    "nim_sum": "zermelo.values.nimbers",
    "open": "zermelo.tables.open",
    "prove": "zermelo.proving.prove",
    "pursuit": "zermelo.pursuits",
    "put": "zermelo.game.contract",
    "rank_by_temperature": "zermelo.values.combinatorial.orthodox_play",
    "sentestrat": "zermelo.values.combinatorial.orthodox_play",
    "solve": "zermelo.solving",
    "solve_cached": "zermelo.tables.cache",
    "sum": "zermelo.sums",
    "transversals": "zermelo.game.placement",
    "write_readers": "zermelo.readers",
}

#: Names that differ in their module, as they would hide a builtin function there.
_NAME_IN_MODULE = {"open": "open_file", "sum": "sum_of"}

#: Modules that are public, each imported when first used.
_MODULES = (
    "adapters",
    "agents",
    "analysis",
    "drawing",
    "games",
    "graph",
    "heaps",
    "limits",
    "pursuits",
    "web",
)


def __dir__() -> list[str]:
    """Return the public names only."""
    return sorted([*__all__, *_MODULES, "__version__"])


_import_name = importer(__name__, _MODULE_OF, _NAME_IN_MODULE)


def __getattr__(name: str) -> Any:
    """Import a public name or module when it is first used."""
    return import_module(f"zermelo.{name}") if name in _MODULES else _import_name(name)
