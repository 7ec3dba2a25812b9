"""The certificate of an expectation in a small game: bounds compared with the successors' bounds.

``docs/explanation/chance.md`` proves that these conditions are enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.game.chance import Face
from zermelo.values.expectations import RANK_BITS
from zermelo.values.outcomes import ExpectedValue

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


@dataclass(frozen=True)
class Successor:
    """A successor of a position, seen by the player for whom the value of the position is.

    Attributes:
        lower: the lower bound of its value, the points of the move included.
        upper: the upper bound.
        share: the probability of a result of chance; 1 for a move.
        rank: its number in the certificate.
    """

    lower: Fraction
    upper: Fraction
    share: Fraction
    rank: int


def successor_of(
    rules: Rules, position: Any, move: Any, child: Any, value: ExpectedValue, rank: int
) -> Successor:
    """Return the successor after a move or a result of chance.

    Args:
        rules: the rules.
        position: the position before.
        move: the move.
        child: the position after it.
        value: the stored value of the position after it.
        rank: its stored number.
    """
    lower, upper = map(Fraction, value.bounds)
    if not rules.keeps_turn(position, move, child):
        lower, upper = -upper, -lower
    points = rules.gain(position, move)
    share = Fraction(move.weight, move.total) if isinstance(move, Face) else Fraction(1)
    return Successor(lower + points, upper + points, share, rank)


def fault_by_bounds(
    rules: Rules,
    position: Any,
    value: ExpectedValue,
    successors: list[Successor],
    *,
    by_chance: bool,
) -> str | None:
    """Return why the bounds of a position do not follow from its successors, or None.

    Args:
        rules: the rules.
        position: the position.
        value: its stored value.
        successors: its successors; empty if the game is over.
        by_chance: whether chance decides.
    """
    lower, upper = map(Fraction, value.bounds)
    if not successors:
        outcome = rules.terminal_outcome(position)
        final = rules.final_score(position) if rules.is_scored else int(outcome or 0)
        least = greatest = Fraction(final)
        cause = "the rules make it"
    else:
        cause = "its successors make it"
        if by_chance:
            least = sum((each.share * each.lower for each in successors), Fraction(0))
            greatest = sum((each.share * each.upper for each in successors), Fraction(0))
        else:
            least = max(each.lower for each in successors)
            greatest = max(each.upper for each in successors)
    if lower <= least and greatest <= upper:
        return None
    right = ExpectedValue((float(least), float(greatest)), is_scored=value.is_scored)
    return (
        f"{position!r} is stored as {value}, from {value.bounds[0]!r} to {value.bounds[1]!r}, but "
        f"{cause} {right}, from {right.bounds[0]!r} to {right.bounds[1]!r}"
    )


def fault_by_rank(
    rules: Rules,
    position: Any,
    value: ExpectedValue,
    rank: int,
    successors: list[Successor],
    *,
    by_chance: bool,
) -> str | None:
    """Return why a position may keep its bounds only by play that never ends, or None.

    The arguments are those of ``fault_by_bounds``, and the position's number in the certificate.
    """
    lower, upper = map(Fraction, value.bounds)
    own = rules.endless_worth(position)
    for_mover = lower > own
    if not successors or not (for_mover or upper < own):
        return None
    level = lower if for_mover else -upper
    improves = []
    for each in successors:
        bound = each.lower if for_mover else -each.upper
        improves.append(bound > level or (bound == level and each.rank < rank))
    if any(improves) if for_mover or by_chance else all(improves):
        return None
    return (
        f"{position!r} is stored as {value}, but nothing shows that play ends there, and endless "
        f"play is worth {own} to the player to move"
    )


def fault_by_stage(
    rules: Rules, position: Any, rank: int, moves: list[Any], successors: list[Successor]
) -> str | None:
    """Return why the moves of a position may make points for ever, or None.

    The arguments are those of ``fault_by_rank``, and the moves to the successors.
    """
    stage = rank >> RANK_BITS
    for move, each in zip(moves, successors, strict=True):
        if each.rank >> RANK_BITS > stage:
            return f"the moves from {position!r} lead in a circle"
        if each.rank >> RANK_BITS == stage and rules.gain(position, move):
            return f"a move from {position!r} makes points, and may be part of a circle"
    return None
