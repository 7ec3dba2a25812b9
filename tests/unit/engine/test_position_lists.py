"""Lists of positions are read as they were written, part by part, and sorted as NumPy sorts.

A solve writes lists where memory is short, in gigabytes; their ends and sizes are chosen here.
"""

from __future__ import annotations

import numpy as np
import pytest

from support.sizes import counts
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.sort import position_lists
from zermelo._engine.sort.buckets import Partitions
from zermelo._engine.store.arrays import FileArray
from zermelo._methods.levels.queue import QueuedLists
from zermelo._methods.levels.storage import MemoryArray


@kernel
def parts_of(keys, words, bits, out):
    """Write which part each position is in."""
    for i in range(out.size):
        out[i] = (hash_of(keys, i * words, words) >> np.uint64(64 - bits)) & np.uint64(
            position_lists.PARTS - 1
        )


def parts(rows, bits):
    """Return the number of the part of each position."""
    out = np.empty(len(rows), np.int64)
    parts_of(np.ascontiguousarray(rows).reshape(-1), rows.shape[1], bits, out)
    return out


def random_rows(rng, words, n):
    """Return some positions, with words of any number of bits, every second time with copies."""
    size, bits = int(rng.integers(0, 60)), int(rng.integers(0, 65))
    rows = rng.integers(0, (1 << bits) - 1, (size, words), np.uint64, endpoint=True)
    return rows[rng.integers(0, max(1, size), size)] if n % 2 else rows


def flat(rows):
    """Return a copy of positions as an array of words."""
    return np.array(rows).reshape(-1)


def unpacked(packed, count, words):
    """Return the positions of a list, and how many bytes were read."""
    out = np.empty(count * words, np.uint64)
    padded = np.append(packed, np.full(position_lists.SLACK, 255, np.uint8))
    return out.reshape(-1, words), position_lists.unpack_list(padded, count, words, out)


@counts(100, None, 3000)
def test_positions_are_sorted(count):
    """One word and several, many and none, with the numbers that go with them or without any."""
    rng = np.random.default_rng(count)
    begins = np.empty(position_lists.DIGITS, np.int64)
    for n in range(count):
        words = int(rng.integers(1, 4))
        rows = random_rows(rng, words, n)
        other, order = np.empty(rows.size, np.uint64), np.lexsort(rows.T[::-1])
        sources = np.arange(len(rows) if n % 2 else 0, dtype=np.uint16)
        found, after = position_lists.sort_positions(
            flat(rows), sources.copy(), len(rows), words, other, sources.copy(), begins
        )
        assert (found.reshape(-1, words) == rows[order]).all()
        assert after.tolist() == (order.tolist() if n % 2 else [])


@counts(100, None, 3000)
def test_lists_are_read_as_they_were_written(count):
    """Differences of all sizes, duplicates, one word and several, no position at all."""
    rng = np.random.default_rng(count)
    coders = {words: position_lists.ListCoder(words) for words in (1, 2, 3)}
    for n in range(count):
        words = int(rng.integers(1, 4))
        rows = random_rows(rng, words, n)
        distinct, packed = coders[words].list_positions(flat(rows))
        found, used = unpacked(packed, distinct, words)
        assert used == len(packed)
        assert (found == np.unique(rows, axis=0)).all()
        assert unpacked(np.append(packed, np.uint8(0)), distinct, words)[1] == -1
        if len(packed):
            assert unpacked(packed[:-1], distinct, words)[1] == -1


def listed(rng, words, bits, column, begin):
    """Write lists in parts to a column; return their distinct positions, and the parts' heads."""
    coder = position_lists.ListCoder(words)
    packed, rows = [], []
    for n in range(rng.integers(1, 5)):
        rows.append(random_rows(rng, words, n))
        distinct, data = coder.list_parts(flat(rows[-1]), bits)
        rows[-1] = np.unique(rows[-1], axis=0)
        assert distinct == len(rows[-1])
        packed.append(data.copy())
    data = np.concatenate((*packed, np.zeros(position_lists.SLACK, np.uint8)))
    column.append(data)
    begins = np.concatenate(([0], np.cumsum([len(each) for each in packed])))
    firsts, counts = position_lists.read_heads(data, begins)
    assert (firsts[:, -1] == begins[1:]).all()
    return rows, firsts + begin, counts


@counts(None, 250, 500)
def test_queued_lists(count, tmp_path):
    """Partitions of lists in memory and in a file follow each other behind what there is."""
    rng = np.random.default_rng(count)
    with Scratch(tmp_path) as scratch:
        for n in range(count):
            words, bits = int(rng.integers(1, 3)), int(rng.integers(position_lists.PART_BITS, 9))
            column = FileArray(scratch, np.uint8) if n % 2 else MemoryArray(np.uint8, 1 << 30)
            first = int(rng.integers(0, 9)) << position_lists.PART_BITS
            queued = QueuedLists(column, words, OSError("damaged"), first)
            every = []
            for _ in range(2):
                rows, begins, sizes = listed(rng, words, bits, column, len(column))
                every += rows
                queued.add(begins, sizes)
            assert queued.count == sum(map(len, every))
            for part in range(position_lists.PARTS):
                wanted = np.concatenate([each[parts(each, bits) == part] for each in every])
                assert queued.size(first + part) == len(wanted)
                out = np.zeros((2 + len(wanted)) * words, np.uint64)
                assert queued.gather(first + part, out, 2) == 2 + len(wanted)
                assert (out.reshape(-1, words)[2:] == wanted).all()


@counts(10, None, 100)
def test_partitions_that_are_written_as_lists(count, tmp_path):
    """They are read from several lists, each position of a list once."""
    rng = np.random.default_rng(count)
    with Scratch(tmp_path) as scratch:
        for n in range(count):
            words, bits = int(rng.integers(1, 3)), int(rng.integers(0, 4))
            column = FileArray(scratch, np.uint8)
            queued = QueuedLists(column, words, OSError("damaged"))
            coder, every = position_lists.ListCoder(words), []
            for _ in range(3):
                rows = random_rows(rng, words, n)
                partitions = Partitions(words, 1 << 30)
                partitions.begin(bits)
                partitions.add(flat(rows), np.zeros(len(rows), np.int64), len(rows), 0)
                queued.write(partitions, lambda size, w=words: np.empty(size * w, np.uint64), coder)
                every.append(np.unique(rows, axis=0))
            found = []
            for partition in range(1 << bits):
                out = np.zeros((queued.size(partition) + 1) * words, np.uint64)
                end = queued.gather(partition, out, 0)
                found.append(out[: end * words].reshape(-1, words))
            both = [rows[np.lexsort(rows.T[::-1])] for rows in map(np.concatenate, (found, every))]
            assert (both[0] == both[1]).all()


def test_a_damaged_list_is_told():
    """The number of bytes differs from that of the positions."""
    column = MemoryArray(np.uint8, 1 << 30)
    keys = np.arange(400, dtype=np.uint64)
    distinct, data = position_lists.ListCoder(1).list_positions(keys)
    column.append(np.append(data, np.zeros(position_lists.SLACK, np.uint8)))
    queued = QueuedLists(column, 1, OSError("damaged"))
    queued.add(np.array([[0, len(data)]]), np.array([[distinct - 1]]))
    with pytest.raises(OSError, match="damaged"):
        queued.gather(0, np.empty(400, np.uint64), 0)


def test_near_positions_take_few_bytes():
    """Two bytes and a quarter where positions of a part are less than 2**16 apart."""
    keys = np.arange(4000, dtype=np.uint64) * np.uint64(150)
    packed = position_lists.ListCoder(1).list_parts(keys, position_lists.PART_BITS)[1]
    assert len(packed) - position_lists.HEAD == pytest.approx(2.25 * 4000, rel=0.02)
