"""Asking a table about one position: the way without detours, which is taken where it can be.

What a question costs is mostly Python's. So nothing is made twice, neither the
arrays that kernels take nor the values that come out, and a kernel is called with all of its
arguments at hand.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo.rules.layout import WORD, Layout
from zermelo.values.outcomes import Value

if TYPE_CHECKING:
    from zermelo._engine.table import Table

#: Values that are made once and given again.
_REMEMBERED = 1 << 14
#: Writes the words of a position, and returns whether it did.
Pack: TypeAlias = Callable[[Any, npt.NDArray[np.uint64]], bool]
#: Returns what changes a packed position where it stands, if anything does.
Canonicaliser: TypeAlias = Callable[[npt.NDArray[np.uint64]], Callable[[], object] | None]


class FastProber:
    """Asks a table about one position after another. Threads may share it."""

    def __init__(
        self,
        layout: Layout,
        table: Table,
        decoded: Callable[[int], Value],
        canonicaliser: Canonicaliser = lambda _: None,
    ) -> None:
        """Prepare.

        Args:
            layout: how positions are packed.
            table: positions and values.
            decoded: what a stored value means.
            canonicaliser: returns what makes a packed position the one that stands for it, or None
                where each stands for itself.
        """
        self._layout = layout
        self._table = table
        self._canonicaliser = canonicaliser
        self._unknown = table.kind.unknown
        self._decoded = decoded
        self._values: dict[int, Value] = {}
        self._mine = threading.local()

    def __call__(self, position: Any) -> Value | None:
        """Return the value of a position, or None where it is not to be had in this way."""
        try:
            words, pack, fold, ask = self._mine.tools
        except AttributeError:
            return self._first(position)
        try:
            if not pack(position, words):
                return None
            if fold is not None:
                fold()
            stored = ask()
        except Exception:  # noqa: BLE001  # the way with detours says what is wrong
            return None
        value = self._values.get(stored)
        if value is None and stored != self._unknown:
            value = self._remembered(stored)
        return value

    def _first(self, position: Any) -> Value | None:
        """Prepare a thread that has asked some questions to ask the next ones quickly."""
        self._mine.asked = getattr(self._mine, "asked", 0) + 1
        if self._mine.asked <= limits.current().questions:
            return None
        words = np.empty(self._table.words, np.uint64)
        pack = packer(self._layout)
        if not pack(position, words):
            return None
        canonicalise = self._canonicaliser(words)
        self._mine.tools = words, pack, canonicalise, self._table.prober(words)
        return self(position)

    def _remembered(self, stored: int) -> Value:
        if len(self._values) >= _REMEMBERED:
            self._values.clear()
        value = self._values[stored] = self._decoded(stored)
        return value


@lru_cache(maxsize=64)  # games of a class are mostly laid out alike
def packer(layout: Layout) -> Pack:
    """Return what packs a position of plain integers that fit, and says whether it did.

    It does nothing where anything is not just as it should be: then ``Layout.pack`` says what is
    wrong, or that it will do anyway. It is written out for the layout, as a loop over the
    fields would take most of the time of a question.
    """
    lines = ["def pack(position, words):", "    try:"]
    if layout.holds or not issubclass(layout.kind or int, int | tuple):
        return lambda _, __: False
    lines += [f"        {line}" for line in _lines(layout)]
    lines += ["        return True", "    except Exception: return False"]
    made: dict[str, Any] = {"kind": layout.kind}
    exec("\n".join(lines), made)  # noqa: S102  # of whole numbers and names made here
    pack: Pack = made["pack"]
    return pack


def _lines(layout: Layout) -> Iterator[str]:
    """Yield the lines of a function that packs, each of which may also return False."""
    named = [(f"n{i}", slot) for i, slot in enumerate(layout.slots)]
    targets, rows = [], []
    for field, (_, length) in enumerate(layout.fields):
        items = ", ".join(name for name, slot in named if slot.field == field)
        targets.append(items if length is None else f"t{field}")
        if length is not None:
            rows += [f"if type(t{field}) is not tuple: return False", f"[{items}] = t{field}"]
    if layout.kind is None:
        yield "n0 = position"
    else:
        yield "if type(position) is not kind: return False"
        yield f"[{', '.join(targets)}] = position"
    yield from rows
    within = ((slot.low if slot.bits < WORD else -slot.high - 1, slot.high) for _, slot in named)
    fits = (f"{low} <= n{i} <= {high}" for i, (low, high) in enumerate(within))
    yield f"if not ({' and '.join(fits)}): return False"
    words = [f"w{word}" for word in range(layout.words)]
    for number, word in enumerate(words):
        inside = [(name, slot) for name, slot in named if slot.word == number]
        least = sum(slot.low << slot.shift for _, slot in inside)
        terms = (f"{name} * {1 << slot.shift}" for name, slot in inside)
        yield f"{word} = {' + '.join(terms)} - {least}"
        if inside[0][1].bits == WORD:
            yield f"{word} &= {(1 << WORD) - 1}"
    # Numbers of NumPy may have wrapped around; what is made of one of them is one itself.
    yield f"if {' or '.join(f'type({word}) is not int' for word in words)}: return False"
    for number, word in enumerate(words):
        yield f"words[{number}] = {word}"
