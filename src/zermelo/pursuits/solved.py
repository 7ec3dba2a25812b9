"""A pursuit that was solved: its graphs as rules, and the values of its positions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import PositionError
from zermelo.pursuits import table
from zermelo.pursuits.arrays import PursuitArrays
from zermelo.pursuits.standing import Steps
from zermelo.pursuits.values import PursuitValues
from zermelo.values.answers import Counts
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.file.reader import Reader
    from zermelo.analysis import Analysis
    from zermelo.analysis.run import Wanted
    from zermelo.progress import Reporter
    from zermelo.pursuits.given import Given, PursuitPosition
    from zermelo.pursuits.marks import Marks
    from zermelo.rules.view import Answering
    from zermelo.solution.solved import Decode


class SolvedPursuit:
    """A pursuit with the values of its positions; see ``Solved``.

    Attributes:
        rules: the pursuit as it was given.
        marks: the values as they were found.
        table: the same by place.
        rounds: plies of the longest pursuit that is decided.
    """

    folded = False

    def __init__(self, given: Given, marks: Marks, rounds: int, start: int | None = None) -> None:
        """Join what is known of a pursuit.

        Args:
            given: the pursuit.
            marks: its values.
            rounds: plies of the longest that is decided.
            start: the place of the position where it begins, if there is one.
        """
        self.rules = given
        self.rounds = rounds
        self.table = PursuitValues(given, marks, start)

    @classmethod
    def read(cls, reader: Reader, threads: int) -> SolvedPursuit:
        """Return what a file holds.

        Args:
            reader: the file.
            threads: threads to read with.

        Raises:
            CorruptTableError: it is not what it says.
        """
        return cls(*table.read(reader, threads))

    @property
    def marks(self) -> Marks:
        """The values as they were found."""
        return self.table.marks

    def arrays(self, threads: int) -> PursuitArrays:  # noqa: ARG002  # copying takes one
        """Return who wins and in how many plies, as arrays by node."""
        return PursuitArrays(self.rules, self.marks, self.rounds)

    def starts(self) -> tuple[PursuitPosition, ...]:
        """Return the position where it begins, or nothing."""
        return tuple(self.positions(self.table.starts))

    # -- positions and places ---------------------------------------------------------------------

    def place(self, position: Any) -> int:
        """Return the place of a position; see ``Solved``."""
        found = self.rules.checked(position)
        place: int = found.turn * self.table.size + self.rules.number(found)
        return place

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the places of many positions, -1 for what is none."""
        if not isinstance(positions, Iterable):
            message = f"expected many positions of a pursuit, not {positions!r}; give a list"
            raise PositionError(message)
        if isinstance(positions, np.ndarray) and positions.ndim > 1:
            positions = [(row[0], tuple(row[1:-1]), row[-1]) for row in positions.tolist()]
        return np.array([self._place_or_none(position) for position in positions], np.int64)

    def _place_or_none(self, position: Any) -> int:
        try:
            return self.place(position)
        except PositionError:
            return -1

    def missing(self, position: Any) -> PositionError:
        """Return the error that says that a position is none."""
        if isinstance(position, tuple) and all(isinstance(each, int) for each in position):
            position = position[0], position[1:-1], position[-1]  # a row of numbers
        try:
            self.rules.checked(position)
        except PositionError as error:
            return error
        return PositionError(f"{position!r} is not here; verify the table")

    def position(self, place: int) -> PursuitPosition:
        """Return the position at a place."""
        return self.rules.at(*divmod(place, self.table.size))

    def positions(self, places: npt.NDArray[np.int64]) -> list[PursuitPosition]:
        """Return the positions at places."""
        return [self.position(place) for place in places.tolist()]

    def plain(self, position: Any) -> PursuitPosition:
        """Return a position with its nodes as plain integers."""
        return self.rules.checked(position)

    def prober(self, decode: Decode) -> None:
        """There is no quicker way than by place."""

    # -- the whole of it --------------------------------------------------------------------------

    def counts(self, threads: int, report: Reporter, *, folded: bool) -> Counts:  # noqa: ARG002
        """Return how many positions there are of each outcome and remoteness."""
        return WIN_DRAW_LOSS.counts(self.table.tally())

    def checked(self, threads: int, allowed: int, report: Reporter) -> Finding:
        """Check the certificate in one pass along the graphs as they were given; see ``Solved``."""
        from zermelo.pursuits.certificate import checked_pursuit

        return checked_pursuit(self.rules, self.table, threads, allowed, report)

    def analysed(
        self, solution: Answering, counts: Counts, wanted: Wanted, report: Reporter
    ) -> Analysis:
        """Work out what the pursuit is like to play; see ``Solved``."""
        from zermelo.analysis.run import analysed
        from zermelo.analysis.survey import ListedSurvey

        steps = Steps(self.rules)
        survey = ListedSurvey(self, steps.count, steps.listed)
        return analysed(solution, survey, counts, wanted, report)

    def save(self, path: str | os.PathLike[str], **how: Any) -> Path:
        """Write the graphs and the values to a file; see ``Solved``."""
        return table.save(self.rules, self.table, self.rounds, path, **how)

    def export(self, path: str | os.PathLike[str], **how: Any) -> Path:
        """Write every position as a row; see ``Solved``."""
        from zermelo.pursuits.exporting import export

        return export(self.rules, self.table, path, **how)

    def close(self) -> None:
        """Close the file that it answers from, if there is one."""
        self.marks.close()
