"""The table that a dense space leaves: slots computed, two bits each, and a byte or so a value."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.column.codes import UNKNOWN, Scale, widened
from zermelo._engine.core.jit import light_kernel
from zermelo._engine.index.directory import find, slots_of
from zermelo._engine.index.ranks import Ranking, rank
from zermelo._engine.table import Table
from zermelo._methods.dense.marks import wide_codes
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

Places = npt.NDArray[np.int64]


@light_kernel
def _ask(
    packed: Any,
    words: int,
    programme: Any,
    numbers: Any,
    tables: Any,
    directory: Any,
    state: Any,
    last: int,
    ties: int,
    place: Any,
) -> Any:
    """Return the code of one packed position, or ``UNKNOWN``: one call, as that costs the most."""
    rank(packed, 1, words, programme, numbers, tables, place)
    if find(directory, place, 1, place) == 0:
        return UNKNOWN
    return widened(np.int64(state[place[0]]), last, ties)


class DenseTable(Table):
    """Positions in the order of their slots."""

    kind: Kind = WIN_DRAW_LOSS
    saved_as = "slots"

    def __init__(
        self,
        ranking: Ranking,
        directory: npt.NDArray[np.uint64],
        state: npt.NDArray[Any],
        scale: Scale,
        turns: npt.NDArray[np.uint8],
        starts: Places,
        *,
        legal: bool,
    ) -> None:
        """Keep the arrays.

        Args:
            ranking: the slots of positions.
            directory: which slots hold one.
            state: the code of each position.
            scale: what codes they are.
            turns: whose turn it is, or empty where the players strictly alternate.
            starts: the slots of the starts, the game's own first.
            legal: whether these are all the legal positions, and not those that can be reached.
        """
        self.words = ranking.words
        self.ranking = ranking
        self.directory = directory
        self.state = state
        self.scale = scale
        self.turns = turns
        self.reachability_evidence = "legal" if legal else "any"
        numbers = np.empty(len(starts), np.int64)
        find(directory, starts, len(starts), numbers)
        self.starts = np.array(list(dict.fromkeys(numbers.tolist())), np.int64)

    @property
    def has_turns(self) -> bool:
        """Whether it says whose turn it is."""
        return len(self.turns) > 0

    def __len__(self) -> int:
        """Return how many positions there are."""
        return len(self.state)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Find packed positions; see ``Table``."""
        slots = np.empty(count, np.int64)
        self.ranking.rank(packed, count, slots)
        return int(find(self.directory, slots, count, out))

    def prober(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the code of one packed position; see ``Table``."""
        place, scale = np.empty(1, np.int64), self.scale
        held: tuple[Any, ...] = (self.directory, self.state, scale.last, scale.ties, place)
        return partial(_ask, packed, self.words, *self.ranking.arrays, *held)

    def values(self, places: Places) -> npt.NDArray[Any]:
        """Return the values at places."""
        return wide_codes(self.state[places], self.scale)

    def value(self, place: int) -> int:
        """Return the value at one place."""
        return wide_codes(self.state[place : place + 1], self.scale).item()

    def owners(self, places: Places) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places."""
        return self.turns[places] if len(self.turns) else np.zeros(len(places), np.uint8)

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        slots = np.empty(len(places), np.int64)
        slots_of(self.directory, places, len(places), slots)
        packed = np.empty(len(places) * self.words, np.uint64)
        self.ranking.unrank(slots, len(places), packed)
        return packed

    def potential(self, places: Places) -> Places:
        """Return numbers that shrink along every move: there are none, as this is no score game."""
        return -places

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        found: dict[int, int] = {}
        for begin in range(0, len(self), 1 << 22):
            part = self.state[begin : begin + (1 << 22)]
            if self.scale is codes.WIDE:
                values, counts = np.unique(part, return_counts=True)
            else:
                kind = np.dtype(f"u{part.itemsize}")
                every = np.bincount(part.view(kind), minlength=1)
                values = np.flatnonzero(every).astype(kind).view(part.dtype)
                counts = every[values.view(kind)]
            wide = wide_codes(values, self.scale)
            for code, count in zip(wide.tolist(), counts.tolist(), strict=True):
                found[code] = found.get(code, 0) + count
        return found
