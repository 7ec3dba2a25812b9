"""Agents that play a sum of games by the temperatures of its components.

Exact play of a sum needs the value of the sum. These agents look only at the thermographs of the
components, and so they err where infinitesimals decide, or where temperatures mislead. (Berlekamp,
Conway and Guy, Winning Ways, chapter 6.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from zermelo.errors import ParameterError, PositionError
from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue
from zermelo.values.partizan import PARTIZAN

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules
    from zermelo.solution.solution import Solution


class _ComponentMove(NamedTuple):
    """A move in a component of a sum, with the player who makes it as Left.

    Attributes:
        move: the move.
        component: the value of the component.
        option: the value of the component after the move.
    """

    move: Any
    component: CombinatorialValue
    option: CombinatorialValue

    def gain(self, temperature: Fraction) -> Fraction:
        """Return the gain of a move for Left, less that of an orthodox move: at most 0.

        Args:
            temperature: the tax on each move, at most the temperature of the component.
        """
        taxed = self.option.thermograph.right_wall(temperature) - temperature
        return taxed - self.component.thermograph.left_wall(temperature)


class _TemperatureAgent(ABC):
    """An agent that chooses among moves by thermographs; see ``Hotstrat``.

    Attributes:
        __name__: the name that an evaluation gives the agent.
    """

    __name__: str

    def __init__(self, solution: Solution) -> None:
        """Store the values.

        Args:
            solution: a solution with values of partizan games, of a game or of a sum of games.

        Raises:
            ParameterError: its values are of another kind.
        """
        if solution.kind.algebra != PARTIZAN.algebra:
            message = (
                f"the solution of {solution.rules.description} has values of the kind "
                f"{solution.kind.name!r}, which have no temperature; give one that was solved with "
                "value='partizan'"
            )
            raise ParameterError(message)
        self.solution = solution
        solved: Any = solution._solved  # noqa: SLF001  # of this package
        self._is_sum = bool(solved.summands)
        self._parts: list[Solution] = solved.parts if self._is_sum else [solution]
        self._rules = [cast("Rules", part.rules) for part in self._parts]
        self._known: dict[tuple[int, Any], CombinatorialValue] = {}

    def __call__(self, position: Any) -> Any:
        """Return the agent's move in a position.

        Args:
            position: a position of the game; of a sum, a tuple of positions of its parts. Its
                components must arise from those of the solution's start.

        Raises:
            PositionError: it is another position, or has no move.
        """
        components, moves = self._components_and_moves(position)
        if not moves:
            message = f"the game is over at {position!r}; ask about a position with a move"
            raise PositionError(message)
        return self._choice(components, moves).move

    @abstractmethod
    def _choice(
        self, components: Sequence[CombinatorialValue], moves: Sequence[_ComponentMove]
    ) -> _ComponentMove:
        """Return one of the moves.

        Args:
            components: the values of all components, with the player to move as Left.
            moves: the moves in the order of the rules, at least one.
        """

    def _components_and_moves(
        self, position: Any
    ) -> tuple[list[CombinatorialValue], list[_ComponentMove]]:
        """Return the values of the components of a position, and its moves.

        The player to move is Left in them.
        """
        parts: Any = [position]
        if self._is_sum:
            rules: Any = self.solution.rules
            parts = rules.check_position(position)
        components: list[CombinatorialValue] = []
        moves: list[_ComponentMove] = []
        for i, part_position in enumerate(parts):
            rules = self._rules[i]
            # A move passes the turn in all components, so that those that remain are found again
            # among those of the position with the other player to move.
            waits = rules.alternate and not rules.passes
            passed = part_position if waits else rules.pass_turn(part_position)
            before = Counter(rules.split(passed))
            components += map(partial(self._negative, i), before.elements())
            for move in rules.moves(part_position):
                after = Counter(rules.split(rules.play(part_position, move)))
                component = self._sum(i, (before - after).elements())
                option = self._sum(i, (after - before).elements())
                moves.append(_ComponentMove((i, move) if self._is_sum else move, component, option))
        return components, moves

    def _sum(self, part: int, components: Iterable[object]) -> CombinatorialValue:
        """Return the sum of components for the player who does not move in them."""
        return sum(map(partial(self._negative, part), components), CombinatorialValue(0))

    def _negative(self, part: int, component: object) -> CombinatorialValue:
        """Return the value of a component for the player who does not move in it."""
        key = part, component
        if key not in self._known:
            self._known[key] = -cast("CombinatorialValue", self._parts[part][component])
        return self._known[key]


class Hotstrat(_TemperatureAgent):
    """An agent that plays the orthodox move in the hottest component of a position.

    The components are those of ``split``, and the parts of a sum. A game without ``split`` is one
    component. An orthodox move leaves the component worth most if every other move on the board is
    worth the component's temperature; see ``CombinatorialValue.orthodox_options``. Of equally good
    moves the agent makes the first.

    In a sum of numbers and switches it never errs, as these are best played hottest first. In a sum
    with a component of temperature 0 or more, its move costs at most the greatest temperature: by
    so much at most, the right stop after it is less than the left stop before. Where infinitesimals
    decide, as in Clobber, it plays no better than at random.

    The agent is a function of the position: ``agent(position)`` is its move.

    Attributes:
        solution: the solution with values of partizan games.
    """

    __name__ = "hotstrat"

    def _choice(
        self,
        components: Sequence[CombinatorialValue],  # noqa: ARG002  # another agent needs them
        moves: Sequence[_ComponentMove],
    ) -> _ComponentMove:
        """Return the first move with the greatest gain in the hottest component."""
        return max(moves, key=_heat)


class Thermostrat(_TemperatureAgent):
    """An agent that plays where the thermograph is widest at the ambient temperature.

    At each temperature, the right walls of all components and the greatest distance of the two
    walls of a component add up to a score that the player to move can secure. The ambient
    temperature is the least of those from 0 at which this score is greatest. If no component has a
    width there, the agent plays as ``Hotstrat`` does. (Winning Ways, chapter 6.)

    The agent is a function of the position: ``agent(position)`` is its move.

    Attributes:
        solution: the solution with values of partizan games.
    """

    __name__ = "thermostrat"

    def _choice(
        self, components: Sequence[CombinatorialValue], moves: Sequence[_ComponentMove]
    ) -> _ComponentMove:
        """Return the first orthodox move in the widest component."""
        ambient = _ambient_temperature(components)
        widest = max(moves, key=lambda move: _width(move.component, ambient)).component
        width = _width(widest, ambient)
        if width == 0:
            return max(moves, key=_heat)
        wide = [move for move in moves if _width(move.component, ambient) == width]
        return max(wide, key=lambda move: (move.gain(ambient), move.option.right_stop))


def _ambient_temperature(components: Sequence[CombinatorialValue]) -> Fraction:
    """Return the temperature at which the compound thermograph of a sum promises Left most.

    Args:
        components: the values of the components, with the player to move as Left.

    Returns:
        The least such temperature of those from 0 on.
    """
    # Between bends the promise is a sum of lines and of the greatest of several lines, which is
    # convex, so that it is greatest at a bend.
    bends = {t for component in components for t in component.thermograph.breakpoints if t > 0}
    return max(sorted({Fraction(0), *bends}), key=lambda t: _secured_score(components, t))


def _secured_score(components: Sequence[CombinatorialValue], temperature: Fraction) -> Fraction:
    """Return a score that Left, moving first in a sum, can secure.

    Args:
        components: the values of the components.
        temperature: the tax on each move, from 0.

    Returns:
        The left wall of the compound thermograph, which is at most the left stop of the sum.
    """
    right = sum(
        (component.thermograph.right_wall(temperature) for component in components), Fraction(0)
    )
    return right + max(
        (_width(component, temperature) for component in components), default=Fraction(0)
    )


def _heat(move: _ComponentMove) -> tuple[Fraction, Fraction, Fraction]:
    """Return the order of moves by the temperature of their component, and by their gain there."""
    temperature = move.component.temperature
    return temperature, move.gain(temperature), move.option.right_stop


def _width(component: CombinatorialValue, temperature: Fraction) -> Fraction:
    """Return the distance of the walls of a thermograph."""
    thermograph = component.thermograph
    return thermograph.left_wall(temperature) - thermograph.right_wall(temperature)
