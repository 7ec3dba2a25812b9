"""Sums of games, from the values of their parts: nimbers, or values of partizan games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.column import Column
from zermelo._engine.table import Table
from zermelo.errors import ParameterError, PositionError
from zermelo.sums.layout import labels
from zermelo.sums.rules import SumRules
from zermelo.sums.solved_sum import SolvedSum, SumIndex, strides_of
from zermelo.values.nimbers import NIMBERS
from zermelo.values.partizan import PartizanValues
from zermelo.values.results import Counts

if TYPE_CHECKING:
    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
    from zermelo.analysis.survey import Survey
    from zermelo.progress import Reporter
    from zermelo.solution.solution import Solution
    from zermelo.values.kind import Codes, Kind

#: An upper bound of all indices, if 64 bits suffice.
_WIDE = 1 << 62
#: The most sums whose codes are kept.
_MOST_KNOWN = 1 << 16


class ValueSum(SolvedSum):
    """A sum of games with a value for any position: the sum of the values of its parts.

    Attributes:
        parts: the solution of each part, all with values of one kind.
        sum_kind: the kind of the values of sums.
        folded: whether positions of some part are stored as one canonical position.
    """

    def __init__(self, parts: Sequence[Solution]) -> None:
        """Create the sum of games with known values."""
        rules: Any = [part.rules for part in parts]
        impartial = parts[0].kind.impartial
        self.sum_kind: Kind = NIMBERS if impartial else PartizanValues()
        super().__init__(SumRules(rules, self.sum_kind))
        self.parts = list(parts)
        #: The code in ``sum_kind`` of each code of a part.
        self._codes_of_parts: list[dict[int, int]] = [{} for _ in parts]
        self._known_sums: dict[tuple[int, ...], int] = {}
        self._solved_parts = [part._solved for part in parts]  # noqa: SLF001  # one package
        self.summands = list(zip(labels(len(parts)), self._solved_parts, strict=True))
        self.folded = any(each.folded for each in self._solved_parts)
        sizes = [each.table.span for each in self._solved_parts]
        self._strides = strides_of(sizes)
        span = self._strides[0] * sizes[0]
        self._dtype: Any = np.int64 if span < _WIDE else object
        column = SumColumn(self)
        # If a part is split, its start is not in its table, and is found by other means.
        self.table = Table(SumIndex(self, span), column, np.zeros(1, np.int64), "legal")
        if any(each.counted_as for each in self._solved_parts):
            self.counted_as = "sums of components"

    # -- positions and places ---------------------------------------------------------------------

    def starts(self) -> tuple[Any, ...]:
        """Return the only start, in which each part is at its start, with one player to move.

        If other players begin in some parts, the first part that shows its turn decides.
        """
        starts = [part.start for part in self.parts]
        movers = self._movers(starts)
        first = next((mover for mover in movers if mover is not None), None)
        for i, mover in enumerate(movers):
            if mover not in (None, first):
                starts[i] = self.parts[i].rules.pass_turn(starts[i])
        return (self.kind(*starts),)

    def _movers(self, position: Sequence[Any]) -> list[int | None]:
        """Return the player to move in each part; None for a part that does not show it."""
        return [
            None if part.rules.alternate else part.rules.owner(part_position)
            for part, part_position in zip(self.parts, position, strict=True)
        ]

    def _mixed_turns(self, columns: Sequence[Any], rows: Sequence[int]) -> list[int]:
        """Return the rows in which another player is to move in some part than in others."""
        turns = [i for i, part in enumerate(self.parts) if not part.rules.alternate]
        if len(turns) <= 1:
            return []
        return [
            row
            for row in rows
            if len(
                {self.parts[i].rules.owner(self._part_position(i, columns[i][row])) for i in turns}
            )
            > 1
        ]

    def _part_position(self, part: int, position: Any) -> Any:
        """Return a position of a part, which may be given by its numbers."""
        if isinstance(position, np.ndarray):
            return self._solved_parts[part].layout.build(position.tolist())
        return position

    def start(self) -> Any:
        """Return the start."""
        return self.starts()[0]

    def start_code(self) -> int:
        """Return the code of the start."""
        return self.code_and_tiebreak(self.start())[0]

    def place(self, position: Any) -> int:
        """Return the index of a position; see ``Solved``."""
        triples = zip(
            self._strides, self._solved_parts, self.rules.check_position(position), strict=True
        )
        self.check_turns(position, self._movers(position))
        return sum(stride * part.place(part_position) for stride, part, part_position in triples)

    def code_and_tiebreak(self, position: Any) -> tuple[int, Any]:
        """Return the code of a position, and an order among winning moves; see ``Solved``.

        In a sum of impartial games, a winning move comes nearer to the end if it lowers the sum of
        the parts' nimbers; or else if it lowers their tie-breaks, which decrease towards the end,
        compared greatest first.
        """
        codes: list[int] = []
        tiebreaks: list[int] = []
        for i, part_position in enumerate(self.rules.check_position(position)):
            try:
                code, tiebreak = self._solved_parts[i].code_and_tiebreak(part_position)
            except PositionError as error:
                message = f"part {labels(len(self.parts))[i]}: {error}"
                raise PositionError(message) from None
            codes.append(self._code_of_part(i, code))
            tiebreaks += tiebreak if isinstance(tiebreak, list) else [tiebreak]
        self.check_turns(position, self._movers(position))
        if not self.sum_kind.needs_potential:
            return self._sum_code(codes), 0
        return self._sum_code(codes), (sum(codes), sorted(tiebreaks, reverse=True))

    def codes(self, positions: Any) -> tuple[npt.NDArray[np.bool_], Codes]:
        """Return a mask of the positions with a value in the sum, and their codes."""
        columns = self._columns(positions)
        results = [
            part.codes(column) for part, column in zip(self._solved_parts, columns, strict=True)
        ]
        has_all_values = np.all([has_value for has_value, _ in results], axis=0)
        has_all_values[self._mixed_turns(columns, np.flatnonzero(has_all_values).tolist())] = False
        return has_all_values, self.sum_codes(
            [codes[has_all_values[has_value]] for has_value, codes in results]
        )

    def places_of(self, columns: list[Any]) -> npt.NDArray[Any]:
        """Return the indices of many positions; see ``SolvedSum``."""
        places = np.zeros(len(columns[0]), self._dtype)
        is_found = np.ones(len(columns[0]), np.bool_)
        for part, column, stride in zip(self._solved_parts, columns, self._strides, strict=True):
            part_places = part.places(column)
            is_found &= part_places >= 0
            places += part_places.astype(self._dtype) * stride
        places[~is_found] = -1
        return places

    def part_places(self, places: npt.NDArray[Any]) -> list[npt.NDArray[np.int64]]:
        """Return the indices of the parts."""
        remainder, indices = places, []
        for stride in self._strides:
            indices.append((remainder // stride).astype(np.int64))
            remainder = remainder % stride
        return indices

    def positions(self, places: npt.NDArray[Any]) -> list[Any]:
        """Return the positions at indices."""
        part_places = self.part_places(np.asarray(places, self._dtype))
        columns = [
            part.positions(indices)
            for part, indices in zip(self._solved_parts, part_places, strict=True)
        ]
        return [self.kind(*row) for row in zip(*columns, strict=True)]

    def position(self, place: int) -> Any:
        """Return the position at an index."""
        return self.positions(np.array([place], self._dtype))[0]

    def pages(self) -> Iterator[npt.NDArray[Any]]:
        """Yield all indices, those of the last part fastest; a table may omit some."""
        *outer, last = self._solved_parts
        for place in product(*(_all_places(part.table) for part in outer)):
            base = sum(
                index * stride for index, stride in zip(place, self._strides[:-1], strict=True)
            )
            for page in last.table.pages():
                yield page.astype(self._dtype) + base

    # -- values -----------------------------------------------------------------------------------

    def codes_at(self, places: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """Return the codes at indices."""
        part_places = self.part_places(places)
        return self.sum_codes(
            [
                part.table.values(indices)
                for part, indices in zip(self._solved_parts, part_places, strict=True)
            ]
        )

    def code(self, place: int) -> int:
        """Return the code at one index."""
        codes = []
        for i, stride in enumerate(self._strides):
            index, place = divmod(place, stride)
            codes.append(self._code_of_part(i, int(self._solved_parts[i].table.value(index))))
        return self._sum_code(codes)

    def sum_codes(self, columns: Sequence[Codes]) -> npt.NDArray[np.int32]:
        """Return the codes of sums, from the codes of each part."""
        codes = np.array(columns, np.int32)
        total: npt.NDArray[np.int32] = np.bitwise_xor.reduce(codes, axis=0)
        slow: Iterable[int] = range(codes.shape[1])
        if self.sum_kind.impartial:
            slow = np.flatnonzero((codes < 0).any(axis=0)).tolist()  # infinities
        for i in slow:
            total[i] = self._sum_code(
                [self._code_of_part(part, code) for part, code in enumerate(codes[:, i].tolist())]
            )
        return total

    def _code_of_part(self, part: int, code: int) -> int:
        """Return the code in ``sum_kind`` of a code of a part."""
        kind = self.parts[part].kind
        if kind.impartial:
            return code
        codes = self._codes_of_parts[part]
        if code not in codes:
            codes[code] = self.sum_kind.encode(kind.decode(code))
        return codes[code]

    def _sum_code(self, codes: Sequence[int]) -> int:
        """Return the code of a sum, from those of its parts in ``sum_kind``."""
        summands = tuple(codes)
        if summands not in self._known_sums:
            if len(self._known_sums) >= _MOST_KNOWN:
                self._known_sums.clear()
            self._known_sums[summands] = self.sum_kind.sum(summands)
        return self._known_sums[summands]

    def tally(self, tallies: Sequence[dict[int, int]]) -> dict[int, int]:
        """Return the number of positions of each code in the sum, from those of each part."""
        total = {0: 1}
        for part, tally in enumerate(tallies):
            sums: Counter[int] = Counter()
            for (code, count), (part_code, part_count) in product(total.items(), tally.items()):
                own_code = self._code_of_part(part, part_code)
                sums[self._sum_code((code, own_code))] += count * part_count
            total = dict(sums)
        return total

    def folded_tally(self) -> dict[int, int]:
        """Return the number of positions of each code, with equivalent positions counted once."""
        return self.tally([part.table.tally() for part in self._solved_parts])

    def reasons(self, position: Any) -> Iterator[str]:
        """Yield a sentence with the value of each part, and their addition; see ``Solved``."""
        rows = zip(labels(len(self.parts)), self.parts, position, strict=True)
        values = ", ".join(
            f"{label} is {part[part_position]}" for label, part, part_position in rows
        )
        if self.sum_kind.impartial:
            yield f"Of the parts, {values}; nimbers add without carrying, bit by bit."
        else:
            yield f"Of the parts, {values}, and the values add up."

    # -- all positions ----------------------------------------------------------------------------

    def arrays(self, threads: int) -> Any:  # noqa: ARG002  # always an error
        """Raise an error, as the product of the parts is not listed.

        Raises:
            ParameterError: always.
        """
        message = f"{self.rules.description} is a sum, of which no arrays are made; ask its parts"
        raise ParameterError(message)

    def counts(self, threads: int, report: Reporter) -> Counts:  # noqa: ARG002  # parts count
        """Return the number of positions of each value, without listing them."""
        tallies = [part.kind.tally(part.counts()) for part in self.parts]
        return self.sum_kind.counts(self.tally(tallies))

    def with_summand(self, summand: int, position: Any) -> Any:
        """Return the start with another position of a part; see ``Solved``."""
        parts = enumerate(self.parts)
        return self.kind(*(position if i == summand else part.start for i, part in parts))

    def check_values(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Raise an error, as each part is checked by itself."""
        raise NotImplementedError

    def survey(self) -> Survey:
        """Raise an error, as the product of the parts is not listed.

        Raises:
            ParameterError: always.
        """
        remedy = "analyse its parts"
        if not self.sum_kind.impartial:
            remedy += f", or solve it without value={self.sum_kind.name!r}"
        message = f"{self.rules.description} is a sum by values, and lists no positions; {remedy}"
        raise ParameterError(message)

    def close(self) -> None:
        """Do nothing: the parts belong to the caller."""


class SumColumn(Column):
    """The values of a sum, computed on demand."""

    def __init__(self, solved: ValueSum) -> None:
        """Store the sum."""
        self._solved = solved
        self.kind = solved.sum_kind
        self.count = 1
        for part in solved.parts:
            self.count *= len(part)

    def values(self, numbers: npt.NDArray[Any]) -> Codes:
        """Return the values at indices."""
        return self._solved.codes_at(numbers)

    def value(self, number: int) -> int:
        """Return the value at one index."""
        return self._solved.code(number)

    def tally(self) -> dict[int, int]:
        """Return the number of positions of each code."""
        return self._solved.folded_tally()


def _all_places(table: Table) -> Iterator[int]:
    for page in table.pages():
        yield from page.tolist()
