"""Rules of a game with ``split``: each move leads to a sum of components.

To the engine these are rules like others. The children of a position are the components that its
moves lead to. The gain of a child, which is points in other games, marks the last component of a
move.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.nimbers import first_inconsistent, without_moves
from zermelo._engine.column.nimbers import OUTSIDE, sums
from zermelo._engine.expand.expander import FULL, OK, Buffers, run_expand
from zermelo.values.nimbers import NIMBERS, Nimbers

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Kind

#: The initial capacity in moves and components, for each position of a batch.
_ROOM = 12


class _Grouped(Nimbers):
    """The kind of nimbers for rules whose moves lead to several positions."""

    gains = True


GROUPED = _Grouped()


class Components:
    """The rules of a game with positions split into components; an ``Expand`` for the engine.

    Attributes:
        whole: the rules, without splitting or canonical forms.
        folding: the compiled rules as given, which make positions canonical if the solve does.
        rules: the hooks.
        words: 64-bit words per packed position.
        used: the bits of a packed position that may differ from 0, if it is one word.
        alternate: whether the players strictly alternate, as they do in an impartial game.
        kind: nimbers.
        elements: the symmetries in use; see ``CompiledRules``.
        is_folded: whether positions are made canonical; see ``CompiledRules``.
    """

    alternate = True
    kind: Kind = GROUPED

    def __init__(self, compiled: CompiledRules) -> None:
        """Store the compiled rules of a game with ``split``."""
        self.folding = compiled
        self.whole = compiled.without_symmetries().with_kind(NIMBERS)
        self.rules: Rules = compiled.rules
        self.words, self.used = compiled.words, compiled.used
        self.elements, self.is_folded = compiled.elements, compiled.is_folded
        self._mine = threading.local()

    def __call__(  # one buffer each
        self,
        keys: npt.NDArray[np.uint64],
        begin: int,
        end: int,
        children: npt.NDArray[np.uint64],
        ends: npt.NDArray[np.int32],
        values: npt.NDArray[Any],
        owners: npt.NDArray[np.uint8],
        gains: npt.NDArray[np.int64],
    ) -> tuple[int, int, int]:
        """Expand positions; see ``Expand``."""
        buffers = self._buffers(end - begin)
        whole = (buffers.children, buffers.ends, values, owners, buffers.gains)
        done, moves, status = self.whole(keys, begin, end, *whole)
        while status == FULL and not done:
            buffers.children = np.empty(4 * len(buffers.children), np.uint64)
            whole = (buffers.children, buffers.ends, values, owners, buffers.gains)
            done, moves, status = self.whole(keys, begin, end, *whole)
        if status not in (OK, FULL):
            return done, 0, status
        parts, part_ends = self.split(buffers.children, moves)
        # The index after the last component of each position; components of one position stay
        # together.
        after = np.concatenate([[0], part_ends])[buffers.ends[:done]]
        room = len(children) // self.words
        fit = int(np.searchsorted(after, room, "right"))
        made, moves = (int(after[fit - 1]), int(buffers.ends[fit - 1])) if fit else (0, 0)
        children[: made * self.words] = parts[: made * self.words]
        ends[:fit] = after[:fit]
        gains[:made] = 0
        gains[part_ends[:moves] - 1] = 1
        return fit, made, OK if status == OK and fit == done else FULL

    def _buffers(self, count: int) -> Buffers:
        """Return this thread's buffers for ``count`` positions."""
        buffers: Buffers | None = getattr(self._mine, "buffers", None)
        if buffers is None or len(buffers.ends) < count:
            buffers = Buffers.for_rules(self.whole, count, _ROOM * max(count, 1))
            self._mine.buffers = buffers
        return buffers

    def split(
        self, packed: npt.NDArray[np.uint64], count: int
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """Return the canonical components of packed positions, and the end of each position's.

        Raises:
            CompileError: ``split`` cannot be compiled.
            RulesError: ``split`` raised an error, or yields an invalid position.
        """
        found, ends, made = [np.empty(0, np.uint64)], np.empty(count, np.int64), 0
        room, done = np.empty(_ROOM * max(count, 1) * self.words, np.uint64), 0
        while done < count:
            some = np.empty(count - done, np.int32)
            split, parts, status = self.whole.split(packed, done, count, room, some)
            if status == FULL and not split:
                room = np.empty(4 * len(room), np.uint64)
                continue
            found.append(room[: parts * self.words].copy())
            ends[done : done + split] = made + some[:split]
            done, made = done + split, made + parts
        return self.folding.canonical(np.concatenate(found), made), ends

    def start_words(self) -> npt.NDArray[np.uint64]:
        """Return the packed components of the starts, shape (k, words)."""
        starts = self.rules.start_words()
        parts, _ = self.split(np.ascontiguousarray(starts).reshape(-1), len(starts))
        return parts.reshape(-1, self.words)

    def canonical(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64]:
        """Return the canonical forms of packed positions."""
        return self.folding.canonical(packed, count)

    def endless(
        self,
        packed: npt.NDArray[np.uint64],  # noqa: ARG002  # see Expand
        count: int,  # noqa: ARG002
        owners: npt.NDArray[np.uint8],  # noqa: ARG002
    ) -> npt.NDArray[np.int64]:
        """Return an empty array: endless play makes no points."""
        return np.empty(0, np.int64)

    def without_symmetries(self) -> Components:
        """Return the same rules without canonical forms."""
        return Components(self.whole)

    def explain(self, packed: npt.NDArray[np.uint64], status: int) -> Exception:
        """Return the error that explains what is wrong with the rules at a packed position."""
        return self.whole.explain(packed, status)

    def codes(
        self, table: Table, packed: npt.NDArray[np.uint64], count: int
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
        """Test which packed positions have all components in a table; return that, and their codes.

        A component without moves need not be in the table.

        The code is OUTSIDE if the sum is infinity with a nimber that no set can contain.
        """
        parts, ends = self.split(packed, count)
        places = np.empty(len(parts) // self.words, np.int64)
        table.places(parts, len(places), places)
        known = table.values(np.maximum(places, 0))
        absent = np.flatnonzero(places < 0)
        if len(absent):  # a position without moves has nimber 0, whatever it comes from
            rows = np.ascontiguousarray(parts.reshape(-1, self.words)[absent])
            over = without_moves(self.whole, rows.reshape(-1), len(absent))
            known[absent], places[absent[over]] = 0, 0
        missing = np.concatenate([[0], np.cumsum(places < 0)])
        found = missing[ends] == missing[np.concatenate([[0], ends[:-1]])]
        codes = np.empty(count, np.int64)
        sums(ends, known, codes)
        return found, codes


def components_of(compiled: CompiledRules, table: Table) -> Components | None:
    """Return rules that split positions if the table was made with ``split``, else None."""
    split = compiled.rules.has_hook("split") and table.kind.name == NIMBERS.name
    return Components(compiled) if split else None


def positions_of(
    components: Components, table: Table, most: int
) -> tuple[npt.NDArray[np.uint64], int]:
    """Return a sample of whole packed positions for the check of ``split``, and their count.

    They are found by playing from the starts, and by one move from components.

    Args:
        components: the rules.
        table: the components, with their values.
        most: the approximate number of positions of each of the two sorts.
    """
    whole, words = components.whole, components.words
    met = fresh = np.unique(components.rules.start_words()[:most], axis=0)
    while len(fresh) and len(met) < most:
        after = np.unique(_children(whole, fresh[:most]), axis=0)
        both, first = np.unique(np.concatenate([met, after]), axis=0, return_index=True)
        fresh = both[first >= len(met)][: most - len(met)]
        met = np.concatenate([met, fresh])
    some = np.linspace(0, len(table) - 1, min(len(table), most)).astype(np.int64)
    places = next(iter(table.pages())) if len(table) <= most else some
    moved = np.unique(_children(whole, table.packed(places).reshape(-1, words)), axis=0)[:most]
    every = np.concatenate([met, moved])
    return np.ascontiguousarray(every).reshape(-1), len(every)


def _children(whole: CompiledRules, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the positions that are one move after the given ones."""
    keys, found, done = np.ascontiguousarray(rows).reshape(-1), [rows[:0]], 0
    buffers = Buffers.for_rules(whole, max(len(rows), 1), _ROOM * max(len(rows), 1))
    while done < len(rows):
        count, made = run_expand(whole, keys, done, len(rows), buffers)
        found.append(buffers.children[: made * whole.words].reshape(-1, whole.words).copy())
        done += count
    return np.concatenate(found)


def first_wrong_split(components: Components, table: Table, most: int) -> str | None:
    """Return a sentence on a sampled position whose components do not have its nimber, or None.

    Args:
        components: the rules.
        table: the components, with their values.
        most: about half the number of sampled positions.

    Returns:
        A sentence on the first such position, or None.
    """
    rules, decode = components.rules, table.kind.decode
    packed, count = positions_of(components, table, most)
    found, codes = components.codes(table, packed, count)
    rows = packed.reshape(count, -1)
    if not found.all():
        position = rules.layout.unpack(rows[int(np.argmin(found))])
        return rules.split_fault(position, None, None)
    known = codes != OUTSIDE
    rows, codes = rows[known], codes[known]
    wrong = first_inconsistent(components, table, np.ascontiguousarray(rows).reshape(-1), codes)
    if wrong is None:
        return None
    place, right = wrong
    position, value = rules.layout.unpack(rows[place]), decode(int(codes[place]))
    return rules.split_fault(position, value, None if right is None else decode(right))
