"""The certificate of an expectation in a small game: bounds compared with the successors' bounds.

``docs/explanation/chance.md`` proves that these conditions are enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from zermelo.game.chance import Face
from zermelo.values.expectations import RANK_BITS
from zermelo.values.outcomes import ExpectedValue

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


@dataclass(frozen=True)
class Reply:
    """A move in a result of chance that is not stored.

    Attributes:
        face: the result of chance.
        result: the position that is not stored.
        move: the move there.
    """

    face: Face
    result: Any
    move: Any


def stored_steps(rules: Rules, position: Any, moves: list[Any]) -> list[Any]:
    """Return the moves in a position, with replies in the place of results that are not stored."""
    steps: list[Any] = []
    for move in moves:
        result = rules.play(position, move) if isinstance(move, Face) else None
        if result is None or rules.is_kept(result):
            steps.append(move)
        else:
            steps += [Reply(move, result, reply) for reply in rules.moves(result)]
    return steps


def position_after(rules: Rules, position: Any, step: Any) -> Any:
    """Return the position after a move, a result of chance or a reply."""
    if isinstance(step, Reply):
        return rules.play(step.result, step.move)
    return rules.play(position, step)


@dataclass(frozen=True)
class Successor:
    """A stored successor, seen by the player for whom the value of the position is.

    Attributes:
        lower: the lower bound of its value, the points of the move included.
        upper: the upper bound.
        face: the result of chance that leads to it; None for a move.
        is_opposed: whether the other player chooses it, after that result.
        rank: its number in the certificate.
    """

    lower: Fraction
    upper: Fraction
    face: Face | None
    is_opposed: bool
    rank: int


def successor_of(
    rules: Rules, position: Any, step: Any, child: Any, value: ExpectedValue, rank: int
) -> Successor:
    """Return the successor after a move, a result of chance or a reply.

    Args:
        rules: the rules.
        position: the position before.
        step: the move, the result or the reply.
        child: the position after it.
        value: the stored value of the position after it.
        rank: its stored number.
    """
    lower, upper = map(Fraction, value.bounds)
    face, is_opposed = step if isinstance(step, Face) else None, False
    if isinstance(step, Reply):
        face = step.face
        is_opposed = not rules.keeps_turn(position, face, step.result)
        keeps_turn = rules.keeps_turn(step.result, step.move, child) != is_opposed
    else:
        keeps_turn = rules.keeps_turn(position, step, child)
    if not keeps_turn:
        lower, upper = -upper, -lower
    points = 0 if isinstance(step, Reply) else rules.gain(position, step)
    return Successor(lower + points, upper + points, face, is_opposed, rank)


def _results(successors: list[Successor]) -> list[list[Successor]]:
    """Return the successors by result of chance, in their order."""
    return [list(group) for _, group in groupby(successors, key=lambda each: each.face)]


def fault_by_bounds(
    rules: Rules, position: Any, value: ExpectedValue, successors: list[Successor]
) -> str | None:
    """Return why the bounds of a position do not follow from its successors, or None.

    Args:
        rules: the rules.
        position: the position.
        value: its stored value.
        successors: its successors; empty if the game is over.
    """
    lower, upper = map(Fraction, value.bounds)
    cause = "its successors make it"
    least = greatest = Fraction(0)
    if not successors:
        outcome = rules.terminal_outcome(position)
        least += rules.final_score(position) if rules.is_scored else int(outcome or 0)
        greatest += least
        cause = "the rules make it"
    for group in _results(successors):
        face = group[0].face
        best = min if group[0].is_opposed else max
        share = Fraction(1) if face is None else Fraction(face.weight, face.total)
        least += share * best(each.lower for each in group)
        greatest += share * best(each.upper for each in group)
    if lower <= least and greatest <= upper:
        return None
    right = ExpectedValue((float(least), float(greatest)), is_scored=value.is_scored)
    return (
        f"{position!r} is stored as {value}, from {value.bounds[0]!r} to {value.bounds[1]!r}, but "
        f"{cause} {right}, from {right.bounds[0]!r} to {right.bounds[1]!r}"
    )


def fault_by_rank(
    rules: Rules, position: Any, value: ExpectedValue, rank: int, successors: list[Successor]
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
    for group in _results(successors):
        improves = []
        for each in group:
            bound = each.lower if for_mover else -each.upper
            improves.append(bound > level or (bound == level and each.rank < rank))
        chooses = for_mover != group[0].is_opposed
        if any(improves) if chooses else all(improves):
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
            return f"the moves from {position!r} lead in a cycle"
        if each.rank >> RANK_BITS == stage and rules.gain(position, move):
            return f"a move from {position!r} makes points, and may be part of a cycle"
    return None
