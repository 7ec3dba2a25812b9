"""Random playouts from the start, in batches, for tables too large to compute probabilities."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.value_operations import ValueOperations, operations_of
from zermelo._engine.core.array_types import (
    BoolArray,
    Float64Array,
    Int32Array,
    Int64Array,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.expander import CAPACITY, Buffers, Expand, expanded_parts
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: The number of moves after which a game is stopped.
LONGEST = 2_000


@dataclass
class Games:
    """Results of games, from the view of the player who began.

    Attributes:
        result: codes of the outcomes without scores (1, 0, -1), else margins.
        length: the number of moves of each; LONGEST if it was stopped.
        over: whether it ended.
        margins: whether results are margins.
    """

    result: Int64Array
    length: Int64Array
    over: BoolArray
    margins: bool


@functools.cache
def _choice(operations: ValueOperations) -> Callable[..., Any]:
    """Return the kernel that chooses moves."""
    is_best, scored = operations.is_best, operations.scored

    @kernel
    def choose(
        ends: Int32Array,
        values: Int64Array,
        owners: Uint8Array,
        child_values: Int64Array,
        child_owners: Uint8Array,
        gains: Int64Array,
        errs: float,
        random: Float64Array,
        chosen: Int64Array,
    ) -> None:
        """Choose a move for each position, -1 if it has none."""
        begin = np.int64(0)
        for i in range(ends.size):
            end = np.int64(ends[i])
            moves = end - begin
            chosen[i] = -1
            if moves > 0 and random[i, 0] < errs:
                chosen[i] = begin + np.int64(random[i, 1] * moves)
            elif moves > 0:
                best_count = 0
                for e in range(begin, end):
                    same_mover = owners.size > 0 and owners[i] == child_owners[e]
                    gain = gains[e] if scored else 0
                    best_count += is_best(values[i], child_values[e], same_mover, gain)
                skipped_count = np.int64(random[i, 1] * best_count)
                for e in range(begin, end):
                    same_mover = owners.size > 0 and owners[i] == child_owners[e]
                    gain = gains[e] if scored else 0
                    if is_best(values[i], child_values[e], same_mover, gain):
                        if skipped_count == 0:
                            chosen[i] = e
                            break
                        skipped_count -= 1
            begin = end

    return choose


def play_out(
    expand: Expand,
    table: Table,
    errs: float,
    games: int,
    seed: int,
    report: Reporter,
    name: str,
) -> Games:
    """Play games from the first start.

    Args:
        expand: the compiled rules.
        table: the solved table, which gives the best moves.
        errs: the probability of a random move, from 0 to 1; else a best move is played.
        games: the number of games.
        seed: the random seed.
        report: receives the number of games done.
        name: the name of the playing model.
    """
    result, length = np.zeros(games, np.int64), np.zeros(games, np.int64)
    played = Games(result, length, np.zeros(games, np.bool_), table.kind.gains)
    chance = np.random.default_rng([seed, round(errs * 100)])
    with report.phase(name, games):
        for begin in range(0, games, PAGE):
            end = min(begin + PAGE, games)
            _GameBatch(expand, table, errs, chance, played, begin, end).play()
            report.advance(end)
    return played


class _GameBatch:
    """A batch of games that are played concurrently."""

    def __init__(
        self,
        expand: Expand,
        table: Table,
        errs: float,
        chance: np.random.Generator,
        results: Games,
        begin: int,
        end: int,
    ) -> None:
        self.expand, self.table, self.errs, self.chance = expand, table, errs, chance
        self.results = results
        self.games = np.arange(begin, end)
        self.keys = np.tile(table.packed(table.starts[:1]), end - begin).reshape(-1, expand.words)
        self.buffers = Buffers.for_rules(expand, end - begin, CAPACITY * (end - begin))
        self.owner: int | None = None

    def play(self) -> None:
        """Play until all games are over or too long."""
        for ply in range(LONGEST):
            self.make_moves(ply)
            if not len(self.games):
                return
        self.results.length[self.games] = LONGEST

    def make_moves(self, ply: int) -> None:
        """Make a move in every game that is not over."""
        keys = np.ascontiguousarray(self.keys).reshape(-1)
        live_games, next_keys = [], []
        for part in expanded_parts(self.expand, keys, len(self.games), self.buffers):
            games, count = self.games[part.begin : part.end], part.end - part.begin
            chosen = self.choose_moves(keys[part.begin * self.expand.words :], count, part.moves)
            signs = self.signs(ply, count)
            is_over = chosen < 0
            self.end(games[is_over], part.values[is_over], signs[is_over], ply)
            moves = chosen[~is_over]
            if self.expand.kind.gains:
                self.results.result[games[~is_over]] += signs[~is_over] * part.gains[moves]
            live_games.append(games[~is_over])
            next_keys.append(part.children[moves])
        self.games = np.concatenate(live_games)
        self.keys = np.concatenate(next_keys)

    def end(
        self,
        games: Int64Array,
        values: npt.NDArray[Any],
        signs: Int64Array,
        ply: int,
    ) -> None:
        """Store the results of games."""
        kind = self.expand.kind
        played = kind.to_played(values) if kind.gains else kind.outcomes(values)
        result = played.astype(np.int64)
        self.results.result[games] += signs * result
        self.results.length[games] = ply
        self.results.over[games] = True

    def signs(self, ply: int, count: int) -> Int64Array:
        """Return 1 for each game in which the player who began is to move, else -1."""
        if self.expand.alternate:
            return np.full(count, 1 - 2 * (ply & 1))
        owners = self.buffers.owners[:count].astype(np.int64)
        if self.owner is None:
            self.owner = int(owners[0])
        return np.where(owners == self.owner, 1, -1)

    def choose_moves(self, keys: Uint64Array, count: int, child_count: int) -> Int64Array:
        """Return the move made in each game, -1 if it is over."""
        buffers = self.buffers
        values = child_values = np.empty(0, np.int64)
        child_owners = np.empty(0, np.uint8)
        if self.errs < 1.0:
            values = self.position_values(keys, count)[0]
            child_values, child_owners = self.position_values(buffers.children, child_count)
        chosen = np.empty(count, np.int64)
        owners = buffers.owners[: 0 if self.expand.alternate else count]
        gains = buffers.gains[: child_count if self.expand.kind.gains else 0]
        choose = _choice(operations_of(self.table.kind.played))
        choose(buffers.ends[:count], values, owners, child_values, child_owners, gains,
               self.errs, self.chance.random((count, 2)), chosen)  # fmt: skip
        return chosen

    def position_values(self, keys: Uint64Array, count: int) -> tuple[npt.NDArray[Any], Uint8Array]:
        """Return the values of packed positions, and the players to move."""
        places = np.empty(count, np.int64)
        self.table.places(keys[: count * self.expand.words], count, places)
        values = self.table.kind.to_played(self.table.values(places))
        return values.astype(np.int64), self.table.owners(places)
