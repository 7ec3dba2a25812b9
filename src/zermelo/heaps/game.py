"""Heap games, with nimbers of heaps and of sums, winning moves, and periods."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.errors import ParameterError
from zermelo.heaps.codes import TWO, Code
from zermelo.progress import Listener, Reporter

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from zermelo._engine.heaps.sequence import NimSequence
    from zermelo.heaps.periods import NoPeriod, Period

#: The largest heap whose nimber can be computed.
LARGEST = (1 << 31) - 2
#: The default limits of the search for a period; less if heaps split in three, as such games
#: take longest.
_DEFAULT_LIMIT, _DEFAULT_LIMIT_TRIPLES = 100_000, 2_000
_THREE = 3
#: The largest heap whose nimber a notebook shows.
_SHOWN = 59


class HeapMove(NamedTuple):
    """A move in a sum of heaps.

    Attributes:
        heap: the size of the heap that is changed.
        left: the sizes of the resulting heaps, the largest first.
        heaps: all heaps after the move, the largest first.
        nimber: the nimber of ``heaps``; the move wins if it is 0.
    """

    heap: int
    left: tuple[int, ...]
    heaps: tuple[int, ...]
    nimber: int


class HeapGame:
    """A game played with heaps of tokens: a move changes one of them.

    Both players have the same moves, and a player who cannot move loses. Games are equal if their
    codes are equal. Computed nimbers are cached for as long as the game object exists.

    Attributes:
        code: the moves from a heap.
        title: the name of the game, such as ``Kayles``.
    """

    code: Code
    title: str

    def __init__(self, code: Code, written: str, title: str = "") -> None:
        """Create a game.

        Args:
            code: the moves from a heap.
            written: the Python expression of the game, for ``repr``.
            title: the name of the game; by default ``written``.
        """
        self.code = code
        self.title = title or written
        self._written = written
        self._sequence: NimSequence | None = None
        self._period: Period | None = None

    def __repr__(self) -> str:
        """Return the Python expression of the game."""
        return self._written

    def _repr_html_(self) -> str:
        """Return the nimbers of small heaps, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.heap_game(self, self.nimbers(_SHOWN).tolist())

    def __eq__(self, other: object) -> bool:
        """Return whether both games have the same code."""
        return isinstance(other, HeapGame) and self.code == other.code

    def __hash__(self) -> int:
        """Return the hash of the code."""
        return hash(self.code)

    def options(self, heap: int) -> list[tuple[int, ...]]:
        """Return the heaps that moves leave of a heap.

        Args:
            heap: its number of tokens.

        Returns:
            The sizes of the remaining heaps, the largest first; ``()`` if a move takes all.

        Raises:
            ParameterError: it is not a number of tokens.
        """
        return list(self.code.options(tokens(heap)))

    def nimbers(
        self, largest: int, *, by_period: bool = True, progress: Listener | None = None
    ) -> npt.NDArray[np.int32]:
        """Return the nimbers of all heaps to a size: the nim-sequence.

        Args:
            largest: the size of the largest heap.
            by_period: whether to search for a period; once one is proved, the other nimbers follow
                from it. If not, each nimber is computed.
            progress: called with events during a long computation.

        Returns:
            An array of ``largest + 1`` nimbers by heap, beginning with that of the empty heap. It
            is a copy.

        Raises:
            ParameterError: ``largest`` is not the size of a heap, or is too large.
        """
        count = tokens(largest) + 1
        sequence = self._known(count, by_period=by_period, progress=progress)
        if self._period is None or count <= sequence.known:
            return sequence.values[:count].copy()
        from zermelo.heaps.periods import extend_by_period

        return extend_by_period(self._period, sequence.values, count)

    def nimber(self, heaps: int | Iterable[int]) -> int:
        """Return the nimber of a heap, or of a sum of heaps; 0 if the player to move loses.

        Args:
            heaps: the size of a heap, or the sizes of several.

        Raises:
            ParameterError: one is not the size of a heap.
        """
        sizes = _heaps(heaps)
        values = self.nimbers(max(sizes, default=0))
        total = 0
        for size in sizes:
            total ^= int(values[size])
        return total

    def moves(self, heaps: int | Iterable[int]) -> list[HeapMove]:
        """Return every move in a sum of heaps with the resulting nimber.

        Args:
            heaps: the size of a heap, or the sizes of several; moves in equal heaps are listed
                once.

        Raises:
            ParameterError: one is not the size of a heap.
        """
        sizes = _heaps(heaps)
        values = self.nimbers(max(sizes, default=0))
        total = self.nimber(sizes)
        moves_in_sum = []
        for size in sorted(set(sizes), reverse=True):
            others = list(sizes)
            others.remove(size)
            for left in self.code.options(size):
                nimber = total ^ int(values[size])
                for heap in left:
                    nimber ^= int(values[heap])
                after = tuple(sorted([*others, *left], reverse=True))
                moves_in_sum.append(HeapMove(size, left, after, nimber))
        return moves_in_sum

    def best(self, heaps: int | Iterable[int]) -> list[HeapMove]:
        """Return the winning moves: those to a sum of nimber 0.

        The list is empty if all moves lose.

        Args:
            heaps: the size of a heap, or the sizes of several.

        Raises:
            ParameterError: one is not the size of a heap.
        """
        return [move for move in self.moves(heaps) if move.nimber == 0]

    def period(
        self, largest: int | None = None, *, progress: Listener | None = None
    ) -> Period | NoPeriod:
        """Search for a period of the nim-sequence, and prove it.

        Args:
            largest: the size of the largest heap to examine; by default 100,000, or 2,000 if heaps
                split in three or a code without end splits heaps.
            progress: called with events during a long computation.

        Returns:
            The period with its proof; or, if none could be proved, a ``NoPeriod``, which is false.

        Raises:
            ParameterError: ``largest`` is not the size of a heap.
        """
        from zermelo.heaps.periods import NoPeriod, apparent_period

        if largest is None:
            is_slow = self.code.most == _THREE or self.code.rest & TWO
            largest = _DEFAULT_LIMIT_TRIPLES if is_slow else _DEFAULT_LIMIT
        largest = tokens(largest)
        sequence = self._known(largest + 1, by_period=True, progress=progress)
        if self._period is not None and self._period.checked_to <= largest:
            return self._period
        reason = apparent_period(sequence.values[: largest + 1])
        return NoPeriod(self, largest, reason or "only a larger limit can show one")

    def write_b_file(
        self, path: str | os.PathLike[str], largest: int, *, overwrite: bool = False
    ) -> Path:
        """Write the nim-sequence as a b-file of the OEIS, with a heap and its nimber on each line.

        The file appears, or is replaced, when it is whole.

        Args:
            path: the file; OEIS uses b and six digits as names, such as ``b002187.txt``.
            largest: the size of the largest heap.
            overwrite: whether an existing file may be replaced.

        Raises:
            TableExistsError: there is a file already.
            TableWriteError: it cannot be written.
            ParameterError: ``largest`` is not the size of a heap.
        """
        from zermelo._engine.file.destination import check_place
        from zermelo.atomic_write import write_text

        target = check_place(path, overwrite=overwrite)
        lines = [f"{heap} {nimber}" for heap, nimber in enumerate(self.nimbers(largest).tolist())]
        write_text(target, "\n".join(lines) + "\n")
        return target

    def _known(
        self, count: int, *, by_period: bool, progress: Listener | None = None
    ) -> NimSequence:
        """Return the known nimbers: the first ``count``, or enough for a proved period."""
        from zermelo._engine.heaps.sequence import NimSequence
        from zermelo.heaps.periods import find_period

        if count - 1 > LARGEST:
            message = f"a heap of {count - 1:,} is too large; give at most {LARGEST:,}"
            raise ParameterError(message)
        code = self.code
        if self._sequence is None:
            self._sequence = NimSequence(code.digits, code.rest, unequal=code.unequal)
        sequence, report = self._sequence, Reporter(progress)
        is_known = count <= sequence.known or (by_period and self._period is not None)
        phase: AbstractContextManager[Any] = nullcontext()
        with phase if is_known else report.phase("nimbers", count):
            while sequence.known < count and not (by_period and self._period is not None):
                end = min(count, max(64, 2 * sequence.known)) if by_period else count
                sequence.extend(end, report.advance)
                if by_period:
                    self._period = find_period(self, sequence.values)
        return sequence


def tokens(heap: Any) -> int:
    """Return the size of a heap.

    Raises:
        ParameterError: it is not the size of a heap.
    """
    try:
        size = heap.__index__()
    except (AttributeError, TypeError):
        size = -1
    if size < 0 or isinstance(heap, bool):
        message = f"{heap!r} is not the size of a heap; give a whole number, 0 or more"
        raise ParameterError(message)
    return int(size)


def _heaps(heaps: object) -> list[int]:
    """Return the sizes of heaps, given as one number or as several."""
    if isinstance(heaps, str):
        message = f"{heaps!r} is not a row of heaps; give numbers such as [5, 7]"
        raise ParameterError(message)
    return [tokens(heap) for heap in (heaps if isinstance(heaps, Iterable) else [heaps])]
