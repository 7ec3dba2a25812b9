"""Positions as one number each that sorts as they do, with what belongs to them beside it.

Of the bits of a packed position few differ between the positions of a game. Gathered, the first
word's first, they are mostly so few that the place of a value fits behind them in one word: a
*tag*. Tags are sorted instead of positions and values, and nothing has to follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.bits import gather, ones, scatter
from zermelo._engine.core.jit import inlined, kernel

_ONE = np.uint64(1)
_WORD = 64


@dataclass(frozen=True)
class Bits:
    """Which bits tags are made of.

    Attributes:
        masks: of each word of a packed position, the bits that are gathered.
        rest: what all positions have in the others.
        beside: how many bits there are for what stands behind the position.
    """

    masks: npt.NDArray[np.uint64]
    rest: npt.NDArray[np.uint64]
    beside: int

    @property
    def length(self) -> int:
        """The bits of a tag."""
        return sum(int(mask).bit_count() for mask in self.masks) + self.beside

    @property
    def fits(self) -> bool:
        """Whether a tag is no longer than a word."""
        return self.length <= _WORD

    @property
    def numbered(self) -> bool:
        """Whether what stands for a position in a tag is no longer than a word."""
        return self.length - self.beside <= _WORD

    def scattered(self, number: int) -> npt.NDArray[np.uint64]:
        """Return where bits of a position's part of a tag are in packed positions."""
        masks = np.empty_like(self.masks)
        untag(np.array([number], np.uint64), self.masks, np.zeros_like(masks), 0, masks)
        return masks

    def first(self) -> Bits:
        """Return those of numbers that fit a word, and sort as positions do as far as they go."""
        masks, left = [], _WORD
        for mask in self.masks.tolist():
            places = [place for place in reversed(range(_WORD)) if mask >> place & 1][:left]
            left -= len(places)
            masks.append(sum(1 << place for place in places))
        return Bits(np.array(masks, np.uint64), self.rest, 0)


@dataclass(frozen=True)
class Folds:
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
        out = np.empty_like(keys)
        _fold(keys, self.under, self.by, out)
        return out


@kernel
def _fold(keys: Any, under: Any, by: Any, out: Any) -> None:
    words = under.size
    for word in range(words):
        mask, shift = under[word], by[word]
        for i in range(word, keys.size, words):
            out[i] = keys[i] ^ (keys[i] & mask) << shift


@kernel
def differ(keys: Any, words: int, like: Any, masks: Any) -> None:
    """Add to ``masks`` the bits in which packed positions differ from one of them, ``like``."""
    if words == 1:
        only, alike = masks[0], like[0]
        for i in range(keys.size):  # several at once, as they stand side by side
            only |= keys[i] ^ alike
        masks[0] = only
        return
    for word in range(words):
        mask = masks[word]
        for i in range(word, keys.size, words):
            mask |= keys[i] ^ like[word]
        masks[word] = mask


@inlined
def _tag(keys: Any, i: Any, masks: Any, counts: Any, chosen: Any, beside: Any) -> Any:
    tag = gather(keys[i * masks.size], masks[0])
    for word in range(1, masks.size):
        tag = tag << counts[word] | gather(keys[i * masks.size + word], masks[word])
    if beside > 0:
        tag = tag << np.uint64(beside) | np.uint64(chosen[i])
    return tag


@inlined
def _counts_of(masks: Any) -> Any:
    """Return how many bits each mask has; 64 of a later word are preceded by none."""
    counts = np.empty(masks.size, np.uint64)
    for word in range(masks.size):
        counts[word] = np.uint64(ones(masks[word])) & np.uint64(63)
    return counts


@kernel
def tags_between(
    keys: Any, masks: Any, chosen: Any, beside: int, low: Any, high: Any, out: Any, at: Any
) -> Any:
    """Write the tags from ``low`` to ``high`` behind the first ``at`` of ``out``.

    Args:
        keys: packed positions, of as many words as there are masks.
        masks: see ``Bits``.
        chosen: what stands behind each position.
        beside: how many bits that takes.
        low: the least tag to write.
        high: the greatest.
        out: receives them, with room for one more.
        at: see above.

    Returns:
        How many there are then.
    """
    if masks.size == 1:
        mask, shift = masks[0], np.uint64(beside)
        for i in range(keys.size):
            tag = gather(keys[i], mask) << shift | np.uint64(chosen[i])
            out[at] = tag
            at += np.int64((tag >= low) & (tag <= high))
        return at
    counts = _counts_of(masks)
    for i in range(keys.size // masks.size):
        tag = _tag(keys, i, masks, counts, chosen, beside)
        out[at] = tag
        at += np.int64((tag >= low) & (tag <= high))
    return at


@kernel
def count_between(
    keys: Any, masks: Any, chosen: Any, beside: int, low: Any, high: Any, shift: int, found: Any
) -> None:
    """Count the tags from ``low`` to ``high`` by how far they are from ``low``, shifted."""
    counts = _counts_of(masks)
    for i in range(keys.size // masks.size):
        tag = _tag(keys, i, masks, counts, chosen, beside)
        if low <= tag <= high:
            found[(tag - low) >> np.uint64(shift)] += 1


@kernel
def mark_between(keys: Any, masks: Any, low: Any, high: Any, marks: Any) -> None:
    """Mark the positions whose tags, with nothing beside them, are from ``low`` to ``high``."""
    counts = _counts_of(masks)
    for i in range(keys.size // masks.size):
        tag = _tag(keys, i, masks, counts, marks, 0)
        marks[i] = (tag >= low) & (tag <= high)


@kernel
def untag(tags: Any, masks: Any, rest: Any, beside: int, keys: Any) -> None:
    """Write the positions that tags were made of."""
    counts = _counts_of(masks)
    words = masks.size
    for i in range(tags.size):
        tag = tags[i] >> np.uint64(beside)
        for word in range(words - 1, 0, -1):
            keys[i * words + word] = scatter(tag, masks[word]) | rest[word]
            tag >>= counts[word]
        keys[i * words] = scatter(tag, masks[0]) | rest[0]


@kernel
def numbers_of(tags: Any, beside: int, varying: Any, chosen: Any, numbers: Any) -> None:
    """Take tags apart: into what stands behind positions, and the numbers of these.

    Args:
        tags: see ``Bits``.
        beside: how many bits of each stand behind the position.
        varying: which of the others a number has.
        chosen: receives what stands behind each position.
        numbers: receives the numbers.
    """
    low, shift = (np.uint64(1) << np.uint64(beside)) - np.uint64(1), np.uint64(beside)
    for i in range(tags.size):
        chosen[i] = tags[i] & low
    for i in range(tags.size):
        numbers[i] = gather(tags[i] >> shift, varying)
