"""Expansion of positions part by part, into buffers of any size."""

from __future__ import annotations

import numpy as np
import pytest

from zermelo._compile.rules import compile_rules
from zermelo._engine.expand.expander import Buffers, expanded, expanded_parts
from zermelo.games import TicTacToe


@pytest.fixture(scope="module")
def compiled():
    """Return compiled rules."""
    return compile_rules(TicTacToe())


def keys_of(compiled):
    """Return the start and the positions up to three moves on, packed."""
    layout, rules = compiled.rules.layout, compiled.rules
    found = [rules.game.start()]
    for position in found:
        if len(found) < 300:
            found += [rules.play(position, move) for move in rules.moves(position)]
    return found, np.array([layout.pack(p) for p in found], np.uint64).reshape(-1)


@pytest.mark.parametrize("capacity", [1, 9, 10, 100, 10_000])
def test_parts_give_the_children_of_the_rules(compiled, capacity):
    """Neither the capacity of the buffers nor the size of parts changes the children."""
    positions, keys = keys_of(compiled)
    rules, unpack = compiled.rules, compiled.rules.layout.unpack
    expected = [[rules.play(p, move) for move in rules.moves(p)] for p in positions]
    buffers = Buffers.for_rules(compiled, len(positions), capacity)
    whole = expanded(compiled, keys, len(positions), buffers)
    parts = list_of_parts(compiled, keys, len(positions), capacity)
    assert [len(children) for children in expected] == np.diff(whole.ends, prepend=0).tolist()
    assert [child for children in expected for child in children] == [
        unpack(row) for row in whole.children
    ]
    ends = [end for _, end, _, _ in parts]
    assert [0, *ends[:-1]] == [begin for begin, *_ in parts]
    assert ends[-1] == len(positions)
    assert max(end - begin for begin, end, _, _ in parts) <= 7
    assert np.array_equal(np.concatenate([rows for *_, rows in parts]), whole.children)
    assert np.array_equal(np.concatenate([values for _, _, values, _ in parts]), whole.values)


def list_of_parts(compiled, keys, count, capacity):
    """Return each part of at most seven positions: its bounds, and copies of its arrays."""
    buffers = Buffers.for_rules(compiled, count, capacity)
    return [
        (part.begin, part.end, part.values.copy(), part.children.copy())
        for part in expanded_parts(compiled, keys, count, buffers, 7)
    ]


def test_no_positions_have_no_moves(compiled):
    """Without positions all arrays are empty."""
    nothing = expanded(compiled, np.empty(0, np.uint64), 0)
    assert [len(array) for array in nothing] == [0] * 5
    assert nothing.children.shape == (0, compiled.words)
