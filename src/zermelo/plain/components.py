"""A small game whose positions are split: the values of sums of its components."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._methods.components import Components
from zermelo.errors import PositionError
from zermelo.plain.game import PlainGame
from zermelo.solution.game import (
    has_moves,
    infinity_error,
    missing_component_error,
    no_whole_positions,
)

if TYPE_CHECKING:
    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
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
        """Return the code of the start."""
        return self.code_and_tiebreak(self.start())[0]

    def code_and_tiebreak(self, position: Any) -> tuple[int, Any]:
        """Return the code of a position, and the ranks of its components; see ``Solved``."""
        parts = self.rules.split(self.layout.unpack(self.pack_one(position)))
        numbers = {part: self.number(part) for part in parts}
        missing = (part for part, number in numbers.items() if number is None)
        missing_part = next((part for part in missing if has_moves(self, part)), None)
        if missing_part is not None:
            raise missing_component_error(self, position, missing_part)
        part_numbers = [number for part in parts if (number := numbers[part]) is not None]
        ranks: list[int] = []
        if self.table.kind.needs_potential:
            ranks = self.table.steps(np.sort(np.array(part_numbers, np.int64))).tolist()
        try:
            code = self.table.kind.sum(map(self.table.value, part_numbers))
        except ValueError:
            raise infinity_error(position) from None
        return code, sorted(ranks, reverse=True)

    def codes(self, positions: Any) -> tuple[npt.NDArray[np.bool_], npt.NDArray[Any]]:
        """Return a mask of the positions whose components are all in the table, and their codes."""
        packed, fits = self.pack_many(positions)
        has_value, codes = fits.copy(), []
        for i in np.flatnonzero(fits).tolist():
            try:
                codes.append(self.code_and_tiebreak(self.layout.unpack(packed[i].tolist()))[0])
            except PositionError:
                has_value[i] = False
        return has_value, np.array(codes, self.table.kind.dtype)

    def prober(self, decode: Decode) -> Callable[[Any], Value | None]:  # noqa: ARG002  # see Solved
        """Return a function that always returns None, as positions are split first."""
        return lambda _: None

    def missing_error(self, position: Any) -> PositionError:
        """Return the error for a position with a component that is not in the table."""
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
        """The rules that expand batches of components."""
        return Components(self.compiled, self.table.kind)

    def check_values(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Check the certificate; see ``Solved``."""
        from zermelo.solution.certificate import check_game_table

        return check_game_table(self.compiled, self.table, threads, ledger, report, self.expander)

    @property
    def made_by(self) -> tuple[str, str]:
        """The compiled method that gives an equal table; see ``PlainGame``."""
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
