"""Operations on many small sets at once, each set a lane of a vector of the processor."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Integer, Uint64Array
from zermelo._engine.core.jit import instruction


@instruction
def add_masked(
    sets: Uint64Array,
    begin: Integer,
    added: Integer,
    masks: Uint64Array,
    masks_begin: Integer,
    lanes: int,
    bits: int,
) -> None:
    """Add a set to some sets, but for the bits that the mask of each lacks.

    Args:
        sets: the words of sets, which are changed.
        begin: the index of the first word.
        added: the set that is added.
        masks: the words of the masks, an array of the same type.
        masks_begin: the index of the first word.
        lanes: the number of sets, a constant.
        bits: the bits of a set, a constant; a word of the arrays may hold several sets.
    """
    kind = np.dtype(f"<u{bits // 8}")
    chosen = masks[masks_begin:].view(kind)[:lanes]
    sets[begin:].view(kind)[:lanes] |= chosen & np.uint64(added).astype(kind)


@instruction
def add_where_covered(
    sets: Uint64Array,
    begin: Integer,
    added: Integer,
    covering: Uint64Array,
    covering_begin: Integer,
    covered: Integer,
    lanes: int,
    bits: int,
) -> None:
    """Add a set to those of some sets whose counterparts in another array contain a given set.

    Args:
        sets: the words of sets, which are changed.
        begin: the index of the first word.
        added: the set that is added.
        covering: the words of the counterparts, an array of the same type.
        covering_begin: the index of the first word.
        covered: the set that a counterpart must contain.
        lanes: the number of sets, a constant.
        bits: the bits of a set, a constant; a word of the arrays may hold several sets.
    """
    kind = np.dtype(f"<u{bits // 8}")
    others = covering[covering_begin:].view(kind)[:lanes]
    needed = np.uint64(covered).astype(kind)
    chosen = np.where(others & needed == needed, np.uint64(added).astype(kind), kind.type(0))
    sets[begin:].view(kind)[:lanes] |= chosen


@instruction
def lane(words: Uint64Array, index: Integer, bits: int) -> np.uint64:
    """Return one of the sets in words.

    Args:
        words: the words.
        index: the number of the set, from the first word on.
        bits: the bits of a set, a constant.
    """
    return np.uint64(words.view(np.dtype(f"<u{bits // 8}"))[index])


@instruction
def transpose_bytes(source: npt.NDArray[np.uint64], target: npt.NDArray[np.uint64]) -> None:
    """Write byte j of each word i of eight words to byte i of word j of eight other words."""
    target[:8] = source[:8].view(np.uint8).reshape(8, 8).T.copy().view(np.uint64).ravel()
