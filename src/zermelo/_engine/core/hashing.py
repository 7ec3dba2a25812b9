"""Hashes of packed positions, and comparison of two positions."""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.array_types import Integer, Uint64Array
from zermelo._engine.core.jit import light_inlined

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)


@light_inlined
def hash_of(keys: Uint64Array, at: int, words: int) -> np.uint64:
    mixed = np.uint64(words) * _GOLDEN
    for word in range(words):
        mixed = (mixed ^ keys[at + word]) * _MIX_A
        mixed ^= mixed >> np.uint64(29)
        mixed *= _MIX_B
        mixed ^= mixed >> _HALF
    return mixed


def mix(hashes: Uint64Array, numbers: Uint64Array) -> None:
    """Mix one number into each hash in place, as ``hash_of`` does for each word."""
    hashes ^= numbers
    hashes *= _MIX_A
    hashes ^= hashes >> np.uint64(29)
    hashes *= _MIX_B
    hashes ^= hashes >> _HALF


@light_inlined
def same_key(a: Uint64Array, i: int, b: Uint64Array, j: Integer, words: int) -> bool:
    for word in range(words):
        if a[i + word] != b[j + word]:
            return False
    return True
