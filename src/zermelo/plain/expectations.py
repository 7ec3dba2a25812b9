"""The expectations of a small game with chance, by the same passes as compiled, over lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._engine.core.kernel import python_function
from zermelo._methods.chance.kernels import (
    BY_CHANCE,
    OVER,
    PLAYED,
    decide_acyclic,
    decide_components,
    number_ranks,
    number_stages,
)
from zermelo._methods.chance.method import cycle_fault
from zermelo._methods.chance.solver import ChanceGraph, CyclePointsError, Kernels, find_bounds
from zermelo.errors import PrecisionError, RulesError
from zermelo.plain.play_graph import Continues, UnsuitedError
from zermelo.plain.solver import PlainValues

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
    order, starts = _order(graph, kind)

    def pause(done: int) -> None:
        if not continues(done, len(graph.positions)):
            reason = "its expectations take many passes"
            raise UnsuitedError(reason)

    kernels = Kernels(
        python_function(decide_acyclic),
        python_function(decide_components),
        python_function(number_ranks),
        python_function(number_stages),
        lambda value, count: [value] * count,
        lambda numbers, exponent: [number << exponent for number in numbers],
        lambda numbers: [signed for number in numbers for signed in (number, -number)],
        lambda numbers, others: [n + other for n, other in zip(numbers, others, strict=True)],
        _extremes,
        pause,
        quota=_QUOTA,
    )
    try:
        bounds = find_bounds(_chance_graph(graph, order, starts), kind, precision, kernels)
    except CyclePointsError as error:
        position = graph.positions[order[error.number]]
        raise RulesError(cycle_fault(graph.rules, position)) from None
    except PrecisionError as error:
        message = f"{graph.rules.name}: {error}"
        raise PrecisionError(message) from None
    codes, ranks = [0] * len(order), None if bounds.ranks is None else [0] * len(order)
    for place, number in enumerate(order):
        lower, upper = bounds.bounds[2 * place], -bounds.bounds[2 * place + 1]
        codes[number] = bounds.kind.code_of(lower, upper)
        if ranks is not None:
            ranks[number] = bounds.ranks[place]
    return PlainValues(bounds.kind, codes, ranks)


#: Positions after whose passes the time is looked at.
_QUOTA = 1 << 10


def _order(graph: PlayGraph, kind: Expectations) -> tuple[list[int], list[int] | None]:
    """Return the numbers of positions by component, successors first, and the starts of components.

    In each component the last position comes first. If the graph leads forward, the last position
    comes first, and there are no starts.
    """
    if graph.leads_forward and not kind.adds_points:
        return list(range(len(graph.positions)))[::-1], None
    order: list[int] = []
    starts = [0]
    for component in graph.strong_components():
        order += sorted(component, reverse=True)
        starts.append(len(order))
    return order, starts


def _chance_graph(graph: PlayGraph, order: list[int], starts: list[int] | None) -> ChanceGraph:
    """Return the graph in the form of the solver, as lists."""
    places = [0] * len(order)
    for place, number in enumerate(order):
        places[number] = place
    first, codes, labels, kinds = [0], [], [], []
    for number in order:
        by_chance = graph.by_chance[number]
        for step in graph.moves[number]:
            codes.append(2 * places[step.successor] + (not step.same_mover))
            labels.append(step.gain)
        first.append(len(codes))
        kinds.append(OVER if graph.ends[number] is not None else BY_CHANCE if by_chance else PLAYED)
    rules = graph.rules
    ends = map(graph.ends.__getitem__, order)
    finals = [0 if end is None else end.score if rules.is_scored else end.outcome for end in ends]
    worth = rules.worth_of_endless
    owners = [graph.owners[number] for number in order] if worth and not rules.alternate else []
    moves = (first, codes, labels, kinds)
    return ChanceGraph(moves, starts, finals, owners, worth, rules.kind.adds_points)


def _extremes(pairs: list[int]) -> tuple[int, int]:
    """Return the greatest absolute number, and the greatest sum of a pair, negated."""
    sums = (-a - b for a, b in zip(pairs[::2], pairs[1::2], strict=False))
    return max(map(abs, pairs), default=0), max(sums, default=0)
