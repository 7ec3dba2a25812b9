"""The transform of packed positions before sorting, and the bits of them that a file stores.

Only the bits that vary are stored, and the header contains their masks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_WORD = 64
_MASK = re.compile("[0-9a-f]{16}")
#: The least bits of a field that may be a board, the number of boards that are transformed, and the
#: share of all possible boards, as a divisor, below which the transform is used.
_MIN_BOARD_BITS, _BOARD_COUNT, _SHARE_DIVISOR = 9, 2, 32


@dataclass(frozen=True)
class KeyTransform:
    """A reversible transform of packed positions that makes similar ones adjacent when sorted.

    If each of two players has a bit board, the upper field becomes the set of occupied cells: the
    lower field is added to it, without carry. The transform is its own inverse.

    Attributes:
        sources: for each word of a packed position the bits that are added to others, or 0.
        shifts: the shift by which they are added.
    """

    sources: npt.NDArray[np.uint64]
    shifts: npt.NDArray[np.uint64]

    @property
    def changes_keys(self) -> bool:
        """Whether the transform is not the identity."""
        return bool(self.sources.any())

    def apply(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Apply the transform, which is its own inverse."""
        if not self.changes_keys:
            return keys
        rows = keys.reshape(-1, len(self.sources))
        return (rows ^ (rows & self.sources) << self.shifts).reshape(keys.shape)


def transform_of(fields: list[dict[str, Any]], words: int) -> KeyTransform:
    """Return the transform for positions with these fields.

    Two fields of a word that have equal lengths, and are long enough to be boards, are taken as the
    stones of two players.
    """
    sources, shifts = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    for word in range(words):
        boards = [
            field for field in fields if field["word"] == word and field["bits"] >= _MIN_BOARD_BITS
        ]
        if len(boards) == _BOARD_COUNT and len({board["bits"] for board in boards}) == 1:
            low, high = sorted(board["shift"] for board in boards)
            sources[word], shifts[word] = ((1 << boards[0]["bits"]) - 1) << low, high - low
    return KeyTransform(sources, shifts)


def transform_if_sparse(
    folds: KeyTransform, varying: npt.NDArray[np.uint64], count: int
) -> KeyTransform:
    """Return ``folds`` if few boards occur, else the identity.

    For other games, such as Quixo, the transform makes the file larger.

    Args:
        folds: the possible transform.
        varying: for each word of a packed position the bits that vary.
        count: the number of positions.
    """
    cells = (varying | varying >> folds.shifts) & folds.sources
    if count < 3 ** max(map(int.bit_count, cells.tolist())) // _SHARE_DIVISOR:
        return folds
    return KeyTransform(np.zeros_like(folds.sources), np.zeros_like(folds.shifts))


def masks_header(masks: npt.NDArray[np.uint64]) -> list[str]:
    """Return the header's form of the masks of varying bits."""
    return [f"{mask:016x}" for mask in masks.tolist()]


def masks_of(texts: Any, words: int) -> npt.NDArray[np.uint64] | None:
    """Return the masks from their form in a header, or None if it is invalid."""
    if type(texts) is not list or len(texts) != words:
        return None
    if not all(type(text) is str and _MASK.fullmatch(text) for text in texts):
        return None
    return np.array([int(text, 16) for text in texts], np.uint64)


def transform_header(folds: KeyTransform) -> list[list[Any]]:
    """Return the header's form of a transform."""
    texts = masks_header(folds.sources)
    return [[mask, by] for mask, by in zip(texts, folds.shifts.tolist(), strict=True)]


def parse_transform(rows: Any, words: int) -> KeyTransform | None:
    """Return the transform from its form in a header, or None if it is invalid."""
    try:
        masks, shifts = zip(*rows, strict=True)
    except (TypeError, ValueError):
        return None
    sources = masks_of(list(masks), words)
    if sources is None or not all(type(shift) is int and 0 <= shift < _WORD for shift in shifts):
        return None
    folds = KeyTransform(sources, np.array(shifts, np.uint64))
    # The target bits must not be sources themselves, or the transform could not be inverted.
    return folds if not (sources & sources << folds.shifts).any() else None
