"""Seeing early that there are too many positions: a lower bound from a sample of random games.

Random games from the starts, each move with equal chances, pass through some distribution of
positions after d moves. The more positions there are, the fewer games meet. Of n games whose
positions after d moves are independent, a pair meets with the probability sum p², which is at
least 1/N where N positions are possible; so N is at least 1 / sum p², however unlike the chances
are. The number of pairs that meet estimates sum p²; what is added to it makes it improbable that
the bound is too high. (That none meet is most probable where the chances are equal, as with
birthdays: there, the number of pairs that meet is about Poisson.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.expand.expander import CAPACITY, Buffers, Expand, chunk_within, run_expand
from zermelo._engine.expand.graph_memory import SMALLER
from zermelo._engine.index.hashed import MOST_POSITIONS
from zermelo.errors import BudgetError

#: How many times as many positions are found when a sample is drawn again.
_AGAIN = 4
#: The positions found, and the bytes of memory allowed, for each game of a sample.
_A_GAME, _BYTES_A_GAME = 8, 4096
#: The positions found for each that a sample expands, and the games whose moves take as long.
_AN_EXPANSION, _MOVED = 2, 4
#: Pairs that might have been expected where c met: c + 5 √c + 16. Where 16 are expected, none meet
#: in one of nine million samples.
_SPREAD, _NONE_MET = 5.0, 16.0
#: How many times as far as it has to a bound reaches where none meet.
_BEYOND = 2
#: Multiplies the words of a position, so that one number stands for them.
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass
class Foresight:
    """Samples drawn while positions are found, to refuse early what will not fit.

    Attributes:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words).
        memory: the bytes that the solve may take.
        due: how many positions are found when the next sample is drawn.
    """

    expand: Expand
    starts: npt.NDArray[np.uint64]
    memory: int
    due: int = 0

    def __post_init__(self) -> None:
        self.due = limits.current().foreseen

    def look(self, known: int, room: Callable[[], int]) -> None:
        """Draw a sample if one is due.

        Args:
            known: how many positions have been found.
            room: says how many there is room for.

        Raises:
            BudgetError: there are more positions than that.
        """
        if known < self.due:
            return
        self.due = _AGAIN * known
        most = min(room(), MOST_POSITIONS)
        games = min(
            known // _A_GAME,
            self.memory // _BYTES_A_GAME,
            math.ceil(math.sqrt(2 * _NONE_MET * _BEYOND * most)),
        )
        least = at_least(self.expand, self.starts, games, most, known // _AN_EXPANSION)
        if least <= most:
            return
        message = (
            f"there are at least {least:,} positions, by a sample of {games:,} random games, and "
            f"there is room for {most:,}; {SMALLER}, or prove one position with zermelo.prove"
        )
        raise BudgetError(message, least, most)


def at_least(
    expand: Expand, starts: npt.NDArray[np.uint64], games: int, enough: int, work: int
) -> int:
    """Return a number of positions below which there are not, but for a small probability.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words).
        games: how many random games to draw.
        enough: a number beyond which the bound need not be better.
        work: about how many positions to expand at most, or what takes as long.
    """
    rng = np.random.default_rng(0)
    words = expand.words
    chunk = chunk_within(0, 1)
    buffers = Buffers.for_rules(expand, chunk, chunk * CAPACITY)
    keys = np.ascontiguousarray(starts).reshape(-1, words)
    at = rng.integers(0, len(keys), games)
    best = len(keys)
    while len(at) > 1 and work > 0:
        work -= max(len(keys), len(at) // _MOVED)
        keys, at = _move(expand, keys, at, buffers, rng)
        met = np.bincount(at)
        pairs = int(np.sum(met * (met - 1))) // 2
        drawn = len(at) * (len(at) - 1) // 2
        best = max(best, int(drawn / (pairs + _SPREAD * math.sqrt(pairs) + _NONE_MET)))
        if best > enough:
            break
    return best


def _move(
    expand: Expand,
    keys: npt.NDArray[np.uint64],
    at: npt.NDArray[np.int64],
    buffers: Buffers,
    rng: np.random.Generator,
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Make a random move in each game that is not over.

    Args:
        expand: the compiled rules.
        keys: packed positions, all different, shape (k, words).
        at: the row of ``keys`` that each game has come to.
        buffers: what positions are expanded into.
        rng: draws the moves.

    Returns:
        The same of the positions after the move.
    """
    flat, count = keys.reshape(-1), len(keys)
    order = np.argsort(at, kind="stable")
    bounds = np.searchsorted(at[order], np.arange(count + 1))
    reached = []
    begin, size = 0, len(buffers.ends)
    while begin < count:
        done, _ = run_expand(expand, flat, begin, min(begin + size, count), buffers)
        ends = buffers.ends[:done].astype(np.int64)
        options = np.diff(ends, prepend=0)
        games = at[order[bounds[begin] : bounds[begin + done]]] - begin
        games = games[options[games] > 0]
        draw = (rng.random(len(games)) * options[games]).astype(np.int64)
        children = buffers.children[: int(ends[-1]) * expand.words].reshape(-1, expand.words)
        reached.append(children[ends[games] - options[games] + draw])
        begin += done
    rows = np.concatenate(reached)
    _, first, places = np.unique(_mixed(rows), return_index=True, return_inverse=True)
    return np.ascontiguousarray(rows[first]), places.reshape(-1)


def _mixed(rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return a number for each row; where two rows share one, the bound is only lower."""
    mixed = rows[:, 0].copy()
    for column in rows.T[1:]:
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX + column
    return mixed
