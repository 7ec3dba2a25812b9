"""Quick look-ups of one position in a table, for the positions that allow it.

Most of the cost of a look-up is Python's. So nothing is created twice, neither the arrays that
kernels take nor the values that are returned, and a kernel is called with all of its arguments
ready.
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

#: The most values that are cached.
_REMEMBERED = 1 << 14
#: Writes the words of a position, and returns whether it succeeded.
Pack: TypeAlias = Callable[[Any, npt.NDArray[np.uint64]], bool]
#: Returns a function that canonicalises a packed position in place, or None.
Canonicaliser: TypeAlias = Callable[[npt.NDArray[np.uint64]], Callable[[], object] | None]


class FastProber:
    """A fast path for the look-up of single positions. Threads may share it."""

    def __init__(
        self,
        layout: Layout,
        table: Table,
        decode: Callable[[int], Value],
        canonicaliser: Canonicaliser = lambda _: None,
    ) -> None:
        """Store what look-ups need.

        Args:
            layout: how positions are packed.
            table: positions and values.
            decode: converts a stored value.
            canonicaliser: returns a function that canonicalises a packed position in place, or None
                if each is its own canonical form.
        """
        self._layout = layout
        self._table = table
        self._canonicaliser = canonicaliser
        self._unknown_code = table.kind.unknown
        self._decode = decode
        self._values: dict[int, Value] = {}
        self._mine = threading.local()

    def __call__(self, position: Any) -> Value | None:
        """Return the value of a position, or None if the fast path cannot give it."""
        try:
            words, pack, fold, ask = self._mine.tools
        except AttributeError:
            return self._prepare(position)
        try:
            if not pack(position, words):
                return None
            if fold is not None:
                fold()
            stored = ask()
        except Exception:  # noqa: BLE001  # the way with detours says what is wrong
            return None
        value = self._values.get(stored)
        if value is None and stored != self._unknown_code:
            value = self._decode_and_store(stored)
        return value

    def _prepare(self, position: Any) -> Value | None:
        """Prepare the fast path for a thread that has made several look-ups."""
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

    def _decode_and_store(self, stored: int) -> Value:
        if len(self._values) >= _REMEMBERED:
            self._values.clear()
        value = self._values[stored] = self._decode(stored)
        return value


@lru_cache(maxsize=64)  # games of a class are mostly laid out alike
def packer(layout: Layout) -> Pack:
    """Return a function that packs a position of plain integers, and returns whether it succeeded.

    It fails if anything is unusual: then ``Layout.pack`` packs the position, or says what is wrong.
    It is generated for the layout, as a loop over the fields would take most of the time of a
    look-up.
    """
    lines = ["def pack(position, words):", "    try:"]
    if layout.holds or not issubclass(layout.kind or int, int | tuple):
        return lambda _, __: False
    lines += [f"        {line}" for line in _lines(layout)]
    lines += ["        return True", "    except Exception: return False"]
    namespace: dict[str, Any] = {"kind": layout.kind}
    exec("\n".join(lines), namespace)  # noqa: S102  # of whole numbers and names made here
    pack: Pack = namespace["pack"]
    return pack


def _lines(layout: Layout) -> Iterator[str]:
    """Yield the lines of a function that packs, each of which may also return False."""
    slots = [(f"n{i}", slot) for i, slot in enumerate(layout.slots)]
    targets, rows = [], []
    for field, (_, length) in enumerate(layout.fields):
        items = ", ".join(name for name, slot in slots if slot.field == field)
        targets.append(items if length is None else f"t{field}")
        if length is not None:
            rows += [f"if type(t{field}) is not tuple: return False", f"[{items}] = t{field}"]
    if layout.kind is None:
        yield "n0 = position"
    else:
        yield "if type(position) is not kind: return False"
        yield f"[{', '.join(targets)}] = position"
    yield from rows
    ranges = ((slot.low if slot.bits < WORD else -slot.high - 1, slot.high) for _, slot in slots)
    fits = (f"{low} <= n{i} <= {high}" for i, (low, high) in enumerate(ranges))
    yield f"if not ({' and '.join(fits)}): return False"
    words = [f"w{word}" for word in range(layout.words)]
    for number, word in enumerate(words):
        word_slots = [(name, slot) for name, slot in slots if slot.word == number]
        least = sum(slot.low << slot.shift for _, slot in word_slots)
        terms = (f"{name} * {1 << slot.shift}" for name, slot in word_slots)
        yield f"{word} = {' + '.join(terms)} - {least}"
        if word_slots[0][1].bits == WORD:
            yield f"{word} &= {(1 << WORD) - 1}"
    # Numbers of NumPy may have wrapped around; a result computed from one of them is one itself.
    yield f"if {' or '.join(f'type({word}) is not int' for word in words)}: return False"
    for number, word in enumerate(words):
        yield f"words[{number}] = {word}"
