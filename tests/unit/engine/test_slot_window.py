"""Levels in files, loaded into slots: every position is found with its value, however crowded.

Lines are crowded in a solve of many millions of positions only.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

import zermelo
from support.sizes import counts
from zermelo import limits
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import kernel
from zermelo._methods.levels import file_storage, windows
from zermelo._methods.levels.storage import Level
from zermelo.games import ConnectFour


@kernel
def hashes(keys, out):
    """Write the hash of each key."""
    for i in range(keys.size):
        out[i] = hash_of(keys, i, 1)


class Column:
    """A column as a worker reads it."""

    def __init__(self, array):
        self.array = array

    def read(self, begin, out):
        out[:] = self.array[begin : begin + len(out)]
        return out


def random_levels(rng, shapes):
    """Return levels of random positions, their columns, and the level of each position."""
    levels, keys, offsets, level_of = {}, [], [], []
    for n, (count, bits) in shapes.items():
        level_keys = np.unique(rng.integers(0, 1 << 63, count, np.uint64))
        mixed = np.empty_like(level_keys)
        hashes(level_keys, mixed)
        order = np.argsort(mixed)
        if rng.integers(2):  # within a bucket they may stand in any order
            order = order[np.argsort(mixed[order] >> np.uint64(64 - bits), kind="stable")]
        before = sum(map(len, keys))
        filled = np.bincount((mixed >> np.uint64(64 - bits)).astype(np.int64), minlength=1 << bits)
        ends = np.concatenate(([0], np.cumsum(filled))) + before
        first = sum(map(len, offsets))
        levels[n] = Level(before, before + len(level_keys), len(level_keys), bits, first)
        keys.append(level_keys[order])
        offsets.append(ends.astype(np.uint32))
        level_of.append(np.full(len(level_keys), n))
    all_keys = np.concatenate(keys)
    columns = {
        "keys": Column(all_keys),
        "offsets": Column(np.concatenate(offsets)),
        "values": Column(rng.integers(0, 243, len(all_keys)).astype(np.uint8)),
        "turns": Column(rng.integers(0, 2, len(all_keys)).astype(np.uint8)),
    }
    return levels, columns, np.concatenate(level_of)


def window_of(levels, columns, pool, *, turned):
    """Return a window of levels."""
    error = OSError("absent")
    return windows.SlotWindow(levels, columns, pool, [None] * 2, turned=turned, error=error)


def check_look_ups(rng, window, columns, level_of, places):
    """Compare what is found of some positions with what was put there."""
    numbers = np.empty(len(places), np.int64)
    buffers = SimpleNamespace(children=columns["keys"].array[places])
    workspace = SimpleNamespace(buffers=buffers, child_levels=level_of[places], numbers=numbers)
    numbers, turns, values = window.look_up_children(workspace, len(places))
    assert (values[numbers] == columns["values"].array[places]).all()
    if len(turns):
        assert (turns[numbers] == columns["turns"].array[places]).all()


@counts(None, 100)
def test_every_position_is_found(count):
    """Levels next to each other and apart, thin and crowded, with turns and without."""
    rng = np.random.default_rng(count)
    with ThreadPoolExecutor(2) as pool:
        for n in range(count):
            shapes = {
                int(level): (int(rng.integers(1, 30000)), int(rng.integers(9, 16)))
                for level in rng.integers(-3, 9, rng.integers(1, 4))
            }
            levels, columns, level_of = random_levels(rng, shapes)
            with limits.using(sharing=0):
                assert windows.suits_slots(levels, 1, np.dtype(np.uint8))
            window = window_of(levels, columns, pool, turned=n % 2 == 1)
            assert window.fits
            assert window.bytes <= windows.slot_bytes(levels, 2)
            check_look_ups(
                rng, window, columns, level_of, rng.integers(0, len(level_of), 3 * len(level_of))
            )


def test_too_many_for_their_lines():
    """It is said, and nothing is written behind the lines."""
    rng = np.random.default_rng(5)
    _, columns, _ = random_levels(rng, {1: (3000, 9)})
    keys = columns["keys"].array
    slots = np.zeros(8 * 20, np.uint64)
    arguments = np.zeros(3000, np.uint8), np.empty(0, np.uint8)
    assert not windows.put_in_slots(keys, 3000, 9, 9, 0, 4, *arguments, slots)
    assert not slots[8 * 12 - 1 :].any()


def test_what_suits_slots():
    """Large levels, with positions of a word and values of a byte."""
    levels = {1: Level(0, 1 << 20, 1 << 20, 17, 0)}
    assert windows.suits_slots(levels, 1, np.dtype(np.uint8))
    assert not windows.suits_slots(levels, 2, np.dtype(np.uint8))
    assert not windows.suits_slots(levels, 1, np.dtype(np.int32))
    levels[2] = Level(0, 9, 9, 1, 0)
    assert not windows.suits_slots(levels, 1, np.dtype(np.uint8))
    assert not windows.suits_slots({1: Level(0, 9000, 9000, 12, 0)}, 1, np.dtype(np.uint8))


@pytest.mark.slow
def test_a_solve_on_disk_looks_children_up_in_slots(monkeypatch):
    """The values are those of a solve in memory."""
    fitted, window = [], windows.SlotWindow

    def record_window(*arguments, **options):
        fitted.append(window(*arguments, **options))
        return fitted[-1]

    monkeypatch.setattr(file_storage, "SlotWindow", record_window)
    alone = zermelo.solve(ConnectFour(4, 4), method="levels")
    with limits.using(in_memory=False, sharing=0):
        on_disk = zermelo.solve(ConnectFour(4, 4), method="levels", threads=2)
    assert fitted
    assert all(each.fits for each in fitted)
    assert on_disk.counts() == alone.counts()
    assert on_disk.verify()


@pytest.mark.slow
def test_a_position_that_is_not_there():
    """The error that was handed over is raised."""
    rng = np.random.default_rng(6)
    levels, columns, level_of = random_levels(rng, {1: (3000, 9)})
    with ThreadPoolExecutor(1) as pool:
        window = window_of(levels, columns, pool, turned=False)
    columns["keys"].array[7] += np.uint64(1)
    with pytest.raises(OSError, match="absent"):
        check_look_ups(rng, window, columns, level_of, np.arange(20))
