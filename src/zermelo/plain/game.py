"""A small game that the reference solver has solved, with all its answers in plain Python."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.table import Table
from zermelo.errors import RulesError
from zermelo.plain.certificate import PlainCheck
from zermelo.plain.index import PlainIndex
from zermelo.plain.play_graph import Continues, explore
from zermelo.plain.rules import PlainRules
from zermelo.plain.space import positions_of_space
from zermelo.rules.impartiality import first_partizan, taken_for_impartial
from zermelo.rules.misere import describe_misere
from zermelo.rules.symmetry_clause import describe_folding
from zermelo.solution.game import SolvedGame
from zermelo.values.partizan import PARTIZAN
from zermelo.values.results import Counts, Verification

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo._store.save_options import SaveOptions
    from zermelo.plain.play_graph import PlayGraph
    from zermelo.plain.solver import PlainValues
    from zermelo.progress import Reporter
    from zermelo.solution.solved_base import Decode
    from zermelo.values.kind import Kind
    from zermelo.values.outcomes import Value


#: The number of whole positions that are compared with their components.
_WHOLE = 1 << 11
#: The same for partizan games, of which the moves of both players are compared.
_WHOLE_GAMES = 1 << 8


class PlainGame(SolvedGame):
    """A small game with its values, and its rules in Python."""

    def __init__(
        self, rules: PlainRules, table: Table, numbers: dict[Any, int], *, split: bool
    ) -> None:
        """Store the rules and the values.

        Args:
            rules: the rules, with the positions by number.
            table: positions and values, in memory.
            numbers: the number of each position.
            split: whether positions are split, so that these are components.
        """
        compiled: Any = rules
        super().__init__(compiled, table)
        self.split = split
        self._column: Any = table.column
        self._numbers = numbers
        self._positions = rules.positions

    @classmethod
    def of_graph(cls, graph: PlayGraph, values: PlainValues) -> Self:
        """Return the game that the reference solver has explored and solved."""
        kind = values.kind
        rules = PlainRules(graph.rules, kind, graph.positions, folded=graph.folded)
        owners = np.array([] if rules.alternate else graph.owners, np.uint8)
        column = ArrayColumn(kind, np.array(values.codes, kind.dtype), owners)
        evidence = "legal" if graph.legal else "places"
        table = Table(PlainIndex(graph, values.ranks), column, np.arange(graph.starts), evidence)
        return cls(rules, table, graph.numbers, split=graph.split)

    @property
    def _codes(self) -> npt.NDArray[Any]:
        """The codes by number."""
        codes: npt.NDArray[Any] = self._column.stored
        return codes

    # -- positions --------------------------------------------------------------------------------

    def place(self, position: Any) -> int:
        """Return the number of a position; see ``Solved``."""
        place = self._quick_number(position)
        if place is None:
            place = self.number(self.layout.unpack(self.pack_one(position)))
        if place is None:
            raise self.missing_error(position)
        return place

    def places(self, positions: Any) -> npt.NDArray[np.int64]:
        """Return the numbers of a batch of positions; see ``Solved``."""
        packed, fits = self.pack_many(positions)
        numbers = (self.number(self.layout.unpack(words)) for words in packed.tolist())
        places = np.array([-1 if number is None else number for number in numbers], np.int64)
        places[~fits] = -1
        return places

    def _quick_number(self, position: Any) -> int | None:
        """Return the number of a position in the form of the rules; None for any other."""
        if type(position) is not type(self._positions[0]):
            return None
        try:
            return self._numbers.get(position)
        except TypeError:  # it holds a list, say
            return None

    def number(self, position: Any) -> int | None:
        """Return the number of a position in the form of the rules; None if it is not in the table.

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
        except Exception as error:  # a rule may raise anything
            from zermelo._compile.run.replay import error_from_rule

            raise error_from_rule(self.rules, position, error) from error

    def start(self) -> Any:
        """Return the start."""
        return self.starts()[0]

    def starts(self) -> tuple[Any, ...]:
        """Return the starting positions, each once, in the order the game gives them."""
        return self._starts

    @cached_property
    def _starts(self) -> tuple[Any, ...]:
        return self.rules.starts()

    def plain(self, position: Any) -> Any:
        """Return a position of the table in the form of the rules."""
        number = None if self.folded else self._quick_number(position)
        return super().rules_position(position) if number is None else self._positions[number]

    def position(self, place: int) -> Any:
        """Return the position with a number."""
        return self._positions[place]

    def positions(self, places: npt.NDArray[np.int64]) -> Sequence[Any]:
        """Return the positions with some numbers."""
        return [self._positions[place] for place in places.tolist()]

    def prober(self, decode: Decode) -> Callable[[Any], Value | None]:
        """Return a function that gives the value of a position in the form of the rules."""
        codes, quick_number = self._codes, self._quick_number

        def value(position: Any) -> Value | None:
            place = quick_number(position)
            return None if place is None else decode(codes.item(place))

        return value

    # -- the whole game --------------------------------------------------------------------------

    def counts(self, threads: int, report: Reporter) -> Counts:  # noqa: ARG002  # see Solved
        """Return the number of positions of each value, equivalent ones counted one by one.

        Classes are counted if the author wrote ``canonical``, as for larger games.
        """
        kind: Kind = self.table.kind
        codes = self._codes.tolist()
        if self.rules.group is None or not self.folded:
            return kind.counts(self.table.tally())
        with report.phase("count", len(self.table)):
            walk = explore(self.rules, space=self._space())
            return kind.counts(Counter(codes[self.place(position)] for position in walk.positions))

    def _space(self) -> list[Any] | None:
        """Return all positions of the space if the table has all legal ones, else None."""
        legal = self.table.reachability_evidence == "legal"
        return positions_of_space(self.rules) if legal else None

    def own_verification(self, report: Reporter) -> Verification | None:
        """Return the result of the check of values; see ``Solved``."""
        return self.check_by_rules(report)

    def check_by_rules(
        self,
        report: Reporter,
        continues: Continues = lambda _, __: True,
        *,
        whole: int = _WHOLE,
    ) -> Verification:
        """Check that each value follows from its successors' values, by the rules alone.

        With symmetries, all positions are checked, not one of each class. For nimbers, it is also
        checked that the game is impartial, if the rules have ``pass_turn``.

        Args:
            report: receives the phase.
            continues: see ``Continues``.
            whole: the number of whole positions whose values are compared with those of their
                components, if positions are split.

        Raises:
            UnsuitedError: ``continues`` returned False.
        """
        begin_time = time.perf_counter()
        if self.table.kind.algebra == PARTIZAN.algebra:
            return self._check_games(report, whole)
        with report.phase("certificate", len(self.table)):
            check = PlainCheck(
                self.rules,
                self.table.kind,
                self._positions,
                list(map(self.table.kind.decode, self._codes.tolist())),
                self.table.potential(np.arange(len(self.table))).tolist(),
                self.number,
                self.folded,
                not self.folded and self.table.reachability_evidence == "places",
                continues,
                whole if self.split else None,
                self._space(),
            )
            position, problem = check.run()
            if problem is None and self.table.kind.impartial and self.rules.passes:
                position, problem = first_partizan(self.rules, self._positions) or (None, None)
        seconds = time.perf_counter() - begin_time
        results = len(self.table), check.moves, problem, seconds
        return Verification(problem is None, *results, position=position)

    def _check_games(self, report: Reporter, whole: int) -> Verification:
        """Return the result of the check of values of a partizan game."""
        from zermelo._engine.core.ledger import Ledger
        from zermelo.solution.certificate import check_game_table, fault_sentence

        begin_time = time.perf_counter()
        expand: Any = self.expander
        whole = min(whole, _WHOLE_GAMES)
        with self.kernels():
            finding = check_game_table(
                self.compiled,
                self.table,
                1,
                Ledger.for_budget(None),
                report,
                expand if self.split else None,
                whole=whole,
            )
            position, problem = fault_sentence(self, finding)
        seconds = time.perf_counter() - begin_time
        results = finding.positions, finding.moves, problem, seconds
        return Verification(problem is None, *results, position=position)

    # -- passes over packed positions -------------------------------------------------------------

    def kernels(self) -> AbstractContextManager[None]:
        """Return a context in which kernels scan all positions; see ``PlainRules``."""
        return self.compiled.kernels()

    def save(self, path: str | os.PathLike[str], options: SaveOptions) -> Path:
        """Write a file equal to that of a solve by compiled rules; see ``Solved``."""
        method, choice = self.made_by
        with self.kernels():
            return super().save(path, replace(options, method=method, choice=choice))

    @property
    def made_by(self) -> tuple[str, str]:
        """The compiled method that gives an equal table, and the description of its choice."""
        from zermelo._methods.chance.method import solve_description as chance_description
        from zermelo._methods.graph_methods import graph_description
        from zermelo._methods.nimber.method import search_description
        from zermelo._methods.partizan.method import solve_description as partizan_description
        from zermelo._methods.score.graph import WITH_PLIES, solve_description

        rules, kind = self.rules, self.table.kind
        index: Any = self.table.index  # a ``PlainIndex``
        forward = index.ranks is None
        if kind.algebra == PARTIZAN.algebra:
            method, choice = kind.method, partizan_description(rules)
        elif kind.impartial:
            method, choice = kind.method, search_description(forward=forward, looping=index.looping)
            choice += taken_for_impartial(rules)
        elif rules.has_chance:
            method, choice = kind.method, chance_description(forward=index.leads_forward)
        elif kind.gains:
            method = kind.method
            choice = WITH_PLIES if kind.stages else solve_description(forward=forward)
        else:
            method, choice = "retrograde", graph_description(layered=index.layers is not None)
        choice += describe_folding(rules, self.compiled.elements, folded=self.folded)
        return method, choice + describe_misere(kind, self.table.tally, misere=rules.misere)
