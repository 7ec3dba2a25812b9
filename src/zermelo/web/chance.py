"""The prospects of players in games with chance, in percentages and margins for the explorer.

``board/values.js`` and ``export/files.js`` say the same of the positions in a file.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from math import floor, log10
from typing import TYPE_CHECKING, NamedTuple

from zermelo.values.expectations import Expectations
from zermelo.values.outcomes import ExpectedValue, Value
from zermelo.values.player_names import wins

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution
    from zermelo.values.kind import Kind

#: The decimals of a percentage or a margin, and the most of one that would else read 0 or 100.
DECIMALS, MOST_DECIMALS = 2, 6


class Prospects(NamedTuple):
    """The prospects of the players under best play.

    Attributes:
        favours: the player with the better prospects, 0 or 1; None if neither is known to have.
        probability: the probability that player 0 wins, a draw counting half; None in a score game.
        margin: by how much player 0 comes out ahead on average; None unless it is a score game.
        text: the same in words.
    """

    favours: int | None
    probability: float | None
    margin: float | None
    text: str


def has_chance(kind: Kind) -> bool:
    """Return whether the values of a kind are expectations."""
    return isinstance(kind, Expectations)


def is_scored(solution: Solution) -> bool:
    """Return whether values are margins, so that the points of a match count."""
    kind = solution.kind
    return kind.is_scored if isinstance(kind, Expectations) else kind.gains


def chart_place(coordinate: int | None, value: Value) -> int | float | None:
    """Return the coordinate of a value on a chart: of a probability, its percentage."""
    if not isinstance(value, ExpectedValue):
        return coordinate
    return value.expectation if value.is_scored else 50 + 50 * value.expectation


def prospects_of(
    value: ExpectedValue, points: int, player: int, players: tuple[str, str], *, over: bool
) -> Prospects:
    """Return the prospects of the players in a match.

    Args:
        value: the value of its position for the player to move.
        points: the margin of the player to move so far.
        player: the player to move, 0 or 1.
        players: the names of the players, the first one first.
        over: whether the match is over.
    """
    lower, upper = (bound + points * value.is_scored for bound in value.bounds)
    lower, upper = (-upper, -lower) if player else (lower, upper)
    favours = 0 if lower > 0 else 1 if upper < 0 else None
    middle = (lower + upper) / 2
    probability = None if value.is_scored else (1 + middle) / 2
    margin = middle if value.is_scored else None
    if favours is None:
        text = "a draw" if over else "even chances"
        return Prospects(None, probability, margin, text)
    low, high = (lower, upper) if favours == 0 else (-upper, -lower)
    text = wins(players[favours])
    if value.is_scored:
        text += f" by {margin_text(low, high)}" + ("" if over else " points on average")
    elif not over:
        text += f" with probability {percentage(low, high)} %"
    return Prospects(favours, probability, margin, text)


def percentage(lower: float, upper: float) -> str:
    """Return the probability of a win in percent, from bounds of the expected result."""
    least, most = 50 + 50 * lower, 50 + 50 * upper
    decimals = _decimals(most - least)
    text = _rounded((least + most) / 2, decimals)
    is_sure = lower == 1 or upper == -1
    while float(text) in (0, 100) and not is_sure and decimals < MOST_DECIMALS:
        decimals += 1
        text = _rounded((least + most) / 2, decimals)
    return text


def margin_text(lower: float, upper: float) -> str:
    """Return a margin from its bounds, to the decimals that are known and of use."""
    return _rounded((lower + upper) / 2, _decimals(upper - lower))


def _decimals(width: float) -> int:
    """Return the number of decimals that bounds of a distance determine, at most ``DECIMALS``."""
    return DECIMALS if width <= 0 else max(0, min(DECIMALS, floor(-log10(width))))


def _rounded(number: float, decimals: int) -> str:
    """Return a number with at most these decimals, halves rounded away from 0 as in JavaScript."""
    text = str(Decimal(number).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))
    return text.rstrip("0").removesuffix(".") if "." in text else text
