"""Rules of a game with ``split``: each move leads to a sum of components.

The engine expands them like other rules. The children of a position are the components of all its
moves' results. The gain of a child, which is points in other games, is 1 for the last component of
a move.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.certificate.nimbers import first_inconsistent, without_moves
from zermelo._engine.column.nimbers import OUTSIDE, sums
from zermelo._engine.core.array_types import (
    BoolArray,
    Int32Array,
    Int64Array,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.kernel import is_interpreting
from zermelo._engine.expand.expander import FULL, OK, Buffers, expanded
from zermelo._engine.partizan.position_values import OptionLists
from zermelo._methods.partizan.solver import COMPILED_FROM, ArrayForms
from zermelo._methods.partizan.turn_graph import Passing
from zermelo.values.kind import Kind, entry_of
from zermelo.values.nimbers import NIMBERS, Nimbers
from zermelo.values.partizan import PARTIZAN, PartizanValues

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo._methods.partizan.solver import FoundValues
    from zermelo.rules.hooks import Rules

#: The initial capacity of buffers in moves, and in components, for each position of a batch.
_CAPACITY = 12


class _ComponentNimbers(Nimbers):
    """The kind of nimbers for rules whose moves lead to several positions."""

    gains = True
    gain_dtype = np.uint8


class _ComponentGames(PartizanValues):
    """The kind of values of partizan games for rules whose moves lead to several positions."""

    gains = True
    gain_dtype = np.uint8


#: The kinds of values of components, by algebra.
_GROUPED: dict[str, Kind] = {
    NIMBERS.algebra: _ComponentNimbers(),
    PARTIZAN.algebra: _ComponentGames(),
}


class Components:
    """The rules of a game with positions split into components; an ``Expand`` for the engine.

    Attributes:
        unsplit: the rules, without splitting or canonical forms.
        folding: the compiled rules with the canonical forms of the solve, if it uses any.
        rules: the hooks.
        words: 64-bit words per packed position.
        used: the bits of a packed position that may differ from 0, if it is one word.
        alternate: whether turns are not stored, as in an impartial game; see ``CompiledRules``.
        kind: the kind of value, with gains.
        elements: the symmetries in use; see ``CompiledRules``.
        is_folded: whether positions are made canonical; see ``CompiledRules``.
    """

    def __init__(self, compiled: CompiledRules, kind: Kind = NIMBERS) -> None:
        """Store the compiled rules of a game with ``split``, and the kind of value, which adds."""
        self.folding = compiled
        self.kind = entry_of(kind, _GROUPED, "splitting")
        self.alternate = kind.impartial or compiled.alternate
        self.unsplit = compiled.without_symmetries().with_kind(kind)
        self.rules: Rules = compiled.rules
        self.words, self.used = compiled.words, compiled.used
        self.elements, self.is_folded = compiled.elements, compiled.is_folded
        self._local = threading.local()

    def __call__(
        self, keys: Uint64Array, begin: int, end: int, out: Buffers
    ) -> tuple[int, int, int]:
        """Expand positions; see ``Expand``."""
        buffers = self._buffers(end - begin)
        # Most moves leave a component or more, so further moves would be split in vain.
        children = buffers.children[: len(out.children)]
        expansion = replace(buffers, children=children, values=out.values, owners=out.owners)
        expanded_count, moves, status = self.unsplit(keys, begin, end, expansion)
        while status == FULL and not expanded_count:
            expansion.children = buffers.children = np.empty(4 * len(buffers.children), np.uint64)
            expanded_count, moves, status = self.unsplit(keys, begin, end, expansion)
        if status not in (OK, FULL):
            return expanded_count, 0, status
        parts, part_ends = self.split(buffers.children, moves)
        # The index after the last component of each position. The output has all components of a
        # position or none.
        part_totals = np.concatenate([[0], part_ends])[buffers.ends[:expanded_count]]
        capacity = len(out.children) // self.words
        fitting = int(np.searchsorted(part_totals, capacity, "right"))
        part_count, moves = (
            (int(part_totals[fitting - 1]), int(buffers.ends[fitting - 1])) if fitting else (0, 0)
        )
        out.children[: part_count * self.words] = parts[: part_count * self.words]
        out.ends[:fitting] = part_totals[:fitting]
        out.gains[:part_count] = 0
        out.gains[part_ends[:moves] - 1] = 1
        return fitting, part_count, OK if status == OK and fitting == expanded_count else FULL

    def _buffers(self, count: int) -> Buffers:
        """Return this thread's buffers for ``count`` positions."""
        buffers: Buffers | None = getattr(self._local, "buffers", None)
        if buffers is None or len(buffers.ends) < count:
            buffers = Buffers.for_rules(self.unsplit, count, _CAPACITY * max(count, 1))
            self._local.buffers = buffers
        return buffers

    def split(self, packed: Uint64Array, count: int) -> tuple[Uint64Array, Int64Array]:
        """Return the canonical components of packed positions, and the end index for each position.

        Raises:
            CompileError: ``split`` cannot be compiled.
            RulesError: ``split`` raised an error, or yields an invalid position.
        """
        batches, ends, part_count = [np.empty(0, np.uint64)], np.empty(count, np.int64), 0
        buffer, position_count = np.empty(_CAPACITY * max(count, 1) * self.words, np.uint64), 0
        while position_count < count:
            batch_ends = np.empty(count - position_count, np.int32)
            split_count, parts, status = self.unsplit.split(
                packed, position_count, count, buffer, batch_ends
            )
            if status == FULL and not split_count:
                buffer = np.empty(4 * len(buffer), np.uint64)
                continue
            batches.append(buffer[: parts * self.words].copy())
            ends[position_count : position_count + split_count] = (
                part_count + batch_ends[:split_count]
            )
            position_count, part_count = position_count + split_count, part_count + parts
        return self.folding.canonical(np.concatenate(batches), part_count), ends

    def start_words(self) -> Uint64Array:
        """Return the packed components of the starts, shape (k, words)."""
        starts = self.rules.start_words()
        parts, _ = self.split(np.ascontiguousarray(starts).reshape(-1), len(starts))
        return parts.reshape(-1, self.words)

    def canonical(self, packed: Uint64Array, count: int) -> Uint64Array:
        """Return the canonical forms of packed positions."""
        return self.folding.canonical(packed, count)

    def endless(
        self,
        packed: Uint64Array,  # noqa: ARG002  # see Expand
        count: int,  # noqa: ARG002
        owners: Uint8Array,  # noqa: ARG002
    ) -> Int64Array:
        """Return an empty array: endless play gives no points."""
        return np.empty(0, np.int64)

    def with_passed_turns(self) -> CompiledRules | None:
        """Return the rules with ``passed``, or None if ``pass_turn`` cannot be compiled."""
        return self.unsplit.with_passed_turns()

    def without_symmetries(self) -> Components:
        """Return the same rules without canonical forms."""
        return Components(self.unsplit, self.unsplit.kind)

    def explain(self, packed: Uint64Array, status: int) -> Exception:
        """Return the error that describes how the rules break the contract at a packed position."""
        return self.unsplit.explain(packed, status)

    def codes(self, table: Table, packed: Uint64Array, count: int) -> tuple[BoolArray, Int64Array]:
        """Return the mask of positions with all components in the table, and the codes of sums.

        A component in which neither player can move need not be in the table. A code is OUTSIDE if
        the sum is infinity with a nimber that no set can contain.
        """
        is_known, part_codes, ends = self.part_codes(table, packed, count)
        codes = np.empty(count, np.int64)
        if table.kind.algebra == NIMBERS.algebra:
            sums(ends, part_codes, codes)
            return is_known, codes
        listed, bounds = part_codes.tolist(), [0, *ends.tolist()]
        codes[:] = [table.kind.sum(listed[begin:end]) for begin, end in pairwise(bounds)]
        return is_known, codes

    def part_codes(
        self, table: Table, packed: Uint64Array, count: int
    ) -> tuple[BoolArray, Int32Array, Int64Array]:
        """Return the codes of the components of packed positions.

        Returns:
            Whether all components of each position are in the table, as ``codes`` says; the codes
            of all components; and the index after the last component of each position.
        """
        parts, ends = self.split(packed, count)
        places = np.empty(len(parts) // self.words, np.int64)
        table.places(parts, len(places), places)
        part_codes = table.values(np.maximum(places, 0))
        absent = np.flatnonzero(places < 0)
        if len(absent):  # a position without moves of either player is worth 0
            rows = np.ascontiguousarray(parts.reshape(-1, self.words)[absent]).reshape(-1)
            lacks_moves = without_moves(self.unsplit, rows, len(absent))
            if not table.kind.impartial:
                passed = np.ascontiguousarray(Passing(self.unsplit).after_pass(rows)).reshape(-1)
                lacks_moves &= without_moves(self.unsplit, passed, len(absent))
            part_codes[absent], places[absent[lacks_moves]] = 0, 0
        missing = np.concatenate([[0], np.cumsum(places < 0)])
        is_known = missing[ends] == missing[np.concatenate([[0], ends[:-1]])]
        return is_known, part_codes, ends


def components_of(compiled: CompiledRules, table: Table) -> Components | None:
    """Return rules that split positions if the table was made with ``split``, else None."""
    is_split = compiled.rules.has_hook("split") and table.kind.adds
    return Components(compiled, table.kind) if is_split else None


def positions_of(components: Components, table: Table, limit: int) -> tuple[Uint64Array, int]:
    """Return a sample of packed positions before splitting, and their number.

    Half of the sample is found by play from the starts, the rest by one move from components.

    Args:
        components: the rules.
        table: the components, with their values.
        limit: the approximate number of positions in each half of the sample.
    """
    rules, words = components.unsplit, components.words
    sample = frontier = np.unique(components.rules.start_words()[:limit], axis=0)
    while len(frontier) and len(sample) < limit:
        children = np.unique(_children(rules, frontier[:limit]), axis=0)
        merged, first = np.unique(np.concatenate([sample, children]), axis=0, return_index=True)
        frontier = merged[first >= len(sample)][: limit - len(sample)]
        sample = np.concatenate([sample, frontier])
    spaced_places = np.linspace(0, len(table) - 1, min(len(table), limit)).astype(np.int64)
    places = next(iter(table.pages())) if len(table) <= limit else spaced_places
    targets = np.unique(_children(rules, table.packed(places).reshape(-1, words)), axis=0)[:limit]
    positions = np.concatenate([sample, targets])
    return np.ascontiguousarray(positions).reshape(-1), len(positions)


def _children(rules: CompiledRules, rows: Uint64Array) -> Uint64Array:
    """Return the positions after each move from the given positions, before splitting."""
    return expanded(rules, np.ascontiguousarray(rows).reshape(-1), len(rows)).children


def first_wrong_split(
    components: Components, table: Table, limit: int, found: FoundValues | None = None
) -> str | None:
    """Check the values of sampled positions against the sums of their components' values.

    Args:
        components: the rules.
        table: the components, with their values.
        limit: about half the number of sampled positions.
        found: how the values of a partizan game were found, if that is known.

    Returns:
        A sentence on the first position with a different sum, or None.
    """
    rules, decode = components.rules, table.kind.decode
    packed, count = positions_of(components, table, limit)
    is_large = len(table) >= COMPILED_FROM and not is_interpreting()
    if is_large and not table.kind.impartial and _are_sums(components, table, packed, count, found):
        return None
    is_known, codes = components.codes(table, packed, count)
    rows = packed.reshape(count, -1)
    if not is_known.all():
        position = rules.layout.unpack(rows[int(np.argmin(is_known))])
        return rules.split_fault(position, None, None)
    has_code = codes != OUTSIDE
    rows, codes = rows[has_code], codes[has_code]
    flat = np.ascontiguousarray(rows).reshape(-1)
    if table.kind.impartial:
        wrong = first_inconsistent(components, table, flat, codes)
    else:
        wrong = _first_wrong_game(components, table, flat, codes)
    if wrong is None:
        return None
    index, correct = wrong
    position, value = rules.layout.unpack(rows[index]), decode(int(codes[index]))
    return rules.split_fault(position, value, None if correct is None else decode(correct))


def _are_sums(
    components: Components,
    table: Table,
    packed: Uint64Array,
    count: int,
    found: FoundValues | None,
) -> bool:
    """Return whether whole positions have, by their moves, the values of their components' sums.

    Compiled code compares the values. The result is also False if it cannot represent them.
    """
    kind: Any = table.kind
    passing, words = Passing(components.unsplit), components.words
    numbers: Int64Array | None
    if found is not None and isinstance(found.solver, ArrayForms):
        solver, numbers = found.solver, found.numbers
    else:
        solver = ArrayForms()
        numbers = solver.numbers_of(kind.forms)
    if numbers is None:
        return False
    packed = np.ascontiguousarray(packed).reshape(-1)
    expansions = [
        expanded(components.unsplit, rows, count)
        for rows in (packed, np.ascontiguousarray(passing.after_pass(packed)).reshape(-1))
    ]
    all_rows = np.concatenate([packed, *(moves.children.reshape(-1) for moves in expansions)])
    distinct, inverse = _distinct_rows(all_rows.reshape(-1, words))
    rows = len(distinct)
    is_known, part_codes, ends = components.part_codes(table, distinct.reshape(-1), rows)
    if not is_known.all():
        return False
    # The sums of components come first, then the components.
    is_last = np.zeros(len(part_codes), np.bool_)
    is_last[ends - 1] = True
    lists = OptionLists(
        np.concatenate([[0], ends]), rows + np.arange(len(part_codes)), is_last, np.full(rows, -1)
    )
    totals = np.concatenate([np.zeros(rows, np.int64), numbers[part_codes]])
    if not solver.decide(lists, np.arange(rows), totals):
        return False
    # The positions come first, then those with the turn passed, then all sums.
    lengths = np.concatenate([np.diff(moves.ends, prepend=0) for moves in expansions])
    after_pass = np.arange(2 * count).reshape(2, -1)[::-1].ravel()
    lists = OptionLists(
        np.concatenate([[0], np.cumsum(lengths)]),
        2 * count + inverse[count:],
        np.empty(0, np.bool_),
        after_pass,
    )
    codes = np.concatenate([np.zeros(2 * count, np.int64), totals[:rows]])
    if not solver.decide(lists, np.arange(count), codes):
        return False
    return np.array_equal(codes[:count], totals[inverse[:count]])


def _distinct_rows(rows: Uint64Array) -> tuple[Uint64Array, Int64Array]:
    """Return the distinct rows, and the index among them of each row."""
    if rows.shape[1] == 1:
        distinct, inverse = np.unique(rows.reshape(-1), return_inverse=True)
        return distinct.reshape(-1, 1), inverse
    distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
    return distinct, inverse.reshape(-1)


def _first_wrong_game(
    components: Components, table: Table, packed: Uint64Array, codes: Int64Array
) -> tuple[int, int | None] | None:
    """Return the first position whose value, by its moves, is not the sum of its components.

    Args:
        components: the rules.
        table: the components, with their values.
        packed: whole positions.
        codes: the sums of their components' values.

    Returns:
        The index of the position and its code by its moves, None if a component after a move
        is not in the table; or None if there is no such position.
    """
    kind: Any = table.kind
    passing, words = Passing(components.unsplit), components.words
    sides = []
    for rows in (packed, np.ascontiguousarray(passing.after_pass(packed)).reshape(-1)):
        moves = expanded(components.unsplit, rows, len(codes))
        children = np.ascontiguousarray(moves.children).reshape(-1, words)
        distinct, inverse = np.unique(children, axis=0, return_inverse=True)
        is_known, values = components.codes(table, distinct.reshape(-1), len(distinct))
        listed = np.where(is_known, values, -1)[inverse.reshape(-1)].tolist()
        bounds = [0, *moves.ends.tolist()]
        sides.append([set(listed[begin:end]) for begin, end in pairwise(bounds)])
    for index, code in enumerate(codes.tolist()):
        right, left = sides[1][index], sides[0][index]
        if -1 in left | right:
            return index, None
        correct = kind.forms.of_options(map(kind.forms.negative, left), right)
        if correct != code:
            return index, correct
    return None
