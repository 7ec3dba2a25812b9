"""Slots: positions mixed one to one, deduplicated, placed and found, whatever partitions hold.

Partitions are crowded in a solve of many millions of positions only.
"""

from __future__ import annotations

import numpy as np
import pytest

from zermelo._engine.core.jit import kernel
from zermelo._engine.core.portable import has_instructions
from zermelo._methods.levels import slot_index, slots
from zermelo._methods.levels.slots import LINE

pytestmark = pytest.mark.skipif(
    not has_instructions(), reason="slots are for processors that gather bits by one instruction"
)


@kernel
def _there_and_back(key, used, free):
    mixed = slots.mix(key, used, free)
    return mixed, slots.unmix(mixed, used, free)


@pytest.mark.parametrize("bits", [2, 3, 17, 31, 32, 33, 58, 60])
def test_mixing_is_one_to_one(bits):
    """A key of any number of bits comes back from what it was mixed into, at the upper end."""
    rng = np.random.default_rng(bits)
    mask = sum(1 << int(bit) for bit in rng.choice(64, bits, replace=False))
    keys = {mask & int(word) for word in rng.integers(0, 1 << 64, 300, np.uint64)} | {0, mask}
    free = np.uint64(64 - bits)
    images = set()
    for key in keys:
        mixed, back = _there_and_back(np.uint64(key), np.uint64(mask), free)
        assert int(back) == key
        assert int(mixed) % (1 << (64 - bits)) == 0
        images.add(int(mixed))
    assert len(images) == len(keys)


def found(keys, used, slot_array, directory, bits):
    """Look keys up on the only level there is; return their places and values."""
    places = np.empty(len(keys), np.int64)
    values = np.empty(len(keys), np.uint8)
    count = slot_index.find_slots(
        keys,
        np.zeros(len(keys), np.int64),
        len(keys),
        0,
        np.array([bits]),
        np.array([0]),
        directory,
        np.uint64(used),
        slot_array,
        np.True_,
        places,
        values,
    )
    assert count == np.count_nonzero(values)
    return places, values


def alone(key, used, slot_array, directory, bits):
    """Look one key up."""
    wanted = np.array([key], np.uint64)
    level, one = np.zeros(1, np.int64), (np.array([bits]), np.array([0]))
    shape = (0, *one, directory, np.uint64(used), slot_array)
    return slot_index.find_slot(wanted, level, *shape)


@pytest.mark.slow
@pytest.mark.parametrize("bits", [0, 3])
@pytest.mark.parametrize("tight", [False, True])
def test_what_is_placed_is_found_and_nothing_else(bits, tight):
    """Every key of each partition is found in its slot, even where all are at home in few lines."""
    rng = np.random.default_rng(bits)
    used = (1 << 40) - 1
    keys = np.unique(np.append(rng.integers(0, used, 4_000).astype(np.uint64), np.uint64(0)))
    mixed = np.array(
        [_there_and_back(k, np.uint64(used), np.uint64(24))[0] for k in keys], np.uint64
    )
    slot_array = np.zeros(12_000, np.uint64)
    directory = np.zeros(2 << bits, np.int64)
    line = 0
    for partition in range(1 << bits):
        mine = (mixed >> np.uint64(63)) >> np.uint64(0) if bits == 0 else mixed >> np.uint64(61)
        remainders = np.sort(mixed if bits == 0 else mixed[mine == partition] << np.uint64(bits))
        lines = slots.lines_for(len(remainders)) // (2 if tight else 1)
        directory[2 * partition], directory[2 * partition + 1] = line, lines
        slots.place_remainders(remainders, len(remainders), lines, slot_array, line)
        line += slots.lines_taken(remainders, len(remainders), lines)
        assert slot_array[line * LINE - 1] == 0
    slot_array = slot_array[: line * LINE]
    assert np.count_nonzero(slot_array) == len(keys)
    places, values = found(keys, used, slot_array, directory, bits)
    assert (values == 1).all()
    assert [alone(key, used, slot_array, directory, bits) for key in keys] == places.tolist()
    assert len(np.unique(places)) == len(keys)
    listed = np.empty(len(keys) + 1, np.uint64)
    at = np.empty(len(keys) + 1, np.int64)
    shape = (slot_array, 0, line * LINE, directory, 0, bits, np.uint64(used))
    count = slot_index.positions_of(*shape, listed, at)
    assert dict(zip(listed[:count], at, strict=False)) == dict(zip(keys, places, strict=True))
    others = np.setdiff1d(rng.integers(0, used, 4_000).astype(np.uint64), keys)
    places, values = found(others, used, slot_array, directory, bits)
    assert (places == -1).all()
    assert (values == 0).all()
    assert all(alone(key, used, slot_array, directory, bits) == -1 for key in others)
    beyond = keys[:10] | np.uint64(1 << 50)
    assert (found(beyond, used, slot_array, directory, bits)[0] == -1).all()
    assert alone(beyond[0], used, slot_array, directory, bits) == -1
