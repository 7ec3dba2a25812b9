"""Outcome classes of positions, from two look-ups each, with either player to move."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import ParameterError, PositionError, RulesError
from zermelo.values.expectations import Expectations
from zermelo.values.outcome_class import OutcomeClass
from zermelo.values.outcomes import DRAW, WIN

if TYPE_CHECKING:
    from zermelo.rules.view import Answering
    from zermelo.solution.solved_base import Solved
    from zermelo.values.results import Counts

#: The class, by whether the first player wins if the first begins, and if the second does.
_CLASSES = {
    (True, True): OutcomeClass.L,
    (True, False): OutcomeClass.N,
    (False, True): OutcomeClass.P,
    (False, False): OutcomeClass.R,
}


def outcome_class(solution: Answering, position: Any) -> OutcomeClass:
    """Return the outcome class of a position; see ``Solution.outcome_class``."""
    rules = solution.rules
    _check_certain(solution)
    after_pass = _position_after_pass(solution, position)
    try:
        values = solution[position], solution[after_pass]
    except PositionError:
        message = (
            f"{position!r} with the other player to move, {after_pass!r}, cannot be reached here; "
            f"ask zermelo.sum(game), in which either player may begin"
        )
        raise PositionError(message) from None
    owner = rules.owner(position)
    for value, mover in zip(values, (owner, 1 - owner), strict=True):
        if value.outcome is DRAW:
            message = (
                f"{position!r} has no outcome class, as it is a draw if {rules.players[mover]} "
                "begins; look up both values"
            )
            raise ParameterError(message)
    wins, wins_after_pass = (value.outcome is WIN for value in values)
    first, second = (wins, not wins_after_pass) if owner == 0 else (wins_after_pass, not wins)
    return _CLASSES[first, second]


def _check_certain(solution: Answering) -> None:
    """Raise ParameterError for a game with chance, in which hardly anybody wins for sure."""
    if isinstance(solution.kind, Expectations):
        message = (
            f"outcome classes are of games without chance, and {solution.rules.name} has chance(); "
            "look up the probabilities"
        )
        raise ParameterError(message)


def _position_after_pass(solution: Answering, position: Any) -> Any:
    """Return a position with the other player to move."""
    rules = solution.rules
    if solution.kind.impartial:  # it was solved as an impartial game
        return position
    try:
        return rules.pass_turn(position)
    except RulesError as error:
        message = f"no outcome class is known: {error}"
        raise ParameterError(message) from None


def class_counts(solution: Answering, solved: Solved, counts: Counts) -> dict[OutcomeClass, int]:
    """Return the number of positions of each class; see ``Solution.class_counts``.

    Args:
        solution: the solution.
        solved: the rules and the values of the solution.
        counts: the number of positions of each value.
    """
    _check_certain(solution)
    table, total = solved.table, Counter[OutcomeClass]()
    kind = table.kind
    if kind.impartial:
        return {OutcomeClass.P: counts.loss, OutcomeClass.N: counts.win}
    for places in table.pages():
        owners = np.array([solution.rules.owner(p) for p in solved.positions(places)], np.uint8)
        firsts_places = places[owners == 0]
        places_after_pass = solved.places_after_pass(firsts_places)
        firsts_places, places_after_pass = (
            firsts_places[places_after_pass >= 0],
            places_after_pass[places_after_pass >= 0],
        )
        first = kind.outcomes(table.values(firsts_places))
        second = -kind.outcomes(table.values(places_after_pass))
        for pair, outcome_class in _CLASSES.items():
            signs = [1 if wins else -1 for wins in pair]
            total[outcome_class] += int(
                np.count_nonzero((first == signs[0]) & (second == signs[1]))
            )
    return {each: total[each] for each in OutcomeClass}
