"""The bounds of all expectations of a game with chance, from the graph of its positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import floor, log2, log10
from typing import Any

from zermelo._methods.chance.kernels import MOST_PASSES
from zermelo.errors import PrecisionError
from zermelo.values.expectations import (
    LEAST_EXPONENT,
    MOST_UNITS,
    MOST_WIDTH,
    RANK_BITS,
    STAGE_BITS,
    Expectations,
)

#: The greatest width of bounds if none is asked for: of a probability, or as a share of the
#: greatest margin.
PRECISION = 1e-9
#: Bits of the width of bounds that rounding may take: about as many units as plies that a game
#: lasts. And the bits of a unit that are added if that is not enough.
_ROUNDING_BITS, _MORE_BITS = 16, 4


@dataclass(frozen=True)
class ChanceGraph:
    """The graph of a game with chance, as arrays or lists.

    Its positions are numbered by strongly connected component, successors first.

    Attributes:
        moves: ``first``, ``codes``, ``labels`` and ``kinds`` of positions; see ``kernels``.
        starts: the first position of each component, and the end; None if the positions were
            numbered so that every move leads to an earlier one, and need no ranks.
        finals: the final result or score of ended games; 0 elsewhere.
        owners: the player for whom the value of each position is; empty if endless play is worth 0.
        worth: what endless play is worth to the first player, in points.
        adds_points: whether moves make points.
        outside: the bounds of the first positions, if these are known and not in ``starts``.
        outside_ranks: their ranks.
    """

    moves: tuple[Any, ...]
    starts: Any
    finals: Any
    owners: Any
    worth: int
    adds_points: bool
    outside: Any = ()
    outside_ranks: Any = ()

    @property
    def positions(self) -> int:
        """The number of positions."""
        return len(self.finals)


@dataclass(frozen=True)
class Kernels:
    """The kernels and arrays of a solve: compiled on arrays, or Python on lists.

    Attributes:
        sweep: ``kernels.decide_acyclic``.
        decide: ``kernels.decide_components``.
        rank: ``kernels.number_ranks``.
        stage: ``kernels.number_stages``.
        array: returns an array of a number of equal integers; takes the integer and the number.
        scaled: returns an array of integers, each multiplied by a power of two; takes the array and
            the exponent.
        paired: returns an array of each integer and its negative in turn.
        joined: returns the sums of the integers of two arrays.
        extremes: returns the greatest absolute number of pairs, and the greatest sum of a pair,
            negated.
        pause: is called between parts of the work, with the number of positions decided.
        quota: the number of positions after whose passes a kernel pauses.
    """

    sweep: Callable[..., None]
    decide: Callable[..., bool]
    rank: Callable[..., bool]
    stage: Callable[..., int]
    array: Callable[[int, int], Any]
    scaled: Callable[[Any, int], Any]
    paired: Callable[[Any], Any]
    joined: Callable[[Any, Any], Any]
    extremes: Callable[[Any], tuple[int, int]]
    pause: Callable[[int], None]
    quota: int = 1 << 22


@dataclass(frozen=True)
class ChanceBounds:
    """The bounds of all positions.

    Attributes:
        kind: the kind of the values, with its unit.
        bounds: the lower and the negated upper bound of each position, in units.
        ranks: numbers for the certificate; None if the graph leads forward.
    """

    kind: Expectations
    bounds: Any
    ranks: Any


class Units:
    """The choice of a unit for bounds.

    Attributes:
        precision: the greatest distance of bounds: of the probability of a win, or as a share of
            the greatest margin.
    """

    def __init__(self, kind: Expectations, greatest: int, precision: float | None) -> None:
        """Choose by the greatest expectation.

        Args:
            kind: the kind of the rules' values.
            greatest: a whole number that no expectation exceeds, in either direction.
            precision: see the attribute; None for the default.

        Raises:
            PrecisionError: an expectation may be too great.
        """
        if greatest > MOST_UNITS:
            message = f"expected margins are beyond ±{MOST_UNITS:,} points; give smaller points"
            raise PrecisionError(message)
        self.precision = PRECISION if precision is None else precision
        self._finest = LEAST_EXPONENT + (max(greatest, 1) - 1).bit_length()
        self._most_width = self.precision * max(greatest, 1) * (1 if kind.is_scored else 2)

    def exponents(self) -> Iterator[int]:
        """Yield the exponents of units to try, the greatest first."""
        exponent = min(0, max(self._finest, floor(log2(self._most_width)) - _ROUNDING_BITS))
        while exponent > self._finest:
            yield exponent
            exponent = max(self._finest, exponent - _MORE_BITS)
        yield exponent

    def suits(self, width: int, exponent: int) -> bool:
        """Return whether bounds are near enough to each other.

        Args:
            width: the greatest distance of bounds, in units.
            exponent: the exponent of the unit.
        """
        return width <= MOST_WIDTH and width * 2.0**exponent <= self._most_width

    def refusal(self, width: int) -> PrecisionError:
        """Return the error that says that bounds of the finest unit are too far apart."""
        possible = width * 2.0**self._finest / self._most_width * self.precision
        message = f"play lasts so long that rounding adds up to {possible:.1g}, "
        if width > MOST_WIDTH:
            message += f"{width:,} units, and a table has room for {MOST_WIDTH:,}"
        else:
            message += f"more than precision={self.precision:g} allows; give precision="
            message += _rounded_up(possible)
        return PrecisionError(message)


def find_bounds(
    graph: ChanceGraph, kind: Expectations, precision: float | None, kernels: Kernels
) -> ChanceBounds:
    """Find the bounds of all positions.

    Args:
        graph: the positions.
        kind: the kind of the rules' values.
        precision: see ``Units``.
        kernels: the kernels to use.

    Raises:
        CyclePointsError: a move in a cycle makes points.
        PrecisionError: the bounds are farther apart, as rounding adds up.
    """
    stages = _stages(graph, kind, kernels)
    greatest = max(kernels.extremes(kernels.paired(graph.finals))[0], abs(graph.worth), 1)
    if kind.adds_points:
        greatest = kernels.extremes(decided(graph, 0, kernels))[0]
    units, width = Units(kind, greatest, precision), 0
    for exponent in units.exponents():
        bounds = decided(graph, exponent, kernels)
        width = kernels.extremes(bounds)[1]
        if units.suits(width, exponent):
            ranks = ranks_of(graph, exponent, bounds, stages, kernels)
            return ChanceBounds(kind.with_unit(exponent), bounds, ranks)
    raise units.refusal(width)


def _rounded_up(precision: float) -> str:
    """Return a precision with one digit that is not less than the given one."""
    text = f"{precision:.1g}"
    if float(text) < precision:
        text = f"{precision + 0.5 * 10.0 ** floor(log10(precision)):.1g}"
    return text


def _stages(graph: ChanceGraph, kind: Expectations, kernels: Kernels) -> Any:
    """Return the stages of all positions; an empty array if moves make no points.

    Raises:
        CyclePointsError: points are made within a cycle.
        PrecisionError: a game may have more moves with points than stages have numbers.
    """
    stages = kernels.array(0, graph.positions if kind.adds_points else 0)
    if not kind.adds_points:
        return stages
    number = kernels.stage(graph.starts, graph.moves, stages)
    if number >= 0:
        raise CyclePointsError(number)
    if kernels.extremes(stages)[0] >= 1 << STAGE_BITS:
        message = f"a game may have more than {1 << STAGE_BITS:,} moves that make points"
        raise PrecisionError(message)
    return stages


def decided(graph: ChanceGraph, exponent: int, kernels: Kernels) -> Any:
    """Return the bounds in units of ``2 ** exponent``.

    Raises:
        PrecisionError: they do not meet in very many passes.
    """
    bounds = kernels.paired(kernels.scaled(graph.finals, -exponent))
    bounds[: len(graph.outside)] = graph.outside
    points = 1 << -exponent if graph.adds_points else 0
    if graph.starts is None:
        kernels.sweep(graph.moves, points, bounds)
        return bounds
    marks, state = kernels.array(0, graph.positions), kernels.array(0, 4)
    raised = kernels.array(0, 2 * graph.positions)
    arguments = (graph.starts, graph.moves, graph.owners, graph.worth << -exponent, points, bounds)
    while not kernels.decide(state, kernels.quota, *arguments, marks, raised):
        kernels.pause(int(graph.starts[int(state[0])]))
    if state[1] >= MOST_PASSES:
        message = (
            f"play lasts so long that its bounds do not meet in {MOST_PASSES:,} passes, and a "
            f"table has no room for bounds of games of many more than {MOST_WIDTH:,} rolls"
        )
        raise PrecisionError(message)
    return bounds


def ranks_of(graph: ChanceGraph, exponent: int, bounds: Any, stages: Any, kernels: Kernels) -> Any:
    """Return numbers for the certificate: ranks, with the stages before them if there are any.

    They are None if the graph leads forward.

    Raises:
        PrecisionError: ranks are too great for numbers with stages.
    """
    if graph.starts is None:
        return None
    ranks, state = kernels.array(0, graph.positions), kernels.array(0, 2)
    ranks[: len(graph.outside_ranks)] = graph.outside_ranks
    points = 1 << -exponent if graph.adds_points else 0
    arguments = (graph.starts, graph.moves, graph.owners, graph.worth << -exponent, points, bounds)
    while not kernels.rank(state, kernels.quota, *arguments, stages, ranks):
        kernels.pause(int(graph.starts[int(state[0])]))
    if not len(stages):
        return ranks
    if kernels.extremes(ranks)[0] >= 1 << RANK_BITS:
        message = "moves make points, and others lead in cycles that are too long for a certificate"
        raise PrecisionError(message)
    return kernels.joined(kernels.scaled(stages, RANK_BITS), ranks)


class CyclePointsError(Exception):
    """A move in a cycle makes points.

    Attributes:
        number: the position.
    """

    def __init__(self, number: int) -> None:
        """Store the position's number."""
        super().__init__(number)
        self.number = number
