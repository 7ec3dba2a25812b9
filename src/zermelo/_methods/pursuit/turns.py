"""The turns of a pursuit as arrays, with terminal positions decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from zermelo._engine.core.array_types import (
    BoolArray,
    Int16Array,
    Int32Array,
    Int64Array,
    IntArray,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import zeros
from zermelo._methods.pursuit import kernels_rows
from zermelo._methods.pursuit.graphs import NodeMoves, PursuitGraphs

#: Bytes of every solve that no array accounts for.
_FIXED_BYTES = 1 << 16

Words = Uint64Array
Flags = Uint8Array

_NOTHING: Words = np.empty((0, 0), np.uint64)


@dataclass
class Turn:
    """The state of the positions in which one side, or one pursuer, is to move.

    Attributes:
        marks: if they are stored, remoteness + 1 if the mover wins, minus that if it loses, 0 if
            neither side can force an end; shape (rows, columns), rows being the evader's nodes in
            its turn, and teams of pursuers in theirs (the first pursuer's node counts most).
    """

    moves: NodeMoves
    stride: int
    rows: int
    bits: int
    live: Words
    dead: Flags
    closed: Flags
    changed: Flags
    touched: Flags
    win: Words
    lose: Words
    fresh_win: Words
    fresh_lose: Words
    narrow: Int16Array
    wide: Int32Array
    good: Words = field(default_factory=lambda: _NOTHING)
    bad: Words = field(default_factory=lambda: _NOTHING)
    stages: list[Stage] = field(default_factory=list)
    listed: Int64Array = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def marks(self) -> IntArray:
        """The marks; see the class."""
        flat = self.wide if self.wide.size else self.narrow
        return flat.reshape(self.rows, self.bits)

    @property
    def words(self) -> int:
        """The number of words in a row."""
        return len(self.live)

    def forget(self) -> None:
        """Release all rows."""
        self.win = self.lose = self.fresh_win = self.fresh_lose = _NOTHING
        self.good = self.bad = _NOTHING
        self.stages = []


@dataclass
class Stage:
    """One pursuer's part of a move of several together, with its rows from round to round."""

    moves: NodeMoves
    stride: int
    good: Words
    bad: Words
    touched: Flags


def needed_bytes(board: PursuitGraphs) -> int:
    """Return the most bytes that solving takes, if no mark needs more than 16 bits."""
    marks = 2 * board.turns * board.size * board.teams
    graphs = {id(moves): moves.bytes for moves in (board.evader, *board.pursuers)}
    flags = 16 * (board.size + board.teams)
    return marks + row_bytes(board) + flags + sum(graphs.values()) + board.given + _FIXED_BYTES


def row_bytes(board: PursuitGraphs) -> int:
    """Return the bytes of all rows of bits."""
    n, teams = board.size, board.teams
    evaders, pursuers = n * words_of(teams), teams * words_of(n)
    stage_matrices = 2 * (len(board.pursuers) - 1) if board.together else 0
    pursuer_turns = board.turns - 1
    return 8 * (6 * evaders + (4 * pursuer_turns + 2 + stage_matrices) * pursuers)


def list_bytes(board: PursuitGraphs) -> int:
    """Return the bytes that rounds by lists take in addition."""
    n, teams = board.size, board.teams
    graphs = {id(moves): moves.bytes for moves in (board.evader, *board.pursuers)}
    # Lists are used only while they are shorter than this share of the rows of bits.
    return 4 * (n * words_of(teams) + (board.turns - 1) * teams * words_of(n)) + sum(
        graphs.values()
    )


def words_of(bits: int) -> int:
    """Return the number of words of ``bits`` bits."""
    return (bits + 63) >> 6


def _matrix(rows: int, bits: int) -> Words:
    words = words_of(bits)
    return zeros(rows * words, np.uint64).reshape(rows, words)


def _as_bits(flags: BoolArray) -> Words:
    padded = np.zeros(words_of(len(flags)) * 64, np.bool_)
    padded[: len(flags)] = flags
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)


def _any_member(flags: Sequence[BoolArray]) -> BoolArray:
    """Return by team whether any of its members has the flag of its node."""
    team = np.zeros(1, np.bool_)
    for of_one in flags:
        team = (team[:, np.newaxis] | of_one).reshape(-1)
    return team


def begin(board: PursuitGraphs, *, marked: bool) -> tuple[list[Turn], int]:
    """Create the turns, with terminal positions decided; return the number of these too.

    Args:
        board: the pursuit.
        marked: whether marks are stored, in addition to wins and losses.
    """
    n, k, teams = board.size, len(board.pursuers), board.teams
    dead = _any_member([board.forbidden] * k)
    stuck = [np.diff(moves.indptr) == 0 for moves in board.pursuers]
    strides = [n ** (k - 1 - i) for i in range(k)]
    no_nodes = np.zeros(n, np.bool_)
    all_nodes = np.ones(n, np.bool_)

    kinds = np.where(board.safe, 1, np.where(np.diff(board.evader.indptr) == 0, 2, 0))
    turns = [_turn(board.evader, 1, n, ~dead, no_nodes, marked=marked)]
    decided = _terminals(turns[0], kinds, no_nodes, board, has_team_rows=0)
    movers = [(0, _any_member(stuck))] if board.together else []
    for i in range(0 if board.together else k):
        stuck_members = [stuck[j] if j == i else no_nodes for j in range(k)]
        movers.append((i, _any_member(stuck_members)))
    for i, helpless in movers:
        turn = _turn(board.pursuers[i], strides[i], teams, all_nodes, dead, marked=marked)
        kinds = np.where(dead, 3, np.where(helpless, 4, 0))
        decided += _terminals(turn, kinds, board.safe, board, has_team_rows=1)
        if board.together:
            turn.stages = [
                Stage(
                    board.pursuers[j],
                    strides[j],
                    _matrix(teams, n),
                    _matrix(teams, n),
                    np.zeros(teams, np.uint8),
                )
                for j in range(k - 1, 0, -1)
            ]
        turns.append(turn)
    for u, turn in enumerate(turns):
        next_turn = turns[(u + 1) % len(turns)]
        if is_turned(u, len(turns)):
            turn.good, turn.bad = _matrix(turn.rows, turn.bits), _matrix(turn.rows, turn.bits)
        else:
            turn.good, turn.bad = next_turn.win, next_turn.lose
    return turns, decided


def is_turned(u: int, turns: int) -> bool:
    """Return whether the turn after the u-th belongs to the other side."""
    return u in (0, turns - 1)


def _turn(
    moves: NodeMoves,
    stride: int,
    rows: int,
    live: BoolArray,
    dead: BoolArray,
    *,
    marked: bool,
) -> Turn:
    bits = len(live)
    return Turn(
        moves,
        stride,
        rows,
        bits,
        _as_bits(live),
        dead.astype(np.uint8),
        closed=np.zeros(rows, np.uint8),
        changed=np.zeros(rows, np.uint8),
        touched=np.zeros(rows, np.uint8),
        win=_matrix(rows, bits),
        lose=_matrix(rows, bits),
        fresh_win=_matrix(rows, bits),
        fresh_lose=_matrix(rows, bits),
        narrow=zeros(rows * bits if marked else 0, np.int16),
        wide=np.empty(0, np.int32),
    )


def _terminals(
    turn: Turn,
    kinds: Int64Array,
    columns: BoolArray,
    board: PursuitGraphs,
    has_team_rows: int,
) -> int:
    lost = columns if has_team_rows else np.zeros(turn.bits, np.bool_)
    return int(
        kernels_rows.decide_terminals(
            kinds.astype(np.uint8),
            _as_bits(lost),
            len(board.pursuers),
            board.size,
            has_team_rows,
            turn.live,
            turn.win,
            turn.lose,
            turn.fresh_win,
            turn.fresh_lose,
            turn.changed,
            turn.closed,
            turn.narrow,
            turn.wide,
            turn.bits,
        )
    )


@kernel
def _transpose(
    ptr: Int64Array, adj: Int32Array, indegrees_end: Int64Array, parents: Int32Array
) -> None:
    """Fill the CSR arrays of the transposed graph; ``indegrees_end`` is initially 0."""
    for e in range(adj.size):
        indegrees_end[adj[e] + 1] += 1
    for v in range(indegrees_end.size - 1):
        indegrees_end[v + 1] += indegrees_end[v]
    next_index = indegrees_end[:-1].copy()
    for v in range(ptr.size - 1):
        for e in range(ptr[v], ptr[v + 1]):
            parents[next_index[adj[e]]] = v
            next_index[adj[e]] += 1


def reverse(moves: NodeMoves) -> NodeMoves:
    indegrees_end = np.zeros(len(moves.indptr), np.int64)
    parents = np.empty(len(moves.indices), np.int32)
    _transpose(moves.indptr, moves.indices, indegrees_end, parents)
    return NodeMoves(indegrees_end, parents)
