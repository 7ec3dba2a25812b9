"""A small game that answers from its table in a file, by the rules in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.lookup_check import first_misplaced
from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.table import Table
from zermelo._methods.components import components_of
from zermelo._store.save_table import save_table
from zermelo._store.table_forms import open_table
from zermelo.limits import current
from zermelo.plain.components import PlainComponents
from zermelo.plain.game import PlainGame
from zermelo.plain.index import DictIndex
from zermelo.plain.rules import PlainRules, are_few, kernels_for
from zermelo.plain.solve import TimeLimit
from zermelo.rules.hooks import Rules
from zermelo.solution.certificate import header_fault
from zermelo.solution.load_solution import check_rules_match, opened_solution
from zermelo.solution.solution import Solution
from zermelo.solution.split import solved_game
from zermelo.values.results import Verification

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

    from zermelo._engine.file.reader import Reader
    from zermelo._store.save_options import SaveOptions
    from zermelo.game.contract import Game
    from zermelo.progress import Reporter
    from zermelo.solution.game import SolvedGame
    from zermelo.solution.solved_base import Solved

#: The time limit of a check, as a multiple of that of a solve.
_PATIENCE = 3.0


class FileGame(PlainGame):
    """A small game whose table was read from a file."""

    def __init__(
        self, rules: PlainRules, table: Table, open_compiled: Callable[[], Solved]
    ) -> None:
        """Read a whole table.

        Args:
            rules: the rules.
            table: positions and values in the file.
            open_compiled: opens the file with compiled rules.

        Raises:
            CorruptTableError: a block of the file is damaged.
        """
        kind, words, unpack = table.kind, table.words, rules.rules.layout.unpack
        ranks: npt.NDArray[np.uint32] | None = None
        with rules.with_positions(range(len(table))).kernels():
            places = np.concatenate([np.empty(0, np.int64), *table.pages()])
            keys = table.packed(places)
            if kind.needs_potential:
                potential = table.potential(places)
                ranks = (potential - potential.min(initial=0)).astype(np.uint32)
            owners = np.empty(0, np.uint8) if rules.alternate else table.owners(places)
            column = ArrayColumn(kind, table.values(places).astype(kind.dtype), owners)
        positions = list(map(unpack, keys.reshape(-1, words).tolist()))
        numbers = {position: number for number, position in enumerate(positions)}
        starts = np.searchsorted(places, np.asarray(table.starts, np.int64))
        evidence = "legal" if table.reachability_evidence == "legal" else "any"
        memory_table = Table(DictIndex(keys, words, ranks), column, starts, evidence)
        compiled: Any = rules.with_positions(positions)  # with the interface of ``CompiledRules``
        split = components_of(compiled, table) is not None
        super().__init__(compiled, memory_table, numbers, split=split)
        #: The game with the table as it is in the file.
        self.stored: SolvedGame = solved_game(compiled, table)
        self._open_compiled = open_compiled

    def with_compiled_rules(self) -> Solved:
        """Return the solution for a check by compiled rules."""
        return self._open_compiled()

    def own_verification(self, report: Reporter) -> Verification | None:
        """Check the file, and that each value follows from its successors' values.

        The result is None if the rules take long, or fail: compiled rules report how.

        Raises:
            CorruptTableError: the file is damaged.
        """
        stored = self.stored.table
        assert stored.reader is not None  # noqa: S101  # the table comes from a file
        with report.phase("checksums"):
            stored.reader.compare()
        limit = TimeLimit(_PATIENCE * current().plain_seconds)
        try:
            verification = self.check_by_rules(report, limit.phase())
        except Exception:  # noqa: BLE001  # an author's rule fails or takes too long
            return None
        if not verification:
            return verification
        with self.kernels():
            position, problem = self._turn_problem()
            if problem is None and (place := first_misplaced(stored, report)) is not None:
                position = self.stored.position(place)
                problem = f"{position!r} is in the table, but cannot be found there"
            problem = problem or header_fault(self.stored)
        seconds = sum(seconds for _, seconds in report.phases)
        results = verification.positions, verification.moves, problem, seconds
        return Verification(problem is None, *results, position=position)

    def _turn_problem(self) -> tuple[Any, str | None]:
        """Return the first position with a wrong player to move in the table, and a sentence."""
        if self.compiled.alternate:
            return None, None
        owners = self.table.owners(np.arange(len(self.table))).tolist()
        for position, owner in zip(self._positions, owners, strict=True):
            if self.rules.owner(position) != owner:
                return position, f"the table has the wrong turn at {position!r}"
        return None, None

    def save(self, path: str | os.PathLike[str], options: SaveOptions) -> Path:
        """Copy the table to another file; see ``Solved``."""
        with self.kernels():
            return save_table(self.stored.compiled, self.stored.table, path, options)

    def close(self) -> None:
        """Close the file."""
        self.stored.close()


class FileComponents(FileGame, PlainComponents):
    """A small game with the nimbers of its components, read from a file."""


def small_table(
    reader: Reader, game: Game, header: dict[str, Any], threads: int, *, ignore: bool = False
) -> Solution | None:
    """Return a solution that answers from a small table by rules in Python, None for a large table.

    The result is also None for tables with only some of the game's symmetries.

    Args:
        reader: the file.
        game: its game.
        header: its header.
        threads: the threads that the solution may use.
        ignore: whether changed rules are accepted.

    Raises:
        CorruptTableError: the file is damaged.
        StaleTableError: the rules have changed since the table was made.
    """
    count = header["table"].get("positions")
    if type(count) is not int or not are_few(count):
        return None
    rules = Rules(game, misere=header["misere"], folding=header["folded"] or game.folded_tables)
    folded = header["folded"] and rules.foldable
    rules_in_python: Any = PlainRules(rules, rules.kind, (), folded=folded)
    if len(rules_in_python.elements) != header["symmetries"] or header["folded"] != folded:
        return None
    check_rules_match(reader, header, rules_in_python, ignore=ignore)
    with kernels_for(count):
        table = open_table(reader, rules_in_python)

    def open_compiled() -> Solved:
        solution = opened_solution(reader, game, header, threads, ignore=ignore)
        return solution._solved  # noqa: SLF001  # the solution is only made for this

    form = FileGame if components_of(rules_in_python, table) is None else FileComponents
    return Solution(
        form(rules_in_python.with_kind(table.kind), table, open_compiled),
        method=header["method"],
        choice=header["choice"],
        threads=threads,
    )
