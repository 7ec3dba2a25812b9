"""A pursuit that was solved: its graphs as rules, and the values of its positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._store import gameless
from zermelo.errors import PositionError
from zermelo.pursuits import table
from zermelo.pursuits.arrays import PursuitArrays
from zermelo.pursuits.standing import Steps
from zermelo.pursuits.values import PursuitValues
from zermelo.solution.solved import Solved

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.file.reader import Reader
    from zermelo.analysis import Analysis
    from zermelo.analysis.run import Wanted
    from zermelo.progress import Reporter
    from zermelo.pursuits.given import Given, PursuitPosition
    from zermelo.pursuits.marks import PursuitMarks
    from zermelo.pursuits.rows import PursuitRows
    from zermelo.rules.view import Answering
    from zermelo.values.answers import Counts


class SolvedPursuit(Solved):
    """A pursuit with the values of its positions.

    Attributes:
        rules: the pursuit as it was given.
        marks: the values as they were found.
        table: the same by place.
        rounds: plies of the longest pursuit that is decided.
    """

    def __init__(
        self, given: Given, marks: PursuitMarks, rounds: int, start: int | None = None
    ) -> None:
        """Join what is known of a pursuit.

        Args:
            given: the pursuit.
            marks: its values.
            rounds: plies of the longest that is decided.
            start: the place of the position where it begins, if there is one.
        """
        self.rules: Given = given
        self.rounds = rounds
        self.table: PursuitValues = PursuitValues(given, marks, start)

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
    def marks(self) -> PursuitMarks:
        """The values as they were found."""
        return self.table.marks

    def arrays(self, threads: int) -> PursuitArrays:  # noqa: ARG002  # copying takes one
        """Return who wins and in how many plies, as arrays by node."""
        return PursuitArrays(self.rules, self.marks, self.rounds)

    # -- positions and places ---------------------------------------------------------------------

    def place(self, position: Any) -> int:
        """Return the place of a position; see ``Solved``."""
        found = self.rules.checked(position)
        place: int = found.turn * self.table.size + self.rules.number(found)
        return place

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the places of many positions, -1 for what is none."""
        if isinstance(positions, np.ndarray) and positions.ndim > 1:
            positions = [(row[0], tuple(row[1:-1]), row[-1]) for row in positions.tolist()]
        return super().places(positions)

    def missing(self, position: Any) -> PositionError:
        """Return the error that says that a position is none."""
        if isinstance(position, tuple) and all(isinstance(each, int) for each in position):
            position = position[0], position[1:-1], position[-1]  # a row of numbers
        return super().missing(position)

    def positions(self, places: npt.NDArray[np.int64]) -> list[PursuitPosition]:
        """Return the positions at places."""
        return [self.rules.at(*divmod(place, self.table.size)) for place in places.tolist()]

    # -- the whole of it --------------------------------------------------------------------------

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
        held = table.arrays_of(self.rules, self.table, self.rounds)
        return gameless.write(path, table.KIND, self.rules, self.table, *held, **how)

    def rows(self, *, moves: bool) -> PursuitRows:
        """Return every position with its value as rows of columns; see ``Solved``."""
        from zermelo.pursuits.rows import PursuitRows

        return PursuitRows(self.rules, self.table, moves=moves)

    def close(self) -> None:
        """Close the file that it answers from, if there is one."""
        self.marks.close()
