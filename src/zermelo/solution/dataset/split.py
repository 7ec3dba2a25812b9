"""Splits of positions that keep symmetric positions together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.game.placement import PlacementGame
from zermelo.rules.orbits import Group
from zermelo.symmetry import Symmetry

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo.rules.hooks import Rules

Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class DatasetPart:
    """Part of all positions, chosen by a hash of the canonical position.

    Attributes:
        seed: makes the choice repeatable.
        low: the least hash, as a fraction of all.
        high: the end of the hashes, exclusive.
    """

    seed: int = 0
    low: float = 0.0
    high: float = 1.0

    @property
    def is_whole(self) -> bool:
        """Whether it contains everything."""
        return self.low <= 0.0 and self.high >= 1.0

    def split(self, share: float) -> tuple[DatasetPart, DatasetPart]:
        """Return two parts of it, the first with this share."""
        middle = self.low + share * (self.high - self.low)
        return replace(self, high=middle), replace(self, low=middle)

    def contains(self, keys: Keys) -> npt.NDArray[np.bool_]:
        """Return a mask of the positions that belong to the part.

        Args:
            keys: the canonical positions, packed, shape (n, words).
        """
        mixed = np.full(len(keys), np.uint64(self.seed))
        for word in keys.T:
            mixed = _mix_bits(mixed ^ word)
        shares = (mixed >> np.uint64(11)).astype(np.float64) / float(1 << 53)
        return (shares >= self.low) & (shares < self.high)


def _mix_bits(numbers: Keys) -> Keys:
    """Return numbers with all bits mixed by the finaliser of SplitMix64 (Steele et al., 2014)."""
    with np.errstate(over="ignore"):
        numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
        numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return numbers ^ numbers >> np.uint64(31)


class SymmetryClasses:
    """The canonical forms of symmetric positions: the least of their packed forms."""

    def __init__(self, compiled: CompiledRules, declared: Any = None) -> None:
        """Determine the symmetries.

        Args:
            compiled: the rules.
            declared: symmetries to use instead of the game's own.

        Raises:
            RulesError: the symmetries do not fit the positions.
        """
        rules = compiled.rules
        self.compiled: CompiledRules | None = None
        self.group: Group | None = None
        if declared is not None:
            self.group = Group(rules.name, rules.layout, declared)
        elif rules.group is not None:
            self.group = rules.group
        elif rules.has_hook("canonical"):
            self.compiled = compiled.with_symmetries([])
        else:
            self.group = _board_symmetries(rules)

    def __len__(self) -> int:
        """Return the number of symmetries, 1 if only the identity is known."""
        return 1 if self.group is None else len(self.group)

    def canonical(self, keys: Keys) -> Keys:
        """Return the canonical forms of packed positions, shape (n, words)."""
        if self.compiled is not None:
            flat = np.ascontiguousarray(keys).reshape(-1)
            return self.compiled.canonical(flat, len(keys)).reshape(keys.shape)
        if self.group is None or not self.group.chunks:
            return keys
        least = keys.copy()
        fixed = keys & ~np.array(self.group.moved_bits, np.uint64)
        tables = self._tables(self.group, keys.shape[1])
        for g in range(len(self.group)):
            image = fixed.copy()
            for chunk, table in tables:
                mask = np.uint64((1 << chunk.bits) - 1)
                image |= table[keys[:, chunk.word] >> np.uint64(chunk.shift) & mask, :, g]
            smaller = np.zeros(len(keys), np.bool_)
            is_equal = np.ones(len(keys), np.bool_)
            for image_word, least_word in zip(image.T, least.T, strict=True):
                smaller |= is_equal & (image_word < least_word)
                is_equal &= image_word == least_word
            least[smaller] = image[smaller]
        return least

    @staticmethod
    def _tables(group: Group, words: int) -> list[tuple[Any, Keys]]:
        """Return for each chunk the images of its values."""
        flat, tables, offset = group.tables(), [], 0
        for chunk in group.chunks:
            size = (1 << chunk.bits) * words * len(group)
            table = flat[offset : offset + size].reshape(1 << chunk.bits, words, len(group))
            tables.append((chunk, table))
            offset += size
        return tables


def _board_symmetries(rules: Rules) -> Group | None:
    """Return the reflections and rotations of a placement game's board that keep its lines."""
    game = rules.game
    if not isinstance(game, PlacementGame):
        return None
    permutations = tuple(cells for cells in _board_permutations(game) if _keeps_lines(game, cells))
    fields = tuple(name for name, _ in rules.layout.fields)
    if not permutations:
        return None
    return Group(rules.name, rules.layout, Symmetry(permutations, masks=fields))


def _board_permutations(game: PlacementGame) -> list[tuple[int, ...]]:
    """Return the permutation of the bits by each reflection and rotation of the board."""
    wide, high = int(game.width), int(game.height)
    reflections: list[Callable[[int, int], tuple[int, int]]] = [lambda x, y: (wide - 1 - x, y)]
    if not game.gravity:
        reflections += [lambda x, y: (x, high - 1 - y), lambda x, y: (wide - 1 - x, high - 1 - y)]
        if wide == high:
            reflections += [
                lambda x, y: (y, x), lambda x, y: (wide - 1 - y, wide - 1 - x),
                lambda x, y: (y, wide - 1 - x), lambda x, y: (wide - 1 - y, x),
            ]  # fmt: skip
    boards = []
    for reflection in reflections:
        cells = list(range(int(game.field_bits)))
        for x in range(wide):
            for y in range(high):
                cells[game.bit(x, y)] = game.bit(*reflection(x, y))
        boards.append(tuple(cells))
    return boards


def _keeps_lines(game: PlacementGame, cells: tuple[int, ...]) -> bool:
    """Return whether the image of every line is a line."""
    for lines in game.masks_by_player:
        moved = {sum(1 << cells[bit] for bit in _bits(line)) for line in lines}
        if moved != set(lines):
            return False
    return True


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
