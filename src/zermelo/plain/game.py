"""A small game that the reference solver has solved: what it answers without compiled rules."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import RulesError
from zermelo.plain.certificate import PlainCheck
from zermelo.plain.play_graph import Continues, explore
from zermelo.rules.impartiality import first_partizan
from zermelo.solution.game import GamePositions
from zermelo.values.nimbers import NIMBERS
from zermelo.values.results import Counts, Verification

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
    from zermelo.analysis.survey import Survey
    from zermelo.plain.play_graph import PlayGraph
    from zermelo.plain.solver import PlainValues
    from zermelo.progress import Reporter
    from zermelo.solution.solved_base import Decode, SolutionRows
    from zermelo.values.kind import Kind
    from zermelo.values.outcomes import Value


#: Whole positions that are compared with their components.
_WHOLE = 1 << 11


class PlainTable:
    """Values by number, as far as single questions and counts need them; see ``Table``.

    Attributes:
        kind: the kind of value.
        codes: the code of each position.
        starts: the numbers of the starts.
        ranks: numbers that shrink along the moves that prove values; see ``PlainValues``.
        reachability_evidence: see ``Table``.
        file: None, as it is in memory.
    """

    reachability_evidence = "places"
    file = None

    def __init__(self, graph: PlayGraph, values: PlainValues) -> None:
        """Keep the values of a graph's positions."""
        self.kind = values.kind
        self.codes = values.codes
        self.starts = np.arange(graph.starts)
        count = len(values.codes)
        self.ranks = values.ranks or range(0, -count, -1)
        self._steps = self.ranks
        layers = graph.layers() if self.kind.needs_potential and values.ranks is None else None
        if layers is not None:  # one number does for all positions of a layer
            spans = enumerate(pairwise(layers))
            self._steps = [-layer for layer, span in spans for _ in range(*span)]

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.codes)

    def value(self, place: int) -> int:
        """Return the code of one position."""
        return self.codes[place]

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the codes of positions."""
        return np.array([self.codes[place] for place in places.tolist()], self.kind.dtype)

    def steps(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along the moves that prove values, as few as are known."""
        return np.array([self._steps[place] for place in places.tolist()], np.int64)

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Scan all numbers in ascending order."""
        yield np.arange(len(self.codes), dtype=np.int64)

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        return dict(Counter(self.codes))

    def close(self) -> None:
        """Do nothing, as there is no file."""


class PlainGame(GamePositions):
    """A small game with its values. What needs compiled rules is asked of ``Solution``'s twin."""

    table: Any

    def __init__(self, graph: PlayGraph, values: PlainValues) -> None:
        """Keep what the reference solver has found.

        Args:
            graph: the positions.
            values: their values.
        """
        self.rules = graph.rules
        self.layout = graph.rules.layout
        self.folded = graph.folded
        self.split = graph.split
        self.table = PlainTable(graph, values)
        self._numbers = graph.numbers
        self._positions = graph.positions

    # -- positions --------------------------------------------------------------------------------

    def place(self, position: Any) -> int:
        """Return the number of a position; see ``Solved``."""
        place = self.number(self.layout.unpack(self.packed_one(position)))
        if place is None:
            raise self.missing(position)
        return place

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the numbers of many positions; see ``Solved``."""
        packed, fits = self.packed_many(positions)
        numbers = (self.number(self.layout.unpack(words)) for words in packed.tolist())
        places = np.array([-1 if number is None else number for number in numbers], np.int64)
        places[~fits] = -1
        return places

    def number(self, position: Any) -> int | None:
        """Return the number of a position as the rules write it, or None if it has none.

        Raises:
            RulesError: ``canonical`` fails on it.
        """
        number = self._numbers.get(position)
        if number is not None or not self.folded:
            return number
        try:
            return self._numbers.get(self.rules.canonical(position))
        except RulesError:
            raise
        except Exception as error:  # whatever the author's rule raises
            from zermelo._compile.run.replay import from_rule

            raise from_rule(self.rules, position, error) from error

    def start(self) -> Any:
        """Return the position it begins in."""
        return self.starts()[0]

    def starts(self) -> tuple[Any, ...]:
        """Return the starting positions, each once, in the order the game gives them."""
        return self.rules.starts()

    def position(self, place: int) -> Any:
        """Return the position with a number."""
        return self._positions[place]

    def positions(self, places: npt.NDArray[np.int64]) -> Sequence[Any]:
        """Return the positions with some numbers."""
        return [self._positions[place] for place in places.tolist()]

    def prober(self, decode: Decode) -> Callable[[Any], Value | None]:
        """Return a function that gives the value of a position that is written as the rules do."""
        numbers, codes, kind = self._numbers, self.table.codes, type(self._positions[0])

        def value(position: Any) -> Value | None:
            if type(position) is not kind:
                return None
            try:
                place = numbers.get(position)
            except TypeError:  # it holds a list, say
                return None
            return None if place is None else decode(codes[place])

        return value

    # -- the whole of it --------------------------------------------------------------------------

    def counts(self, threads: int, report: Reporter) -> Counts:  # noqa: ARG002  # see Solved
        """Return the number of positions of each value, equivalent ones counted one by one.

        Classes are counted where ``canonical`` is written by hand, as for larger games.
        """
        kind: Kind = self.table.kind
        codes = self.table.codes
        if self.rules.group is None or not self.folded:
            return kind.counts(self.table.tally())
        with report.phase("count", len(self.table)):
            walk = explore(self.rules)
            return kind.counts(Counter(codes[self.place(each)] for each in walk.positions))

    def verified(
        self,
        report: Reporter,
        continues: Continues = lambda _, __: True,
        *,
        whole: int = _WHOLE,
    ) -> Verification:
        """Check that each value follows from its successors' values, by the rules alone.

        Where symmetries are used, all positions are checked, and not one of each class. Nimbers are
        those of impartial games, which is checked too where the rules say how the turn is passed.

        Args:
            report: is told the phase.
            continues: see ``Continues``.
            whole: of how many whole positions the values are compared with those of their
                components, if positions are split.

        Raises:
            UnsuitedError: ``continues`` returned False.
        """
        began = time.perf_counter()
        with report.phase("certificate", len(self.table)):
            check = PlainCheck(
                self.rules,
                self.table.kind,
                self._positions,
                [self.table.kind.decode(code) for code in self.table.codes],
                self.table.ranks,
                self.number,
                self.folded,
                continues,
                whole if self.split else None,
            )
            position, problem = check.run()
            if problem is None and self.table.kind is NIMBERS and self.rules.passes:
                position, problem = first_partizan(self.rules, self._positions) or (None, None)
        seconds = time.perf_counter() - began
        found = len(self.table), check.moves, problem, seconds
        return Verification(problem is None, *found, position=position)

    # -- what needs compiled rules ----------------------------------------------------------------

    def arrays(self, threads: int) -> Any:
        """Refuse; ``Solution`` asks the compiled twin."""
        raise NotImplementedError

    def checked(self, threads: int, ledger: Ledger, report: Reporter) -> Finding:
        """Refuse; ``verified`` checks it."""
        raise NotImplementedError

    def survey(self) -> Survey:
        """Refuse; ``Solution`` asks the compiled twin."""
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str], **how: Any) -> Path:
        """Refuse; ``Solution`` asks the compiled twin."""
        raise NotImplementedError

    def rows(self, *, moves: bool) -> SolutionRows:
        """Refuse; ``Solution`` asks the compiled twin."""
        raise NotImplementedError
