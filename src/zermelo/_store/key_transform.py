"""How positions are folded before they are sorted, and which of their bits are written then.

The bits are written that vary, and the header says which they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_WORD = 64
_MASK = re.compile("[0-9a-f]{16}")
#: Bits that a field has which may be a board, how many such are folded, and the part of all boards
#: there could be of which less has to occur.
_BOARD, _PLAYERS, _FEW = 9, 2, 32


@dataclass(frozen=True)
class KeyTransform:
    """How positions are changed so that those that are alike stand together, and changed back.

    Of a board where each of two players has bits of his own, the upper half of a word is made to
    say where anybody has one: the lower half is added to it, without carry. Who does it twice has
    what was there.

    Attributes:
        under: of each word of a packed position the bits that are added to others, or none.
        by: by how many places they are moved for that.
    """

    under: npt.NDArray[np.uint64]
    by: npt.NDArray[np.uint64]

    @property
    def any(self) -> bool:
        """Whether anything is changed."""
        return bool(self.under.any())

    def of(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Return packed positions as they are changed, or, of such, as they were."""
        if not self.any:
            return keys
        rows = keys.reshape(-1, len(self.under))
        return (rows ^ (rows & self.under) << self.by).reshape(keys.shape)


def folds_of(fields: list[dict[str, Any]], words: int) -> KeyTransform:
    """Return how positions with these fields are changed before they are sorted.

    Two fields of a word that are as long, and long enough to be boards, are taken for the stones of
    two players.
    """
    under, by = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    for word in range(words):
        boards = [each for each in fields if each["word"] == word and each["bits"] >= _BOARD]
        if len(boards) == _PLAYERS and len({each["bits"] for each in boards}) == 1:
            low, high = sorted(each["shift"] for each in boards)
            under[word], by[word] = ((1 << boards[0]["bits"]) - 1) << low, high - low
    return KeyTransform(under, by)


def transform_if_sparse(
    folds: KeyTransform, used: npt.NDArray[np.uint64], count: int
) -> KeyTransform:
    """Return how this many positions are changed: not at all, unless few of all boards occur.

    Of others, such as Quixo's, the file would be larger.

    Args:
        folds: how they might be.
        used: of each word of a packed position the bits that vary.
        count: see above.
    """
    cells = (used | used >> folds.by) & folds.under
    if count < 3 ** max(map(int.bit_count, cells.tolist())) // _FEW:
        return folds
    return KeyTransform(np.zeros_like(folds.under), np.zeros_like(folds.by))


def masks_header(masks: npt.NDArray[np.uint64]) -> list[str]:
    """Return how a header says which bits of a packed position vary."""
    return [f"{mask:016x}" for mask in masks.tolist()]


def masks_of(told: Any, words: int) -> npt.NDArray[np.uint64] | None:
    """Return which bits a header says those are, or None where it says nothing of the kind."""
    if type(told) is not list or len(told) != words:
        return None
    if not all(type(each) is str and _MASK.fullmatch(each) for each in told):
        return None
    return np.array([int(each, 16) for each in told], np.uint64)


def folds_told(folds: KeyTransform) -> list[list[Any]]:
    """Return how a header says how positions are changed."""
    told = masks_header(folds.under)
    return [[mask, by] for mask, by in zip(told, folds.by.tolist(), strict=True)]


def parse_transform(told: Any, words: int) -> KeyTransform | None:
    """Return how a header says that they are, or None where it says nothing of the kind."""
    try:
        masks, by = zip(*told, strict=True)
    except (TypeError, ValueError):
        return None
    under = masks_of(list(masks), words)
    if under is None or not all(type(each) is int and 0 <= each < _WORD for each in by):
        return None
    folds = KeyTransform(under, np.array(by, np.uint64))
    # What is added to is not added itself, or it could not be undone.
    return folds if not (under & under << folds.by).any() else None
