"""Kernels that answer a few questions as Python, before they are compiled.

Which of the two answers depends on what the process has compiled, so both are called.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import zermelo
from support.games.boards import Notakto
from zermelo._engine.index import direct, hash_index
from zermelo._methods.placement import index
from zermelo.games import ConnectFour


@pytest.mark.parametrize("words", [1, 3])
def test_positions_are_found_as_by_compiled_code(words: int) -> None:
    """Those that are there, those that are not, and those whose hashes share a place."""
    rng = np.random.default_rng(words)
    keys = rng.integers(0, 1 << 63, 500 * words, np.uint64)
    numbers = np.empty(300, np.uint32)
    known = np.empty(300 * words, np.uint64)
    table = hash_index.HashIndex(words)
    assert table.insert(keys[: 300 * words], 300, known, 0, numbers, 0) == 300
    asked = keys[200 * words : 400 * words]
    found = []
    for find in (hash_index.find, hash_index.find.interpreted):
        places = np.empty(200, np.int64)
        count = find(asked, 200, table.entered, table.form, known, places)
        found.append((int(count), places.tolist()))
    assert found[0] == found[1] == (100, [*range(200, 300), *[-1] * 100])


def test_positions_of_a_small_space_are_found_as_by_compiled_code() -> None:
    """Those that are there, those that are not, and those outside the space."""
    used, rng = 0b0110_1011, np.random.default_rng(7)
    table, keys = hash_index.HashIndex(1, used), np.empty(40, np.uint64)
    drawn = rng.integers(0, 256, 40, np.uint64) & np.uint64(used)
    known = table.insert(drawn, 40, keys, 0, np.empty(40, np.uint32), 0)
    assert table.is_direct
    asked = np.arange(256, dtype=np.uint64)
    found = []
    for find in (direct.find_direct, direct.find_direct.interpreted):
        places = np.empty(256, np.int64)
        count = find(asked, 256, table.entered, table.used, places)
        found.append((int(count), places.tolist()))
    assert found[0] == found[1]
    assert found[0][0] == known == len(set(drawn.tolist()))


@pytest.mark.parametrize("game", [ConnectFour(3, 3, 3), ConnectFour(4, 4), Notakto()], ids=repr)
def test_a_board_is_looked_up_as_by_compiled_code(game, monkeypatch) -> None:
    """Places and values, of positions that are there and of sets of stones that are none."""
    solution = zermelo.solve(game, method="placement")
    table = solution._solved.table
    rng = np.random.default_rng(5)
    places = np.sort(rng.integers(0, len(table), 60))
    packed = table.packed(places)
    packed = np.concatenate([packed, packed ^ np.uint64(1), packed << np.uint64(1)])
    found = []
    for run in (lambda kernel, _: kernel, lambda kernel, _: kernel.interpreted):
        monkeypatch.setattr(index, "interpreted_if_few", run)
        out = np.empty(len(packed), np.int64)
        here = table.places(packed, len(packed), out)
        found.append((here, out.tolist(), table.values(places).tolist()))
    assert found[0] == found[1]
    assert found[0][1][:60] == places.tolist()


@pytest.mark.slow
def test_a_few_questions_compile_nothing() -> None:
    """The moves of a start are looked up without; whoever asks about many positions compiles."""
    program = (
        "import zermelo; from zermelo.games import ConnectFour, TicTacToe;"
        "from zermelo._engine.index import direct;"
        "from zermelo._methods.placement import kernels_lookup as lookup;"
        "four = zermelo.solve(ConnectFour(3, 3, 3), method='placement');"
        "three = zermelo.solve(TicTacToe(), method='retrograde');"
        "four.options(), three.options();"
        "kernels = lookup.find, lookup.read_codes, direct.find_direct;"
        "print(*(len(kernel.overloads) for kernel in kernels));"
        "four.probe_many(list(four)), three.probe_many(list(three));"
        "print(*(len(kernel.overloads) for kernel in kernels))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "0 0 0\n1 1 1\n"
