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


@light_inlined
def one_to_one_hash(keys: Uint64Array, at: int, form: Uint64Array) -> tuple[np.uint64, np.uint64]:
    """Return a hash that is different for all positions of a form; its lowest bits are 0.

    Args:
        keys: packed positions.
        at: the index of the position in ``keys``.
        form: the words of a position; the bits of the hash; and how many of a position's bits are
            in each word.

    Returns:
        The hash, and bits of the position beyond those of the form.
    """
    bits = beyond = np.uint64(0)
    for word in range(np.int64(form[0])):
        bits = bits << form[2 + word] | keys[at + word]
        beyond |= keys[at + word] >> form[2 + word]
    # The bits are kept at the top, where each step can be undone in as many bits.
    below = np.uint64(64) - form[1]
    mixed = (bits << below) * _MIX_A
    mixed ^= mixed >> (below + (form[1] >> np.uint64(1))) << below
    return mixed * _MIX_B, beyond


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
