"""Packed moves are read as they were written, and rounds over them decide what others decide.

A solve packs moves once it has a million, and only a billion positions have differences of four
bytes; numbers of any size are chosen here.
"""

from __future__ import annotations

import numpy as np
import pytest

from support.sizes import counts
from zermelo._engine.backward.stored_rounds import MoveRows, PackedRows
from zermelo._engine.column.codes import LAST, NARROW, TIES, UNKNOWN
from zermelo._engine.store.packed_moves import PackedMoves, most_bytes, pack_rows

NOBODY, NO_VALUES = np.empty(0, np.uint8), np.empty(0, np.int32)


def random_moves(rng, positions, most):
    """Return the index of each position's first move, and children of any size up to ``most``."""
    degrees = rng.integers(0, rng.integers(1, 40), positions)
    first = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
    low = rng.integers(0, 1 << rng.integers(0, most.bit_length(), first[-1]), dtype=np.uint32)
    return first, np.where(rng.random(first[-1]) < 0.5, low, np.uint32(most) - low)


def packed_in_parts(rng, first, edges):
    """Return packed moves that are appended in random parts, packed before or not."""
    moves, begin, positions = PackedMoves(1 << 30), 0, len(first) - 1
    while begin < positions:
        end = min(positions, begin + int(rng.integers(1, 5000)))
        ends = (first[begin + 1 : end + 1] - first[begin]).astype(np.int32)
        low = int(first[begin])
        if rng.random() < 0.5:
            moves.append(ends, end - begin, edges, low, NO_VALUES, NOBODY)
        else:
            degrees = np.zeros(end - begin, np.uint32)
            rows = np.full(most_bytes(int(ends[-1]), end - begin), 255, np.uint8)
            given = (ends, end - begin, begin, edges, low, degrees, 0, rows, 0)
            size, count = pack_rows(*given, NOBODY, NO_VALUES, NOBODY)
            moves.append_packed(degrees, rows[:size], int(count))
        begin = end
    return moves


@pytest.mark.parametrize("threads", [1, 2])
@counts(4, 30)
def test_children_are_read_as_they_were_written(threads: int, count: int) -> None:
    """Children of any number, in any order, some of them equal."""
    rng = np.random.default_rng(1)
    for _ in range(count):
        first, edges = random_moves(rng, int(rng.integers(1, 30_000)), (1 << 32) - 2)
        moves = packed_in_parts(rng, first, edges)
        assert (moves.positions, moves.moves) == (len(first) - 1, len(edges))
        assert np.array_equal(moves.degrees[: moves.positions], np.diff(first))
        again = PackedMoves.from_arrays({name: a.copy() for name, a in moves.arrays.items()})
        for each in (moves, again):
            assert np.array_equal(each.unpack(first, threads), edges)


@counts(3, 30)
def test_rows_that_win_at_once_are_left_out(count: int) -> None:
    """Ends count once they are marked, and a player who moves twice wins by a win."""
    rng = np.random.default_rng(3)
    for n in range(count):
        positions = int(rng.integers(1, 2000))
        first, edges = random_moves(rng, positions, positions - 1)
        values = rng.choice([UNKNOWN] * 20 + [LAST, -LAST, TIES], positions).astype(np.int32)
        owners = rng.integers(0, 2, positions).astype(np.uint8) if n % 2 else NOBODY
        known = int(rng.integers(0, positions))
        moves = PackedMoves(1 << 30)
        for begin in range(0, known, 7):  # parts begin within a byte of bits
            moves.mark_won_ends(values, begin, min(begin + 7, known), positions)
        moves.append(first[1:].astype(np.int32), positions, edges, 0, values, owners)
        parents = np.repeat(np.arange(positions), np.diff(first))
        wins = values[edges] == -LAST
        if len(owners):
            wins = np.where(owners[parents] == owners[edges], values[edges] == LAST, wins)
        won = np.bincount(parents[wins & (edges < known)], minlength=positions) > 0
        left = np.where(won, 0, np.diff(first))
        assert np.array_equal(moves.degrees[:positions], left)
        assert np.array_equal(
            moves.unpack(np.concatenate([[0], np.cumsum(left)]).astype(np.int64), 1),
            edges[~won[parents]],
        )


@counts(None, 30)
def test_rounds_over_packed_moves_are_those_over_moves(count: int) -> None:
    """The same positions are decided, and the same moves are left, round after round."""
    rng = np.random.default_rng(2)
    for n in range(count):
        size, rows = 1 << 18, int(rng.integers(1, 20_000))
        first, edges = random_moves(rng, rows, size - 1)
        state = np.zeros(size, np.int16)
        chosen = rng.choice([0, 0, 0, 0, NARROW.last, -NARROW.last, NARROW.ties], size)
        state[:] = chosen
        degrees = np.diff(first)
        state[:rows] = np.where(degrees > 0, -degrees, chosen[:rows])
        owners = rng.integers(0, 2, size).astype(np.uint8) if n % 2 else NOBODY
        moves = packed_in_parts(rng, first, edges)
        plain = MoveRows(NOBODY, 0, rows, edges.copy(), 0, len(edges))
        blocks = [PackedRows(moves, block) for block in moves.blocks]
        states = [state, state.copy()]
        samples = [block.sample(state, owners, NARROW.ties) for block in blocks]
        expected = plain.sample(state, owners, NARROW.ties)
        assert tuple(np.sum(samples, axis=0)) == expected
        for level in range(1, 4):
            given = owners, NARROW.ties, NARROW.last - level
            decided = [block.decide(states[1], *given) for block in blocks]
            assert sum(decided) == plain.decide(states[0], *given)
            assert np.array_equal(*states)
            assert sum(block.moves for block in blocks) == plain.moves == moves.moves
        left = np.where((states[0] < 0) & (states[0] > -NARROW.ties), -states[0], 0)[:rows]
        first = np.concatenate([[0], np.cumsum(left)]).astype(np.int64)
        assert np.array_equal(moves.unpack(first, 1), plain.edges[: plain.moves])
