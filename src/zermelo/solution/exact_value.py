"""The exact expectation of a position of a game with chance, as a fraction.

The bounds of the solution say which moves may be best, so that no others are followed. The game
without the others has the same values. They are found from the ends of the game on, a strongly
connected component at a time. ``docs/explanation/chance.md`` says why they are right.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo._engine.core.kernel import interpreting
from zermelo._engine.infinite.components import components
from zermelo._methods.chance.linear_equations import MOST_UNKNOWNS
from zermelo._methods.chance.strategy_iteration import (
    OUTSIDE,
    ChanceComponent,
    CountError,
    DigitsError,
    Edge,
    component_values,
)
from zermelo.errors import CorruptTableError, ParameterError
from zermelo.values.outcomes import ExpectedValue

if TYPE_CHECKING:
    from zermelo.rules.view import Answering
    from zermelo.values.results import Option

#: The most positions that are followed. Up to some, compiling would take longer than their order.
_MOST_POSITIONS, _FEW_POSITIONS = 200_000, 10_000
#: The most bits of a fraction: Python writes numbers of up to 4,300 digits, which are a few more.
_MOST_BITS = 14_000


class _Step(NamedTuple):
    """A move that may be best, or a result of chance.

    Attributes:
        child: the number of the position after it.
        sign: 1 if the value there is for the same player, -1 for the other.
        points: the points that it makes.
        weight: the weight of a result of chance; 1 for a move.
    """

    child: int
    sign: int
    points: int
    weight: int


class _BestPlay:
    """The positions that play can come to by moves that may be best.

    Attributes:
        positions: the positions; of equivalent ones the canonical one.
        steps: the moves or the results of chance at each position; empty at the end of the game.
        by_chance: whether chance decides there.
        bounds: the bounds of its value.
    """

    def __init__(self, solution: Answering, position: Any, canonical: Callable[[Any], Any]) -> None:
        """Follow the moves from a position; see ``exact_value``."""
        self.solution = solution
        self.positions = [canonical(position)]
        self.steps: list[list[_Step]] = []
        self.by_chance: list[bool] = []
        self.bounds: list[tuple[float, float]] = []
        rules = solution.rules
        numbers = {self.positions[0]: 0}
        for here in self.positions:  # the loop appends to the list
            options = _followed(solution, here)
            row = []
            for option in options:
                child = canonical(option.position)
                number = numbers.setdefault(child, len(numbers))
                if number == len(self.positions):
                    self.positions.append(child)
                sign = 1 if rules.keeps_turn(here, option.move, option.position) else -1
                weight = 1 if option.odds is None else option.odds[0]
                row.append(_Step(number, sign, rules.gain(here, option.move), weight))
            self.steps.append(row)
            self.by_chance.append(bool(options) and options[0].odds is not None)
            self.bounds.append(solution[here].bounds)
            if len(self.positions) > _MOST_POSITIONS:
                message = (
                    f"{position!r} leads to more than {_MOST_POSITIONS:,} positions; ask for its "
                    "bounds, or for a position nearer to the end"
                )
                raise ParameterError(message)

    def components(self) -> list[list[int]]:
        """Return the numbers of positions by strongly connected component, successors first."""
        first = np.cumsum([0, *map(len, self.steps)])
        edges = np.array([step.child for row in self.steps for step in row], np.int64)
        is_small = len(self.steps) <= _FEW_POSITIONS
        with interpreting() if is_small else nullcontext():
            component, count = components(first, edges)
        groups: list[list[int]] = [[] for _ in range(count)]
        for number, group in enumerate(component.tolist()):
            groups[group].append(number)
        return groups

    def component(self, numbers: list[int], found: dict[int, Fraction]) -> ChanceComponent:
        """Return the positions of a component, with the values of those after it."""
        vertices = {number: vertex for vertex, number in enumerate(numbers)}

        def edge(step: _Step) -> Edge:
            worth = Fraction(step.points)
            if step.child in vertices:
                return Edge(vertices[step.child], step.sign, worth, step.weight)
            return Edge(OUTSIDE, 1, worth + step.sign * found[step.child], step.weight)

        rules = self.solution.rules
        return ChanceComponent(
            [[edge(step) for step in self.steps[number]] for number in numbers],
            [self.by_chance[number] for number in numbers],
            [rules.endless_worth(self.positions[number]) for number in numbers],
        )


def exact_value(solution: Answering, position: Any, canonical: Callable[[Any], Any]) -> Fraction:
    """Return the exact expectation; see ``Solution.exact``.

    Args:
        solution: the solution.
        position: the position.
        canonical: returns one position of all that are equivalent to a position.

    Raises:
        CorruptTableError: the exact expectation of a position is not within its bounds.
        ParameterError: the game has no chance, or the position leads to too many others, or too
            many lead to each other, or fractions are too long.
    """
    if not isinstance(solution[position], ExpectedValue):
        message = f"{solution.rules.name} has no chance(), and its values are exact; ask for them"
        raise ParameterError(message)
    play = _BestPlay(solution, position, canonical)
    found: dict[int, Fraction] = {}
    for numbers in play.components():
        values = _values(play, numbers, found)
        for number, value in zip(numbers, values, strict=True):
            found[number] = _checked(play, number, value)
    return found[0]


def _followed(solution: Answering, position: Any) -> list[Option]:
    """Return the results of chance, or the moves that may be best."""
    options = solution.options(position)
    if not options or options[0].odds is not None:
        return options
    return solution.kind.best(options)


def _values(play: _BestPlay, numbers: list[int], found: dict[int, Fraction]) -> list[Fraction]:
    """Return the expectations of the positions of a component from those after it.

    Raises:
        CorruptTableError: a position is over, and its bounds are two numbers.
        ParameterError: there are too many of them, or their fractions are too long.
    """
    number = numbers[0]
    steps = play.steps[number]
    if not steps:
        lower, upper = play.bounds[number]
        if lower != upper:
            raise _bounds_error(play, number)
        return [Fraction(lower)]
    if len(numbers) == 1 and all(step.child != number for step in steps):
        worths = [step.sign * found[step.child] + step.points for step in steps]
        if not play.by_chance[number]:
            return [max(worths)]
        weights = [step.weight for step in steps]
        weighted = (weight * worth for weight, worth in zip(weights, worths, strict=True))
        return [sum(weighted, Fraction(0)) / sum(weights)]
    try:
        return component_values(play.component(numbers, found), _MOST_BITS)
    except CountError as error:
        message = (
            f"play comes back to {play.positions[number]!r} through {error.count:,} positions at "
            f"which chance decides or several moves may be best, and at most {MOST_UNKNOWNS:,} are "
            "solved exactly; ask for its bounds, or for a position nearer to the end"
        )
        raise ParameterError(message) from None
    except DigitsError:
        raise _digits_error(play, number) from None


def _checked(play: _BestPlay, number: int, value: Fraction) -> Fraction:
    """Return an expectation that is within its bounds, and not too long.

    Raises:
        CorruptTableError: it is not within its bounds.
        ParameterError: it is too long.
    """
    lower, upper = play.bounds[number]
    if not lower <= value <= upper:
        raise _bounds_error(play, number)
    if max(abs(value.numerator), value.denominator).bit_length() > _MOST_BITS:
        raise _digits_error(play, number)
    return value


def _bounds_error(play: _BestPlay, number: int) -> CorruptTableError:
    """Return the error that says that the bounds of a position are wrong."""
    lower, upper = play.bounds[number]
    message = (
        f"{play.positions[number]!r} is stored with bounds from {lower!r} to {upper!r}, which are "
        "not those of its exact value; solve the game again"
    )
    return CorruptTableError(message)


def _digits_error(play: _BestPlay, number: int) -> ParameterError:
    """Return the error that says that the fraction of a position is too long."""
    message = (
        f"the exact value of {play.positions[number]!r} has too many digits; ask for its bounds"
    )
    return ParameterError(message)
