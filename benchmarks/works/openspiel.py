"""Games of OpenSpiel: found and solved through the adaptor, and by solvers of OpenSpiel."""

from __future__ import annotations

import sys
import types
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.works.common import Answer, Prepared


def installed() -> bool:
    """Return whether OpenSpiel is installed."""
    return find_spec("pyspiel") is not None


def _iteration() -> Any:
    """Return the module of value iteration, without the solver of matrix games that it imports."""
    algorithms: Any = import_module("open_spiel.python.algorithms")

    name = "open_spiel.python.algorithms.lp_solver"
    if find_spec("cvxpy") is None:
        algorithms.lp_solver = sys.modules[name] = types.ModuleType(name)
    return import_module("open_spiel.python.algorithms.value_iteration")


def solve(game: str) -> Prepared:
    """Find all positions of a game and solve it."""
    import zermelo
    from zermelo.adapters import openspiel

    zermelo.solve(openspiel(game))  # compiles the kernels first

    def tell(solution: Any) -> Answer:
        value = solution.value
        return {"states": len(solution), "value": float(value.score or value.outcome)}

    return lambda: zermelo.solve(openspiel(game)), tell


def iterate(game: str) -> Prepared:
    """Run value iteration."""
    pyspiel: Any = import_module("pyspiel")
    iteration = _iteration()

    def tell(values: Any) -> Answer:
        start = str(pyspiel.load_game(game).new_initial_state())
        return {"states": len(values), "value": values[start]}

    return lambda: iteration.value_iteration(pyspiel.load_game(game), -1, 0.01), tell


def minimax(game: str) -> Prepared:
    """Find the values of all states by minimax, a state at a time."""
    solver: Any = import_module("open_spiel.python.algorithms.minimax_solver")
    start = str(import_module("pyspiel").load_game(game).new_initial_state())

    def tell(values: Any) -> Answer:
        return {"value": float(values[start].value), "extra": {"not over": len(values)}}

    return lambda: solver.MinimaxSolver(game).solve(), tell
