"""First moves: their values, and the effect of a pie rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.analysis.results import Opening, Pie
from zermelo.values.outcomes import DRAW
from zermelo.values.player_names import is_plural, player_phrase

if TYPE_CHECKING:
    from zermelo.rules.view import Answering
    from zermelo.values.outcomes import Value
    from zermelo.values.results import Option

#: First moves that are named in a sentence.
_NAMED = 6


@dataclass
class ScannedTable:
    """Expected scores and equal subgames of all positions of a table.

    Attributes:
        number: returns the number of a position.
        looks: by number, each position's expected score under random play for the player to move.
        shapes: by number, a hash of the game that follows a position; or None.
    """

    number: Callable[[Any], int]
    looks: npt.NDArray[np.float64]
    shapes: npt.NDArray[np.uint64] | None


def openings_of(solution: Answering, scan: ScannedTable | None) -> tuple[Opening, ...]:
    """Return the first moves, with those as one that symmetry makes the same, best first.

    Moves are the same where they lead to positions that the game's symmetries make one, or after
    which the same game lies ahead, move for move.

    Args:
        solution: the solved game.
        scan: expected scores of the positions after them, or None.
    """
    rules = solution.rules
    start = solution.start
    owner = rules.owner(start)
    groups: dict[tuple[Any, Value], list[Option]] = {}
    for option in solution.options(start):
        child = rules.canonical(option.position)
        if scan is not None and scan.shapes is not None:
            child = int(scan.shapes[scan.number(option.position)])
        groups.setdefault((child, option.value), []).append(option)
    openings = []
    for (_, value), options in groups.items():
        random = None
        if scan is not None:
            first = options[0]
            score = float(scan.looks[scan.number(first.position)])
            same_mover = not rules.alternate and rules.owner(first.position) == owner
            gain = rules.gain(start, first.move)
            random = solution.kind.words.measure.of_move(score, same_mover=same_mover, gain=gain)
        moves, names = tuple(o.move for o in options), tuple(o.name for o in options)
        openings.append(Opening(moves, names, value, random))
    return tuple(openings)


def pie_rule_of(solution: Answering, openings: tuple[Opening, ...], second: str) -> Pie | None:
    """Return the effect of a pie rule; None if the first move does not pass the turn.

    Args:
        solution: the solved game.
        openings: its first moves.
        second: the name of the player who may change sides.
    """
    rules = solution.rules
    start = solution.start
    children = [rules.play(start, move) for opening in openings for move in opening.moves]
    passes = rules.alternate or all(rules.owner(p) != rules.owner(start) for p in children)
    if not openings or not passes:
        return None
    drawing = [opening for opening in openings if opening.value.outcome is DRAW]
    if drawing:
        names = _names(drawing)
        addition = "whichever side the second player takes"
        sentence = f"fair: after {_list_names(names)} perfect play is a draw, {addition}"
        if len(drawing) == len(openings):
            sentence = "fair, but not needed: perfect play is a draw after every first move"
        margin = drawing[0].value.score
        return Pie(fair=True, winner=None, margin=margin, opening=names, sentence=sentence)
    kind = solution.kind
    best = max((opening.value for opening in openings), key=kind.resistance)
    names = _names([o for o in openings if kind.resistance(o.value) == kind.resistance(best)])
    margin_text = kind.words.margin_phrase(best, kind.words.final_margin(best, 0))
    reason = f",{margin_text} after {_list_names(names)}" if margin_text else ""
    takes = f"{player_phrase(second)} {'take' if is_plural(second) else 'takes'}"
    sentence = f"not fair: no first move draws, so {takes} the winning side{reason}"
    margin = None if best.score is None else abs(best.score)
    return Pie(fair=False, winner=second, margin=margin, opening=names, sentence=sentence)


def _names(openings: list[Opening]) -> tuple[str, ...]:
    return tuple(name for opening in openings for name in opening.names)


def _list_names(names: tuple[str, ...]) -> str:
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more"
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
