"""Play of sums by temperature: the hottest component, and the orthodox move in it.

Exact play of a sum needs the sum. These strategies need only the thermograph of each component:
hotstrat moves in the hottest, sentestrat answers as long as the opponent's move there has left more
than the rest of the board offers. (Berlekamp, Conway and Guy, Winning Ways, chapter 6; Berlekamp,
The economist's view of combinatorial games, in Games of No Chance, 1996.)

Left moves. For a move of Right, negate all components.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from zermelo.errors import CombinatorialValueError
from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue


class OrthodoxMove(NamedTuple):
    """A move of Left in a sum.

    Attributes:
        component: which component is moved in, counted from 0.
        option: what the move leaves of it.
        temperature: the temperature of the component before the move.
    """

    component: int
    option: CombinatorialValue
    temperature: Fraction


def rank_by_temperature(components: Sequence[CombinatorialValue]) -> list[int]:
    """Return the places of the components of a sum in the list, the hottest component first.

    Args:
        components: their values. Equally hot ones remain in order.
    """
    return sorted(range(len(components)), key=lambda place: -components[place].temperature)


def hotstrat(components: Sequence[CombinatorialValue]) -> OrthodoxMove | None:
    """Return the orthodox move of Left in the hottest component of a sum.

    The move may lose what exact play wins, in particular if only infinitesimals are left.

    Args:
        components: their values.

    Returns:
        The move; None if Left cannot move.
    """
    for place in rank_by_temperature(components):
        if components[place].left:
            return _move(components, place, components[place].temperature)
    return None


def sentestrat(
    components: Sequence[CombinatorialValue], answered: int, ambient: Fraction | int
) -> OrthodoxMove | None:
    """Return Left's answer to a move of Right, if that move calls for one, otherwise ``hotstrat``.

    It calls for one if it has left its component hotter than the ambient temperature, which is the
    least temperature that the hottest component has had so far.

    Args:
        components: their values, after the move of Right.
        answered: the place of the component in which Right moved.
        ambient: the ambient temperature before the move, at least -1.

    Returns:
        The move; None if Left cannot move.

    Raises:
        CombinatorialValueError: there is no such component, or the temperature is below -1.
    """
    if not 0 <= answered < len(components):
        message = f"there is no component {answered!r}; give a place below {len(components)}"
        raise CombinatorialValueError(message)
    if ambient < -1:
        message = f"there is no temperature {str(ambient)!r}; give one of at least -1"
        raise CombinatorialValueError(message)
    if components[answered].temperature > ambient and components[answered].left:
        return _move(components, answered, ambient)
    return hotstrat(components)


def _move(
    components: Sequence[CombinatorialValue], place: int, temperature: Fraction | int
) -> OrthodoxMove:
    """Return the orthodox move in a component; of several, that with the greatest right stop."""
    options = components[place].orthodox_options(temperature)
    option = max(options, key=lambda option: option.right_stop)
    return OrthodoxMove(place, option, components[place].temperature)
