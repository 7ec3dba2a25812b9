"""The exact expectation of a position of a game with chance, as a fraction.

The bounds of the solution say which moves may be best, so that no others are followed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError
from zermelo.values.outcomes import ExpectedValue

if TYPE_CHECKING:
    from zermelo.rules.view import Answering
    from zermelo.values.results import Option

#: The most positions that are followed, and the most bits of a denominator.
_MOST_POSITIONS, _MOST_BITS = 200_000, 4_096


def exact_value(solution: Answering, position: Any) -> Fraction:
    """Return the exact expectation; see ``Solution.exact``.

    Raises:
        ParameterError: the game has no chance, or play can come back to a position, or the position
            leads to too many others, or to fractions that are too long.
    """
    if not isinstance(solution[position], ExpectedValue):
        message = f"{solution.rules.name} has no chance(), and its values are exact; ask for them"
        raise ParameterError(message)
    found: dict[Any, Fraction] = {}
    opened: set[Any] = set()
    path = [position]
    while path:
        here = path[-1]
        if here in found:
            path.pop()
            continue
        options = _followed(solution, here)
        open_children = [each.position for each in options if each.position not in found]
        if not open_children:
            found[here] = _checked(_value(solution, here, options, found), here)
            path.pop()
            continue
        if here in opened:
            message = (
                f"play from {here!r} can come back to it, so that its expectation is no finite "
                "sum; ask for its bounds"
            )
            raise ParameterError(message)
        opened.add(here)
        if len(opened) > _MOST_POSITIONS:
            message = (
                f"{position!r} leads to more than {_MOST_POSITIONS:,} positions; ask for its "
                "bounds, or for a position nearer to the end"
            )
            raise ParameterError(message)
        path += open_children
    return found[position]


def _followed(solution: Answering, position: Any) -> list[Option]:
    """Return the results of chance, or the moves that may be best."""
    options = solution.options(position)
    if not options or options[0].odds is not None:
        return options
    return solution.kind.best(options)


def _value(
    solution: Answering, position: Any, options: list[Option], found: dict[Any, Fraction]
) -> Fraction:
    """Return the expectation of a position from those of its successors."""
    if not options:
        return Fraction(solution[position].bounds[0])
    rules = solution.rules
    worths = []
    for option in options:
        sign = 1 if rules.keeps_turn(position, option.move, option.position) else -1
        worths.append(sign * found[option.position] + rules.gain(position, option.move))
    if options[0].odds is None:
        return max(worths)
    odds = [option.odds or (0, 1) for option in options]
    return sum(
        (Fraction(*each) * worth for each, worth in zip(odds, worths, strict=True)), Fraction(0)
    )


def _checked(value: Fraction, position: Any) -> Fraction:
    """Return a value that is not too long.

    Raises:
        ParameterError: it is.
    """
    if value.denominator.bit_length() > _MOST_BITS:
        message = f"the exact value of {position!r} has too many digits; ask for its bounds"
        raise ParameterError(message)
    return value
