"""Early refusal of games that are too large: a lower bound from a sample of random games."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.expand.birthday_bound import bound_of, games_for
from zermelo._engine.expand.expander import (
    CAPACITY,
    Buffers,
    Expand,
    buffer_bytes,
    chunk_size,
    expanded_parts,
)
from zermelo._engine.expand.graph_memory import SMALLER
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

#: The growth of the number of positions between two samples.
_GROWTH = 4
#: The positions found, and the bytes of the budget, for each game of a sample.
_POSITIONS_PER_GAME, _BYTES_PER_GAME = 8, 4096
#: The moves that a sample expands for each position found.
_MOVES_PER_POSITION = 2
#: For the first, small sample: the ratio of the bound that it can prove to the positions found.
_FIRST_FACTOR = 5
#: The seconds of discovery, and the positions found, from which on it is drawn early.
_FIRST_SECONDS, _FIRST_LEAST_POSITIONS = 3.0, 1 << 12
#: The multiplier of a hash of the words of a position.
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass
class SizeEstimator:
    """Samples drawn during discovery, to refuse a game early that will not fit in memory.

    Attributes:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words).
        memory: the memory budget in bytes.
        report: receives the lower bound of the number of positions.
        due: the number of positions found when the next sample is drawn.
    """

    expand: Expand
    starts: Uint64Array
    memory: int
    report: Reporter
    due: int = field(default_factory=lambda: limits.current().foreseen)
    _first: bool = field(default=True, init=False)
    _began: float = field(default_factory=time.perf_counter, init=False)

    def sample_if_due(self, known: int, capacity: Callable[[], int]) -> None:
        """Draw a sample if one is due.

        Args:
            known: the number of positions found.
            capacity: returns the number of positions that fit in memory.

        Raises:
            BudgetError: the game has more positions.
        """
        if known >= self.due:
            self.due, self._first = _GROWTH * known, False
            self._sample(
                known // _POSITIONS_PER_GAME,
                _MOVES_PER_POSITION * known,
                min(capacity(), MOST_POSITIONS),
            )
        elif self._first and known >= _FIRST_LEAST_POSITIONS and self._is_due(known):
            self._first = False
            most = min(capacity(), MOST_POSITIONS)
            self._sample(games_for(_FIRST_FACTOR * known), known, most)

    def _is_due(self, known: int) -> bool:
        """Whether enough positions were found, or discovery was long enough, for a sample."""
        is_large = known >= limits.current().foretold
        return is_large or time.perf_counter() - self._began > _FIRST_SECONDS

    def _sample(self, games: int, work: int, most: int) -> None:
        """Play random games, and raise BudgetError if the bound exceeds ``most``."""
        games = min(games, self.memory // _BYTES_PER_GAME, games_for(most))
        chunk = chunk_size(self.memory, buffer_bytes(self.expand))
        least = lower_bound(self.expand, self.starts, games, most, work, chunk)
        self.report.expect(least)
        if least <= most:
            return
        message = (
            f"there are at least {least:,} positions, by a sample of {games:,} random games, and "
            f"there is room for {most:,}; {SMALLER}"
        )
        raise BudgetError(message, least, most)


def lower_bound(
    expand: Expand, starts: Uint64Array, games: int, target: int, work: int, chunk: int
) -> int:
    """Return a lower bound of the number of positions, wrong with a very small probability.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words).
        games: the number of random games.
        target: a sufficient bound, after which sampling stops.
        work: the approximate number of moves to expand at most.
        chunk: the positions that are expanded in one batch.
    """
    rng = np.random.default_rng(0)
    words = expand.words
    buffers = Buffers.for_rules(expand, chunk, chunk * CAPACITY)
    keys = np.ascontiguousarray(starts).reshape(-1, words)
    game_positions = rng.integers(0, len(keys), games)
    best = len(keys)
    while len(game_positions) > 1 and work > 0:
        moves, keys, game_positions = _play_random_moves(expand, keys, game_positions, buffers, rng)
        work -= max(moves, len(game_positions))
        best = max(best, bound_of(np.bincount(game_positions)))
        if best > target:
            break
    return best


def _play_random_moves(
    expand: Expand,
    keys: Uint64Array,
    game_positions: Int64Array,
    buffers: Buffers,
    rng: np.random.Generator,
) -> tuple[int, Uint64Array, Int64Array]:
    """Make a random move in each unfinished game.

    Args:
        expand: the compiled rules.
        keys: distinct packed positions, shape (k, words).
        game_positions: the row of ``keys`` of each game's position.
        buffers: the buffers of expansions.
        rng: the random generator.

    Returns:
        The number of moves expanded, and ``keys`` and ``game_positions`` after the move.
    """
    flat, count = keys.reshape(-1), len(keys)
    order = np.argsort(game_positions, kind="stable")
    bounds = np.searchsorted(game_positions[order], np.arange(count + 1))
    reached, moves = [], 0
    for part in expanded_parts(expand, flat, count, buffers, len(buffers.ends)):
        ends = part.ends.astype(np.int64)
        options = np.diff(ends, prepend=0)
        games = game_positions[order[bounds[part.begin] : bounds[part.end]]] - part.begin
        games = games[options[games] > 0]
        moves += part.moves
        draw = (rng.random(len(games)) * options[games]).astype(np.int64)
        reached.append(part.children[ends[games] - options[games] + draw])
    rows = np.concatenate(reached)
    _, first, places = np.unique(_row_hashes(rows), return_index=True, return_inverse=True)
    return moves, np.ascontiguousarray(rows[first]), places.reshape(-1)


def _row_hashes(rows: Uint64Array) -> Uint64Array:
    """Return a hash of each row; if two rows share one, the bound is only lower."""
    mixed = rows[:, 0].copy()
    for column in rows.T[1:]:
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX + column
    return mixed
