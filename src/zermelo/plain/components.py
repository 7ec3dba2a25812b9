"""A small game whose positions are split: its components, which answer for any sum of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._methods.nimber.components import Components
from zermelo.errors import PositionError
from zermelo.plain.game import PlainGame
from zermelo.solution.game import infinity_error, missing_component_error, no_whole_positions
from zermelo.values.nimbers import NIMBERS, nim_sum

if TYPE_CHECKING:
    from zermelo.analysis.survey import GameSurvey
    from zermelo.progress import Reporter
    from zermelo.solution.export.rows import GameRows
    from zermelo.solution.solved_base import Decode
    from zermelo.values.outcomes import Value
    from zermelo.values.results import Counts


class PlainComponents(PlainGame):
    """A small game with the nimbers of its components; see ``SolvedComponents``."""

    counted_as = "components"

    def start_code(self) -> int:
        """Return the code of the position it begins in."""
        return self.code_and_tiebreak(self.start())[0]

    def code_and_tiebreak(self, position: Any) -> tuple[int, Any]:
        """Return the code of a position, and the ranks of its components; see ``Solved``."""
        parts = self.rules.split(self.layout.unpack(self.pack_one(position)))
        numbers = {part: self.number(part) for part in parts}
        strange = (part for part, number in numbers.items() if number is None)
        absent = next((part for part in strange if self.rules.moves(part)), None)
        if absent is not None:
            raise missing_component_error(self, position, absent)
        there = [number for part in parts if (number := numbers[part]) is not None]
        far = self.table.steps(np.sort(np.array(there, np.int64))).tolist()
        value = nim_sum(NIMBERS.decode(self.table.value(number)) for number in there)
        if not NIMBERS.has(value):
            raise infinity_error(position)
        return NIMBERS.encode(value), sorted(far, reverse=True)

    def codes(self, positions: Any) -> tuple[npt.NDArray[np.bool_], npt.NDArray[Any]]:
        """Return a mask of the positions with a value here, and their codes; see ``Solved``."""
        packed, fits = self.pack_many(positions)
        found, codes = fits.copy(), []
        for i in np.flatnonzero(fits).tolist():
            try:
                codes.append(self.code_and_tiebreak(self.layout.unpack(packed[i].tolist()))[0])
            except PositionError:
                found[i] = False
        return found, np.array(codes, self.table.kind.dtype)

    def prober(self, decode: Decode) -> Callable[[Any], Value | None]:  # noqa: ARG002  # see Solved
        """Return a prober that knows no value, as positions are split first."""
        return lambda _: None

    def missing_error(self, position: Any) -> PositionError:
        """Return the error that says that a position has a component that is not here."""
        try:
            self.code_and_tiebreak(position)
        except PositionError as error:
            return error
        return super().missing_error(position)

    def counts(self, threads: int, report: Reporter) -> Counts:  # noqa: ARG002  # see Solved
        """Return the number of components of each value."""
        counts: Counts = self.table.kind.counts(self.table.tally())
        return counts

    @property
    def expander(self) -> Any:
        """What plays moves from many components."""
        return Components(self.compiled)

    @property
    def made_by(self) -> tuple[str, str]:
        """The method of compiled rules that gives the same table; see ``PlainGame``."""
        method, choice = super().made_by
        return method, f"components alone, as split() gives them: {choice}"

    def survey(self) -> GameSurvey:
        """Raise an error, as the table has only components.

        Raises:
            ParameterError: always.
        """
        raise no_whole_positions(self)

    def rows(self, *, moves: bool) -> GameRows:
        """Return every component with its value as rows of columns; see ``Solved``."""
        from zermelo.solution.export.rows import GameRows

        return GameRows(self.compiled, self.table, moves=moves, expand=self.expander)
