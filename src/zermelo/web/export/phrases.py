"""The page's phrases for values, computed beforehand, as the page cannot compute them."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.values.outcomes import Value
from zermelo.web.chance import has_chance

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution
    from zermelo.web.export.collector import CollectedPositions

#: The most pairs of a value and points with phrases; beyond, the page shows the value.
_MOST_ENDINGS = 20_000


def endings(collected: CollectedPositions, solution: Solution) -> dict[str, list[Any]]:
    """Return the end of a game under perfect play, by the number of a value and the mover's points.

    Args:
        collected: the positions, with their values.
        solution: the solved game.

    Returns:
        By ``"value,points"`` who wins in the end (more than 0: the player to move), and that in
        words if the first player is to move, and if the second is. It is empty in a game with
        chance.
    """
    kind, names = solution.kind, solution.rules.players
    if has_chance(kind):  # the page works these out
        return {}
    values = list(map(value_of, collected.values.things))
    largest = _farthest(values) if kind.gains else 0
    largest = min(largest, _MOST_ENDINGS // (2 * len(values) + 1))
    phrases = {}
    for (number, value), points in product(enumerate(values), range(-largest, largest + 1)):
        margin = kind.words.final_margin(value, points)
        favoured = [None if margin == 0 else names[mover ^ (margin < 0)] for mover in (0, 1)]
        words = [kind.words.ending(value, name, points) for name in favoured]
        phrases[f"{number},{points}"] = [margin, *words]
    return phrases


def losses(collected: CollectedPositions, solution: Solution) -> dict[str, list[Any]]:
    """Return the losses by moves, by the numbers of the best move's value and of the move's.

    Returns:
        By ``"best,move"`` the lost part (see ``Played``), whether the move is as good as the best
        one, and its effect if it is not. It is empty in a game with chance.
    """
    kind = solution.kind
    if has_chance(kind):  # the page works these out
        return {}
    degree, values_of_moves = (
        np.frombuffer(each, np.uint32) for each in (collected.degree, collected.move_value)
    )
    if not len(values_of_moves):
        return {}
    first = np.repeat(values_of_moves[_begins(degree)[degree > 0]], degree[degree > 0])
    pairs = np.unique(np.stack([first, values_of_moves]), axis=1).T.tolist()
    values = list(map(value_of, collected.values.things))
    return {
        f"{best},{move}": [
            kind.lost_part(values[best], values[move]),
            kind.is_equally_good(values[move], values[best]),
            kind.words.mistake(values[best], values[move]),
        ]
        for best, move in pairs
    }


def value_of(document: str) -> Value:
    """Return the value of a document of one."""
    fields = json.loads(document)
    return Value.from_json({name: entry for name, entry in fields.items() if entry is not None})


def _begins(degree: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(degree)[:-1]]).astype(np.int64)


def _farthest(values: list[Value]) -> int:
    """Return the most points that a player may be ahead, even under poor play."""
    scores = [abs(value.score or 0) for value in values]
    return 4 * max(scores, default=0)
