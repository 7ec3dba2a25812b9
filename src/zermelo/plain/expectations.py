"""The expectations of a small game with chance, by the same passes as compiled, over lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo._engine.core.kernel import python_function
from zermelo._methods.chance.kernels import (
    BY_CHANCE,
    OVER,
    PLAYED,
    decide_components,
    number_ranks,
    number_stages,
)
from zermelo._methods.chance.method import cycle_fault
from zermelo._methods.chance.solver import ChanceGraph, CyclePointsError, Kernels, find_bounds
from zermelo.errors import PrecisionError, RulesError
from zermelo.plain.play_graph import Continues, UnsuitedError
from zermelo.plain.solver import PlainValues
from zermelo.values.expectations import turn_flags

if TYPE_CHECKING:
    from zermelo.plain.play_graph import PlayGraph
    from zermelo.values.expectations import Expectations


def expected_values(
    graph: PlayGraph, kind: Expectations, precision: float | None, continues: Continues
) -> PlainValues:
    """Return the expectations of all positions of a graph.

    Args:
        graph: the positions.
        kind: the kind of the rules' values.
        precision: the greatest distance of bounds; see ``find_bounds``.
        continues: see ``Continues``.

    Raises:
        PrecisionError: the bounds cannot be found as precisely as was asked.
        RulesError: moves that make points lead in cycles.
        UnsuitedError: it takes too long.
    """
    components = _components(graph)

    def pause(done: int) -> None:
        if not continues(done, len(graph.positions)):
            reason = "its expectations take many passes"
            raise UnsuitedError(reason)

    kernels = Kernels(
        python_function(decide_components),
        python_function(number_ranks),
        python_function(number_stages),
        lambda value, count: [value] * count,
        lambda numbers, exponent: [number << exponent for number in numbers],
        lambda numbers, others: [n + other for n, other in zip(numbers, others, strict=True)],
        _extremes,
        pause,
        quota=_QUOTA,
    )
    try:
        bounds = find_bounds(_chance_graph(graph, components), kind, precision, kernels)
    except CyclePointsError as error:
        raise RulesError(cycle_fault(graph.rules, graph.positions[error.number])) from None
    except PrecisionError as error:
        message = f"{graph.rules.name}: {error}"
        raise PrecisionError(message) from None
    codes = [bounds.kind.code_of(*pair) for pair in zip(bounds.low, bounds.high, strict=True)]
    return PlainValues(bounds.kind, codes, bounds.ranks)


#: Positions after whose passes the time is looked at.
_QUOTA = 1 << 10


def _components(graph: PlayGraph) -> list[list[int]]:
    """Return the strongly connected components, successors first, in each the last one first."""
    if graph.leads_forward:
        return [[number] for number in reversed(range(len(graph.positions)))]
    return [sorted(component, reverse=True) for component in graph.strong_components()]


def _chance_graph(graph: PlayGraph, components: list[list[int]]) -> ChanceGraph:
    """Return the graph in the form of the solver, as lists."""
    count = len(graph.positions)
    first, edges, labels = [0], [], []
    for moves, by_chance in zip(graph.moves, graph.by_chance, strict=True):
        edges += [step.successor for step in moves]
        flags = [
            0 if graph.stores_turns else turn_flags(by_chance=by_chance, keeps_turn=step.same_mover)
            for step in moves
        ]
        labels += [
            step.gain | flag if flag else step.gain for step, flag in zip(moves, flags, strict=True)
        ]
        first.append(len(edges))
    kinds = [
        OVER if end is not None else BY_CHANCE if by_chance else PLAYED
        for end, by_chance in zip(graph.ends, graph.by_chance, strict=True)
    ]
    component, starts, order = [0] * count, [0], []
    for number, members in enumerate(components):
        order += members
        starts.append(len(order))
        for member in members:
            component[member] = number
    is_scored = graph.rules.is_scored
    finals = [0 if end is None else end.score if is_scored else end.outcome for end in graph.ends]
    owners = graph.owners if graph.stores_turns else []
    return ChanceGraph(
        (first, edges, labels, owners, kinds),
        starts,
        order,
        component,
        finals,
        graph.rules.worth_of_endless,
        graph.rules.kind.adds_points,
        forward=graph.leads_forward,
    )


def _extremes(low: Any, high: Any) -> tuple[int, int]:
    """Return the greatest absolute bound, and the greatest distance of bounds."""
    pairs = list(zip(low, high, strict=True))
    most = max((max(abs(lower), abs(upper)) for lower, upper in pairs), default=0)
    return most, max((upper - lower for lower, upper in pairs), default=0)
