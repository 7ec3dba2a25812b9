"""The values of a pursuit's positions, by place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.index.index import PAGE
from zermelo._methods.pursuit.marks import all_coded, coded
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo.pursuits.given import Given
    from zermelo.pursuits.marks import PursuitMarks


class PursuitValues:
    """The values of positions, those of each turn after those of the turn before; see ``Values``.

    Attributes:
        marks: the values as they were found.
        size: places of a turn.
    """

    kind = WIN_DRAW_LOSS

    def __init__(self, given: Given, marks: PursuitMarks, start: int | None) -> None:
        """Read the values of a solved pursuit."""
        self._given = given
        self.marks = marks
        self.size = given.nodes ** (1 + given.pursuers)
        self.starts = np.array([] if start is None else [start], np.int64)

    def __len__(self) -> int:
        """Return how many positions there are, whoever moves next."""
        return self._given.positions

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Return the codes of positions."""
        turns, numbers = np.divmod(places, self.size)
        found = np.empty(len(places), np.int32)
        for turn in np.unique(turns).tolist():
            here = turns == turn
            found[here] = self.codes(turn, numbers[here])
        return found

    def codes(self, turn: int, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Return the codes of some positions of a turn; see ``Given.number``."""
        source, zero = self.marks.coded(turn)
        return all_coded(source[numbers].astype(np.int64) - zero)

    def value(self, place: int) -> int:
        """Return the code of one position."""
        return coded(self.marks.at(*divmod(place, self.size)))

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Scan all positions that exist, some at once."""
        nodes, team = self._given.nodes, self._given.nodes**self._given.pursuers
        alive = np.ones(1, np.bool_)
        for _ in range(self._given.pursuers):
            alive = (alive[:, np.newaxis] & ~self._given.forbidden).reshape(-1)
        for begin in range(0, self._given.turns * self.size, PAGE):
            places = np.arange(begin, min(begin + PAGE, self._given.turns * self.size))
            turns, numbers = np.divmod(places, self.size)
            places = places[alive[np.where(turns == 0, numbers % team, numbers // nodes)]]
            if len(places):
                yield places

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        found: dict[int, int] = {}
        for mark, count in self.marks.tally():
            found[mark] = found.get(mark, 0) + count
        # Positions that do not exist have no mark either.
        found[0] = found.get(0, 0) - self._given.turns * self.size + len(self)
        return {coded(mark): count for mark, count in found.items() if count}
