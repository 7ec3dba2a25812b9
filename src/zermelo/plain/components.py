"""A small game whose positions are split: its components, which answer for any sum of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import PositionError
from zermelo.plain.game import PlainGame
from zermelo.solution.game import beyond_sets, missing_component
from zermelo.values.nimbers import NIMBERS, nim_sum

if TYPE_CHECKING:
    from zermelo.progress import Reporter
    from zermelo.solution.solved_base import Decode
    from zermelo.values.outcomes import Value
    from zermelo.values.results import Counts


class PlainComponents(PlainGame):
    """A small game with the nimbers of its components; see ``SolvedComponents``."""

    counted_as = "components"

    def start_code(self) -> int:
        """Return the code of the position it begins in."""
        return self.found(self.start())[0]

    def found(self, position: Any) -> tuple[int, Any]:
        """Return the code of a position, and the ranks of its components; see ``Solved``."""
        parts = self.rules.split(self.layout.unpack(self.packed_one(position)))
        numbers = {part: self.number(part) for part in parts}
        strange = (part for part, number in numbers.items() if number is None)
        absent = next((part for part in strange if self.rules.moves(part)), None)
        if absent is not None:
            raise missing_component(self, position, absent)
        there = [number for part in parts if (number := numbers[part]) is not None]
        far = self.table.steps(np.sort(np.array(there, np.int64))).tolist()
        value = nim_sum(NIMBERS.decode(self.table.value(number)) for number in there)
        if not NIMBERS.has(value):
            raise beyond_sets(position)
        return NIMBERS.encode(value), sorted(far, reverse=True)

    def codes(self, positions: Any) -> tuple[npt.NDArray[np.bool_], npt.NDArray[Any]]:
        """Return which positions have a value here, and the codes of those; see ``Solved``."""
        packed, fits = self.packed_many(positions)
        found, codes = fits.copy(), []
        for i in np.flatnonzero(fits).tolist():
            try:
                codes.append(self.found(self.layout.unpack(packed[i].tolist()))[0])
            except PositionError:
                found[i] = False
        return found, np.array(codes, self.table.kind.dtype)

    def prober(self, decode: Decode) -> Callable[[Any], Value | None]:  # noqa: ARG002  # see Solved
        """Return what has no quick way, as positions are split first."""
        return lambda _: None

    def missing(self, position: Any) -> PositionError:
        """Return the error that says that a position has a component that is not here."""
        try:
            self.found(position)
        except PositionError as error:
            return error
        return super().missing(position)

    def counts(self, threads: int, report: Reporter) -> Counts:  # noqa: ARG002  # see Solved
        """Return how many components there are of each value."""
        counts: Counts = self.table.kind.counts(self.table.tally())
        return counts
