"""A small game's rules in Python, in the place of compiled rules, for scans of packed positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.kernel import interpreting
from zermelo._engine.expand.expander import FULL, OK
from zermelo.errors import ZermeloError
from zermelo.game.chance import Face
from zermelo.limits import current
from zermelo.rules.layout import numbers_of
from zermelo.values.expectations import CHANCE, turn_flags

if TYPE_CHECKING:
    from zermelo._engine.expand.expander import Buffers
    from zermelo.rules.actions import Element
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Kind

#: The most positions for which running kernels as Python takes less time than importing Numba.
_MOST = 30_000
#: Packed positions, a word after another.
Words = npt.NDArray[np.uint64]


def are_few(positions: int) -> bool:
    """Return whether positions are few enough to be scanned in Python."""
    return current().plain_seconds > 0 and positions <= _MOST


def kernels_for(positions: int) -> AbstractContextManager[None]:
    """Return a context in which kernels scan positions: as Python, if these are few."""
    return interpreting() if are_few(positions) else nullcontext()


class PlainRules:
    """The rules of one game in Python: an ``Expand`` with the interface of ``CompiledRules``.

    Attributes:
        rules: the hooks.
        positions: the positions of the table.
        words: 64-bit words of a packed position.
        used: the bits of a one-word packed position that may differ from 0.
        alternate: whether the turn is not stored; see ``CompiledRules``.
        kind: the kind of the values.
        elements: the symmetries in use; see ``CompiledRules``.
        is_folded: whether only canonical positions are given.
    """

    def __init__(
        self,
        rules: Rules,
        kind: Kind,
        positions: Sequence[Any],
        *,
        folded: bool,
        elements: Iterable[Element] | None = None,
    ) -> None:
        """Store the hooks, and the positions of the table; see the attributes."""
        self.rules = rules
        self.positions = positions
        self.kind = kind
        self.is_folded = folded
        self.words = rules.layout.words
        self.used = rules.used
        group = rules.group if folded else None
        used_elements = () if group is None else group.elements if elements is None else elements
        self.elements: tuple[Element, ...] = tuple(used_elements)
        self.alternate = rules.alternate or any(map(rules.turns_over, self.elements))

    def kernels(self) -> AbstractContextManager[None]:
        """Return a context in which kernels scan all positions: as Python, if these are few."""
        return kernels_for(len(self.positions))

    def __call__(self, keys: Words, begin: int, end: int, out: Buffers) -> tuple[int, int, int]:
        """Expand the positions ``begin`` to ``end``; see ``Expand``."""
        move_count, capacity = 0, len(out.children) // self.words
        for index, position in enumerate(self._positions(keys, begin, end)):
            try:
                count = self._expand(position, index, move_count, capacity, out)
            except ZermeloError:
                raise
            except Exception as error:  # a rule may raise anything
                from zermelo._compile.run.replay import error_from_rule

                raise error_from_rule(self.rules, position, error) from error
            if count is None:
                return index, move_count, FULL
            move_count += count
            out.ends[index] = move_count
        return end - begin, move_count, OK

    def _expand(
        self, position: Any, index: int, first_move: int, capacity: int, out: Buffers
    ) -> int | None:
        """Expand one position; return the number of its moves, None if these are too many."""
        rules, kind, words = self.rules, self.kind, self.words
        outcome = rules.terminal(position)
        moves = [] if outcome is not None else rules.listed_moves(position)
        owner = rules.owner(position)
        successors = list(rules.successors(position, moves))
        if first_move + len(successors) > capacity:
            return None
        by_chance = bool(moves) and isinstance(moves[0], Face)
        for number, (label, child, keeps_turn) in enumerate(successors, first_move):
            stored = rules.layout.unpack(rules.packed(child, "play"))
            out.children[number * words : (number + 1) * words] = self._packed(stored)
            if kind.gains:
                is_flagged = self.alternate and rules.has_chance
                flags = turn_flags(by_chance=by_chance, keeps_turn=keeps_turn) * is_flagged
                out.gains[number] = label | flags if flags else label
        unknown = CHANCE if by_chance else kind.unknown
        out.values[index] = unknown if moves else self._end(position, outcome, owner)
        if len(out.owners):
            out.owners[index] = owner
        return len(successors)

    def _positions(self, keys: Words, begin: int, end: int) -> Iterable[Any]:
        """Return the positions of packed ones."""
        part = np.asarray(keys[begin * self.words : end * self.words]).reshape(-1, self.words)
        return map(self.rules.layout.unpack, part.tolist())

    def _packed(self, position: Any) -> tuple[int, ...]:
        """Return the words of a position, or of its canonical form if these rules are folded."""
        group = self.rules.group
        if self.is_folded and group is not None:
            position = group.canonical(position, self.elements)
        elif self.is_folded:
            position = self.rules.canonical(position)
        return self.rules.layout.pack(position)

    def _end(self, position: Any, outcome: Any, owner: int) -> int:
        """Return the code of a terminal position."""
        rules = self.rules
        ending = rules.no_moves if outcome is None else outcome
        score = rules.final_score(position) if rules.is_scored else 0
        return self.kind.at_turn(self.kind.terminal(int(ending), score), owner)

    def explain(self, packed: Words, status: int) -> Exception:  # noqa: ARG002  # see Expand
        """Return an error; rules in Python raise their own."""
        return AssertionError(self.rules.layout.unpack(packed))

    def levels(self, packed: Words, count: int, out: npt.NDArray[np.int64]) -> None:
        """Write the levels of ``count`` packed positions; only for games with ``level``."""
        out[:count] = [self.rules.level(position) for position in self._positions(packed, 0, count)]

    def endless(
        self,
        packed: Words,
        count: int,
        owners: npt.NDArray[np.uint8],  # noqa: ARG002  # see Expand
    ) -> npt.NDArray[np.int64]:
        """Return the points that the player to move gets for endless play; see ``Expand``."""
        if not self.rules.has_hook("endless") and not self.rules.worth_of_endless:
            return np.empty(0, np.int64)
        points = [
            self.rules.endless_worth(position) for position in self._positions(packed, 0, count)
        ]
        return np.array(points, np.int64)

    def split(
        self, packed: Words, begin: int, end: int, out: Words, ends: npt.NDArray[np.int32]
    ) -> tuple[int, int, int]:
        """Write the components of packed positions; see ``CompiledRules``."""
        words, part_count = self.words, 0
        for index, position in enumerate(self._positions(packed, begin, end)):
            parts = self.rules.split(position)
            if (part_count + len(parts)) * words > len(out):
                return index, part_count, FULL
            for part in parts:
                out[part_count * words : (part_count + 1) * words] = self.rules.layout.pack(part)
                part_count += 1
            ends[index] = part_count
        return end - begin, part_count, OK

    def has_moves(self, packed: Words, count: int) -> npt.NDArray[np.bool_]:
        """Return the mask of packed positions with moves; see ``CompiledRules``."""
        positions = self._positions(packed, 0, count)
        return np.array([bool(self.rules.moves(position)) for position in positions], np.bool_)

    def with_move_numbers(self) -> PlainRules | None:
        """Return these rules, or None if some moves have more whole numbers than others."""
        moves = (move for position in self.positions for move in self.rules.moves(position))
        return self if len({len(numbers_of(move)) for move in moves}) <= 1 else None

    def chosen(
        self, packed: Words, move_numbers: npt.NDArray[np.int64], out: npt.NDArray[np.int64]
    ) -> None:
        """Write the whole numbers of one move of each position; skip those with the number -1."""
        width = len(out) // max(len(move_numbers), 1)
        positions = self._positions(packed, 0, len(move_numbers))
        for index, (position, number) in enumerate(
            zip(positions, move_numbers.tolist(), strict=True)
        ):
            if number >= 0:
                move = self.rules.listed_moves(position)[number]
                out[index * width : (index + 1) * width] = numbers_of(move)

    def with_passed_turns(self) -> None:
        """Return None, as ``pass_turn`` is not compiled."""

    def with_positions(self, positions: Sequence[Any]) -> PlainRules:
        """Return the rules for a table of other positions."""
        folded, elements = self.is_folded, self.elements
        return PlainRules(self.rules, self.kind, positions, folded=folded, elements=elements)

    def with_symmetries(self, elements: Iterable[Element] | None = None) -> PlainRules:
        """Return the rules with canonical positions only, by all symmetries or these."""
        return PlainRules(self.rules, self.kind, self.positions, folded=True, elements=elements)

    def without_symmetries(self) -> PlainRules:
        """Return the rules without symmetries."""
        return PlainRules(self.rules, self.kind, self.positions, folded=False)

    def with_kind(self, kind: Kind) -> PlainRules:
        """Return the rules with another kind of values."""
        if kind is self.kind:
            return self
        folded, elements = self.is_folded, self.elements
        return PlainRules(self.rules, kind, self.positions, folded=folded, elements=elements)

    def start_words(self) -> Words:
        """Return the packed starts, shape (k, words), canonicalised if these rules are."""
        starts = self.rules.start_words()
        return self.canonical(starts.reshape(-1), len(starts)).reshape(starts.shape)

    def canonical(self, packed: Words, count: int) -> Words:
        """Return the canonical forms of ``count`` packed positions."""
        if not self.is_folded:
            return packed
        given = packed[: count * self.words].reshape(count, self.words)
        rows, inverse = np.unique(given, axis=0, return_inverse=True)
        positions = self._positions(rows.reshape(-1), 0, len(rows))
        images = np.array([self._packed(position) for position in positions], np.uint64)
        return images.reshape(rows.shape)[inverse.reshape(-1)].reshape(-1)
