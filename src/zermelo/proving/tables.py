"""Solved tables given to a search: it stops at their positions.

The values of tables are trusted by the search. A strategy uses the tables' values, and is checked
up to the ends of the game like any other: a wrong table does not pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray
from zermelo.errors import BudgetError, ParameterError
from zermelo.proving.strategies.replies import Expanded, Keys, Numbers, Replies
from zermelo.rules.layout import MisfitError
from zermelo.solution.game import SolvedGame
from zermelo.solution.solution import Solution
from zermelo.values.proof_values import FAR, MOST_SCORE
from zermelo.values.scores import SCORES
from zermelo.values.win_draw_loss import OUTCOME_ALONE, WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.search.table_positions import TablePositions
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Kind

#: Positions that are read in one batch; positions of a table at which two games are compared.
_BATCH, _SAMPLE = 1 << 16, 200
#: The algebras of tables for a search of margins, and for one of outcomes.
_SCORES, _OUTCOMES = (SCORES.algebra,), (WIN_DRAW_LOSS.algebra, OUTCOME_ALONE.algebra)
#: The share of the memory that the positions of tables may take.
_MEMORY_SHARE = 0.5


def find_table_positions(
    compiled: CompiledRules,
    tables: Iterable[Any],
    ledger: Ledger,
    report: Reporter,
    *,
    with_distance: bool,
) -> TablePositions | None:
    """Return the positions of solved tables, in the form that a search uses.

    Args:
        compiled: the rules, canonicalising as they are searched.
        tables: solutions, or paths of their files.
        ledger: the memory budget, of which some must be left.
        report: receives the number of positions read.
        with_distance: whether values must include the distance to a win or a loss.

    Returns:
        The positions, or None if there are none.

    Raises:
        ParameterError: a table is unsuitable, such as one of other rules.
        BudgetError: they have too many positions.
    """
    from zermelo._engine.search.table_positions import TablePositions

    if isinstance(tables, str | PathLike | Solution):
        tables = [tables]
    if not isinstance(tables, Iterable):
        message = f"tables={tables!r} is not a list; give solutions, or paths of their files"
        raise ParameterError(message)
    parts = [_SearchTable(compiled, table, with_distance=with_distance) for table in tables]
    capacity = sum(part.capacity for part in parts)
    if not capacity:
        return None
    needed = TablePositions.bytes_for(compiled.words, capacity)
    if needed > _MEMORY_SHARE * ledger.allowed:
        allowed = int(_MEMORY_SHARE * ledger.allowed)
        message = (
            f"the {capacity:,} positions of the tables take {needed:,} bytes of memory, and half "
            f"of what is allowed is {allowed:,}; allow more memory, or give smaller tables"
        )
        raise BudgetError(message, needed, allowed)
    positions = TablePositions(compiled.words, capacity)
    with report.phase("tables"):
        for part in parts:
            for rows, worths in part.positions():
                positions.add_positions(rows, worths)
                report.advance(positions.count)
    ledger.allowed -= positions.nbytes
    return positions


def values_of_codes(kind: Kind, codes: IntArray) -> Numbers:
    """Return the values of positions with these codes, in the form of a search."""
    numbers, has_number = kind.columns(codes)[0]
    if kind.gains:
        return numbers.astype(np.int64)
    outcomes = kind.outcomes(codes).astype(np.int64)
    if has_number is None:
        has_number = np.ones(len(outcomes), np.bool_)
    return np.where(has_number & (outcomes != 0), outcomes * (FAR - numbers), outcomes)


class KnownPositions:
    """The positions of a small solved game, with their values.

    Attributes:
        count: the number of positions.
        scored: whether their values are scores.
    """

    def __init__(self, solved: SolvedGame) -> None:
        """Take the positions of a game that was solved without symmetries."""
        table = solved.table
        self.count, self.scored = len(table), table.kind.gains
        self._index = table.index
        self._values = values_of_codes(table.kind, table.values(np.arange(self.count)))

    def find(self, rows: Keys) -> tuple[npt.NDArray[np.bool_], Numbers]:
        """Return a mask of the known packed positions, a row each, and the values of those."""
        places = np.empty(len(rows), np.int64)
        self._index.places(np.ascontiguousarray(rows).reshape(-1), len(rows), places)
        return places >= 0, np.where(places >= 0, self._values[places], 0)


class _SearchTable:
    """One table, whose rules have been checked to be those of the search.

    Attributes:
        capacity: an upper bound of the number of its positions, with equivalent ones.
    """

    def __init__(self, compiled: CompiledRules, table: Any, *, with_distance: bool) -> None:
        self._compiled = compiled
        solution, self._name = _open_table(compiled.rules, table)
        solved: Any = solution._solved  # noqa: SLF001  # one house
        self._check_kind(solution, solved, with_distance=with_distance)
        self._solved: SolvedGame = solved
        self._images: list[CompiledRules] = []
        table_rules = solved.compiled
        same_layout = table_rules.rules.layout == compiled.rules.layout
        if not (same_layout and set(table_rules.elements) <= set(compiled.elements)):
            # Each position represents others, which may not be equivalent in this search.
            self._images = [
                table_rules.with_symmetries([element]) for element in table_rules.elements
            ]
        self.capacity = len(solved.table) * max(len(self._images), 1)
        self._check_rules()

    def positions(self) -> Iterator[tuple[Keys, Numbers]]:
        """Yield its positions, packed as in the search, a row each, with their values."""
        search_rules, table = self._compiled, self._solved.table
        layout, table_layout = search_rules.rules.layout, self._solved.layout
        unchanged: list[CompiledRules | None] = [None]
        for places in self._batches():
            packed, values = table.packed(places), self._values(table.values(places))
            for image in self._images or unchanged:
                flat = packed if image is None else image.canonical(packed, len(places))
                rows, fits = flat.reshape(len(places), -1), np.ones(len(places), np.bool_)
                if layout != table_layout:
                    rows, fits = layout.pack_many(table_layout.unpack_many(rows.reshape(-1)))
                rows = np.ascontiguousarray(rows[fits])
                yield (
                    search_rules.canonical(rows.reshape(-1), len(rows)).reshape(rows.shape),
                    values[fits],
                )

    def _batches(self) -> Iterator[npt.NDArray[np.int64]]:
        """Yield all places in ascending order, in batches."""
        batch: list[npt.NDArray[np.int64]] = []
        count = 0
        for page in self._solved.table.pages():
            batch.append(page)
            count += len(page)
            if count >= _BATCH:
                yield np.concatenate(batch)
                batch, count = [], 0
        if batch:
            yield np.concatenate(batch)

    def _values(self, codes: IntArray) -> Numbers:
        return values_of_codes(self._solved.table.kind, codes)

    # -- checks of a table --------------------------------------------------------------------

    def _check_kind(self, solution: Solution, solved: Any, *, with_distance: bool) -> None:
        """Check that its values are of the kind that is searched for.

        Raises:
            ParameterError: they are not.
        """
        rules = self._compiled.rules
        is_game = isinstance(solved, SolvedGame)
        if not is_game or type(solved.rules.game) is not type(rules.game):
            message = (
                f"{self._name} is of {solution.rules.description}, and the search is of "
                f"{rules.description}; give a table of the same class"
            )
            raise ParameterError(message)
        kind = solved.table.kind
        known = kind.algebra in (_SCORES if rules.kind.gains else _OUTCOMES)
        if solved.rules.misere or not known:
            problem = "is of misère play" if solved.rules.misere else f"has values of {kind.name!r}"
            message = f"{self._name} {problem}, which a search does not; solve without that"
            raise ParameterError(message)
        if with_distance and not kind.timed:
            message = (
                f"{self._name} does not say how far away wins are, and remoteness=True asks for "
                "that; leave out value='outcome' when you solve"
            )
            raise ParameterError(message)

    def _check_rules(self) -> None:
        """Check that a sample of its positions has equal moves and ends in the search's rules.

        Raises:
            ParameterError: one differs.
        """
        search_rules, table_rules, solved = self._compiled.rules, self._solved.rules, self._solved
        if search_rules.game == table_rules.game:
            return
        if search_rules.layout.fields != table_rules.layout.fields:
            message = (
                f"{self._name} is of {table_rules.description}, whose positions are "
                f"{table_rules.layout.describe()}, not {search_rules.layout.describe()} as in "
                f"{search_rules.description}; give a table of positions of the same shape"
            )
            raise ParameterError(message)
        pages = list(solved.table.pages())
        places = np.concatenate(
            [page[:: max(1, len(page) * len(pages) // _SAMPLE)] for page in pages]
        )
        sample = places[np.linspace(0, len(places) - 1, min(len(places), _SAMPLE)).astype(np.int64)]
        for position in solved.positions(np.unique(sample)):
            if _describe_position(search_rules, position) != _describe_position(
                table_rules, position
            ):
                message = (
                    f"{self._name} is of {table_rules.description}, whose rules are not those of "
                    f"{search_rules.description} at {position!r}; give a table that was solved by "
                    "the same rules"
                )
                raise ParameterError(message)


def _open_table(rules: Rules, table: Any) -> tuple[Solution, str]:
    """Return a table, opened if it is a path, and its name for messages.

    Raises:
        ParameterError: it is not a table.
        MissingTableError: there is no file.
        StaleTableError: the rules have changed since it was made.
        CorruptTableError: it is damaged.
    """
    from zermelo._engine.file.reader import Reader
    from zermelo.solution.load_solution import game_of_file, opened_solution

    if isinstance(table, Solution):
        return table, f"the solution of {table.rules.description}"
    if not isinstance(table, str | PathLike):
        message = f"tables: {table!r} is not a table; give a Solution, or the path of its file"
        raise ParameterError(message)
    reader, name = Reader(Path(table)), repr(str(table))
    try:
        header = _table_header(reader, name, rules)
        game = game_of_file(reader, header, type(rules.game))
        return opened_solution(reader, game, header, 1), name
    except BaseException:
        reader.close()
        raise


def _table_header(reader: Reader, name: str, rules: Rules) -> dict[str, Any]:
    """Return the header of a file, if it is a table of a game.

    Raises:
        ParameterError: it is not.
        CorruptTableError: it is neither a table nor another file of Zermelo.
    """
    from zermelo.solution.load_solution import PROOF, read_header

    if "holds" in reader.header:
        message = f"{name} holds {reader.header['holds']}; give a table of {rules.name}"
        raise ParameterError(message)
    header = read_header(reader)
    if header["table"]["kind"] == PROOF:
        message = f"{name} is a proof of one position; give a table, which zermelo.solve makes"
        raise ParameterError(message)
    return header


def _describe_position(rules: Rules, position: Any) -> Any:
    """Return the rules' description of a position: its end, or its moves' points and children."""
    try:
        rules.layout.flatten(position)
        outcome, moves = rules.terminal(position), rules.moves(position)
        if outcome is not None or not moves:
            result = rules.no_moves if outcome is None else outcome
            return int(result), rules.final_score(position) if rules.kind.gains else 0
        children = [rules.play(position, move) for move in moves]
        gains = [rules.gain(position, move) if rules.kind.gains else 0 for move in moves]
        flat = [rules.layout.flatten(child) for child in children]
        return rules.owner(position), sorted(zip(gains, flat, strict=True))
    except (MisfitError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        return type(error).__name__, id(rules)


# -- strategies -------------------------------------------------------------------------------


def best_table_moves(
    table_positions: TablePositions | KnownPositions, replies: Replies, expanded: Expanded
) -> Numbers:
    """Return the number of a best move in each position, -1 if the tables do not give one.

    Of moves that win it is the one that wins soonest, so that play does not go round.

    Args:
        table_positions: the positions of the tables.
        replies: gives the player to move.
        expanded: the positions with their moves.
    """
    numbers = np.full(len(expanded.ends), -1)
    is_known = table_positions.find(expanded.keys)[0] & ~expanded.over
    if not is_known.any():
        return numbers
    edges = np.flatnonzero(is_known[expanded.origins])
    origins, children = expanded.origins[edges], expanded.children[edges]
    child_is_known, values = table_positions.find(children)
    if len(expanded.owners):
        owners = np.concatenate(
            [replies.expand(children[p]).owners for p in replies.batches(len(edges))]
        )
        values = np.where(owners == expanded.owners[origins], values, -values)
    else:
        values = -values
    if len(expanded.gains):
        values = values + expanded.gains[edges]
    order = np.lexsort((-values, origins))
    rows, first = np.unique(origins[order], return_index=True)
    numbers[rows] = edges[order[first]] - expanded.begins[rows]
    numbers[origins[~child_is_known]] = -1
    return numbers


def table_bounds(
    table_positions: TablePositions | KnownPositions, packed: Keys, *, scored: bool
) -> Any:
    """Return the tables' bounds of one packed position, or None; see ``values.proof_values``.

    Args:
        table_positions: the positions of the tables.
        packed: the words of the position.
        scored: whether values are scores.
    """
    is_known, values = table_positions.find(packed.reshape(1, -1))
    if not is_known[0]:
        return None
    value = int(values[0])
    if scored and abs(value) >= MOST_SCORE:
        return None
    if not scored and abs(value) == 1:  # without a distance
        return (1, FAR) if value > 0 else (-FAR, -1)
    return value, value
