"""Lists of positions are read as they were written, part by part, and sorted as NumPy sorts."""

from __future__ import annotations

import numpy as np
import pytest

from support.sizes import counts
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import kernel
from zermelo._engine.sort.sorted_keys import ascending
from zermelo._methods.levels.cluster import position_lists


@kernel
def parts_of(keys, words, bits, out):
    """Write which part each position is in."""
    for i in range(out.size):
        out[i] = (hash_of(keys, i * words, words) >> np.uint64(64 - bits)) & np.uint64(
            position_lists.PARTS - 1
        )


def parts(rows, bits):
    """Return which part each position is in."""
    out = np.empty(len(rows), np.int64)
    parts_of(np.ascontiguousarray(rows).reshape(-1), rows.shape[1], bits, out)
    return out


def listed(keys, words):
    """Return how many different positions a list has, and its bytes."""
    out = position_lists.list_buffer(len(keys) // words, words)
    count, size = position_lists.pack_list(keys.copy(), len(keys) // words, words, out)
    return count, out[:size]


def unpacked(packed, count, words):
    """Return the positions of a list, and how many bytes were read."""
    out = np.empty(count * words, np.uint64)
    padded = np.append(packed, np.full(position_lists.SLACK, 255, np.uint8))
    return out, position_lists.unpack_list(padded, count, words, out)


def read_again(packed, count, words, before=3):
    """Return the positions of a list that stands behind other bytes, and how many are read."""
    out = np.empty(count * words, np.uint64)
    filled = [np.full(n, 255, np.uint8) for n in (before, position_lists.SLACK)]
    padded = np.concatenate((filled[0], packed, filled[1]))
    return out.reshape(-1, words), position_lists.unpack_parts(
        padded, before, len(packed), words, out
    )


@counts(100, 3000)
def test_lists_are_read_as_they_were_written(count):
    """Differences of all sizes, duplicates, one word and several, no position at all."""
    rng = np.random.default_rng(count)
    for n in range(count):
        words, size = int(rng.integers(1, 4)), int(rng.integers(0, 60))
        bits = int(rng.integers(0, 65))
        top = (1 << bits) - 1
        rows = rng.integers(0, top, (size, words), np.uint64, endpoint=True)
        rows = rows[rng.integers(0, max(1, size), size)] if n % 2 else rows
        keys = np.ascontiguousarray(rows).reshape(-1)
        if words == 1:
            room = np.empty(size, np.uint64), np.empty(1 << 11, np.int64)
            keys = position_lists.sort_short(keys.copy(), size, np.uint64(top), *room)
            assert (keys == np.sort(rows.reshape(-1))).all()
        else:
            keys = keys.reshape(-1, words)[ascending(keys, words)].reshape(-1)
        distinct, packed = listed(keys, words)
        found, used = unpacked(packed, distinct, words)
        assert used == len(packed)
        assert (found.reshape(-1, words) == np.unique(rows, axis=0)).all()
        if len(packed):
            assert unpacked(packed[:-1], distinct, words)[1] == -1


@counts(100, 3000)
def test_lists_in_parts_are_read_as_they_were_written(count):
    """Differences of all sizes, duplicates, one word and several, no position at all."""
    rng = np.random.default_rng(count)
    rooms = {words: position_lists.ListRoom(words) for words in (1, 2, 3)}
    for n in range(count):
        words, size = int(rng.integers(1, 4)), int(rng.integers(0, 60))
        first = int(rng.integers(position_lists.PART_BITS, 9))
        bits = int(rng.integers(0, 65))
        top = (1 << bits) - 1
        rows = rng.integers(0, top, (size, words), np.uint64, endpoint=True)
        rows = rows[rng.integers(0, max(1, size), size)] if n % 2 else rows
        keys = np.ascontiguousarray(rows).reshape(-1)
        distinct, packed = rooms[words].list_positions(keys.copy(), first, np.uint64(top))
        found, read = read_again(packed, distinct, words)
        assert read == distinct
        unique = np.unique(rows, axis=0)
        order = np.argsort(parts(unique, first), kind="stable")
        assert (found == unique[order]).all()
        assert read_again(packed[:-1], distinct, words)[1] == -1
        assert read_again(np.append(packed, np.uint8(0)), distinct, words)[1] == -1
        if distinct:
            assert read_again(packed, distinct - 1, words)[1] == -1


@counts(30, 500)
def test_one_part_of_several_lists(count):
    """The positions of a part follow each other, list by list, behind what there is."""
    rng = np.random.default_rng(count)
    for _ in range(count):
        words, bits = int(rng.integers(1, 3)), int(rng.integers(position_lists.PART_BITS, 9))
        room = position_lists.ListRoom(words)
        packed, rows = [], []
        for _ in range(rng.integers(1, 5)):
            keys = rng.integers(0, 1 << 40, int(rng.integers(0, 90)) * words, np.uint64)
            rows.append(np.unique(keys.reshape(-1, words), axis=0))
            packed.append(room.list_positions(keys, bits, np.uint64((1 << 40) - 1))[1].copy())
        begins = np.concatenate(([0], np.cumsum([len(each) for each in packed])))
        data = np.concatenate((*packed, np.zeros(position_lists.SLACK, np.uint8)))
        for part in range(position_lists.PARTS):
            wanted = np.concatenate([each[parts(each, bits) == part] for each in rows])
            out = np.zeros((2 + len(wanted)) * words, np.uint64)
            assert position_lists.unpack_part(data, begins, part, words, out, 2) == 2 + len(wanted)
            assert (out.reshape(-1, words)[2:] == wanted).all()
            if len(wanted):
                assert position_lists.unpack_part(data, begins, part, words, out[:-1], 2) == -1


def test_near_positions_take_few_bytes():
    """Two bytes and a quarter where positions of a part are less than 2**16 apart."""
    keys = np.arange(4000, dtype=np.uint64) * np.uint64(150)
    packed = position_lists.ListRoom(1).list_positions(
        keys, position_lists.PART_BITS, np.uint64((1 << 40) - 1)
    )[1]
    assert len(packed) - position_lists.HEAD == pytest.approx(2.25 * 4000, rel=0.02)
