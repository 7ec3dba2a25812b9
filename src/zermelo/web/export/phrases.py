"""The page's phrases for values, computed beforehand, as the page cannot compute them."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.values.outcomes import DRAW, LOSS, WIN, Value

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution
    from zermelo.web.export.collector import CollectedPositions

_OUTCOMES = {str(outcome): outcome for outcome in (WIN, DRAW, LOSS)}
#: The most pairs of a value and points with phrases; beyond, the page shows the value.
_MOST_ENDINGS = 20_000


def endings(found: CollectedPositions, solution: Solution) -> dict[str, list[Any]]:
    """Return the end of a game under perfect play, by the number of a value and the mover's points.

    Args:
        found: the positions, with their values.
        solution: the solved game.

    Returns:
        By ``"value,points"`` who wins in the end (more than 0: the player to move), and that in
        words if the first player is to move, and if the second is.
    """
    kind, names = solution.kind, solution.rules.players
    values = list(map(value_of, found.values.things))
    far = _farthest(values) if kind.gains else 0
    far = min(far, _MOST_ENDINGS // (2 * len(values) + 1))
    told = {}
    for (number, value), points in product(enumerate(values), range(-far, far + 1)):
        ahead = kind.words.final_margin(value, points)
        favoured = [None if ahead == 0 else names[mover ^ (ahead < 0)] for mover in (0, 1)]
        words = [kind.words.ending(value, name, points) for name in favoured]
        told[f"{number},{points}"] = [ahead, *words]
    return told


def losses(found: CollectedPositions, solution: Solution) -> dict[str, list[Any]]:
    """Return the losses by moves, by the numbers of the best move's value and of the move's.

    Returns:
        By ``"best,worth"`` what is lost (see ``Played``), whether the move is as good as the best
        one, and its effect if it is not.
    """
    kind = solution.kind
    degree, worth = (np.frombuffer(each, np.uint32) for each in (found.degree, found.worth))
    if not len(worth):
        return {}
    first = np.repeat(worth[_begins(degree)[degree > 0]], degree[degree > 0])
    pairs = np.unique(np.stack([first, worth]), axis=1).T.tolist()
    values = list(map(value_of, found.values.things))
    return {
        f"{best},{made}": [
            kind.lost_part(values[best], values[made]),
            kind.is_equally_good(values[made], values[best]),
            kind.words.mistake(values[best], values[made]),
        ]
        for best, made in pairs
    }


def value_of(document: str) -> Value:
    """Return the value of a document of one."""
    told = json.loads(document)
    infinity = told["infinity"]
    return Value(
        _OUTCOMES[told["outcome"]],
        told["remoteness"],
        told["score"],
        told["nimber"],
        None if infinity is None else tuple(infinity),
    )


def _begins(degree: Any) -> Any:
    return np.concatenate([[0], np.cumsum(degree)[:-1]]).astype(np.int64)


def _farthest(values: list[Value]) -> int:
    """Return the most points that a player may be ahead, even under poor play."""
    scores = [abs(value.score or 0) for value in values]
    return 4 * max(scores, default=0)
