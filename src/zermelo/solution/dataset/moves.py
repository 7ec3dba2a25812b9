"""Moves of many positions in one batch, and the value of each for the player who makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import Ledger
from zermelo._engine.expand.chance_labels import read_labels
from zermelo._engine.expand.expander import CAPACITY, Buffers, expanded, expanded_parts
from zermelo._engine.survey.move_graph import stored_move_graph_bytes
from zermelo.analysis.survey import GameSurvey, ListedSurvey
from zermelo.values.expectations import CHANCE, Expectations
from zermelo.values.outcomes import LOSS, WIN

if TYPE_CHECKING:
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.solution.export.best_move_rows import ChosenMoves
    from zermelo.values.kind import Codes, Kind
    from zermelo.values.outcomes import Value

Numbers = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]

#: The most different keys that are counted, not sorted.
_COUNTED = 1 << 22


@dataclass
class ExpandedMoves:
    """The successors of some positions.

    Attributes:
        ends: the end of each position's moves in the array of all moves.
        children: the keys of the successors, shape (moves, words).
        places: the indices of the successors.
        codes: the codes of the successors.
        same_player: whether the same player is to move there.
        gains: the points of each move; empty if moves make none.
        owners: the player to move in each position; empty if the players strictly alternate.
        endless: the points of endless play for each position; empty if they are 0.
        by_chance: whether chance decides in each position, so that its moves are results of chance
            and their points are weights; empty in games without chance.
    """

    ends: Numbers
    children: Keys
    places: Numbers
    codes: Codes
    same_player: npt.NDArray[np.bool_]
    gains: Numbers
    owners: npt.NDArray[np.uint8]
    endless: Numbers
    by_chance: npt.NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))


@dataclass
class ValuedMoves:
    """The moves of some positions, with their values.

    A value is represented by its number in the ``MoveValues``.

    Attributes:
        raw: the successors.
        first: the beginning of each position's moves in the array of all moves, and its end.
        parent: the position of each move.
        value_number: the value of each move.
        best: whether each move is one of the best.
        value: the value of a best move of each position; -1 if the game is over.
    """

    raw: ExpandedMoves
    first: Numbers
    parent: Numbers
    value_number: Numbers
    best: npt.NDArray[np.bool_]
    value: Numbers

    @property
    def move_counts(self) -> Numbers:
        """The number of moves of each position."""
        return np.diff(self.first)

    def select(self, positions: Numbers) -> ValuedMoves:
        """Return the moves of some of the positions; ``raw`` remains that of all."""
        counts = self.move_counts[positions]
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        edges = np.arange(int(first[-1])) + np.repeat(self.first[positions] - first[:-1], counts)
        parent = np.repeat(np.arange(len(positions)), counts)
        return ValuedMoves(
            self.raw,
            first,
            parent,
            self.value_number[edges],
            self.best[edges],
            self.value[positions],
        )

    @property
    def by_chance(self) -> npt.NDArray[np.bool_]:
        """Whether chance decides in each position."""
        if len(self.raw.by_chance):
            return self.raw.by_chance
        return np.zeros(len(self.value), np.bool_)

    def without_chance(self) -> ValuedMoves:
        """Return the moves of players: positions of chance have none; ``raw`` remains that of all.

        The moves must be those of all positions of ``raw``.
        """
        if not self.raw.by_chance.any():
            return self
        counts = np.where(self.raw.by_chance, 0, self.move_counts)
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        edges = np.flatnonzero(~self.raw.by_chance[self.parent])
        parent, numbers = self.parent[edges], self.value_number[edges]
        return ValuedMoves(self.raw, first, parent, numbers, self.best[edges], self.value)


class PositionSource(Protocol):
    """The positions of a solution, each with a key of one or more 64-bit words.

    Attributes:
        words: the number of words of a key.
        alternate: whether the players strictly alternate.
    """

    words: int
    alternate: bool

    @property
    def table(self) -> Table:
        """The values, by index."""

    def load(self, report: Reporter) -> None:
        """Prepare the table so that every position can be looked up."""

    def starts(self) -> Keys:
        """Return the keys of the starts, shape (k, words)."""

    def keys(self, places: Numbers) -> Keys:
        """Return the keys of the positions at indices, shape (n, words)."""

    def places(self, keys: Keys) -> Numbers:
        """Return the indices of the values of positions."""

    def expand(self, keys: Keys) -> ExpandedMoves:
        """Return the successors of positions."""

    def positions(self, keys: Keys) -> list[Any]:
        """Return positions as the rules write them."""

    def rows(self, keys: Keys) -> Any:
        """Return positions in the form for an agent that takes many in one batch."""

    def move_numbers(self, keys: Keys, indices: Numbers) -> Numbers | None:
        """Return the numbers of the ``indices``-th move of each position, if moves have any."""


class GameSource:
    """The positions of a game's class, with symmetries used only to look values up.

    Attributes:
        words: 64-bit words of a packed position.
        alternate: whether the players strictly alternate.
    """

    def __init__(self, survey: GameSurvey) -> None:
        """Store the rules and the table of a solved game."""
        self.survey = survey
        self.compiled = survey.compiled
        self.plain = survey.compiled.without_symmetries()
        self.words = self.plain.words
        self.alternate = bool(self.plain.alternate)
        self._buffers: Buffers | None = None
        self._chosen_moves: ChosenMoves | None = None

    @property
    def table(self) -> Table:
        """The values, by index."""
        return self.survey.table

    def load(self, report: Reporter) -> None:
        """Load a table from a file."""
        self.survey.load(report)

    def starts(self) -> Keys:
        """Return the packed starts as the rules give them."""
        return self.compiled.rules.start_words()

    def keys(self, places: Numbers) -> Keys:
        """Return packed positions."""
        packed: Keys = self.table.packed(places)
        return packed.reshape(-1, self.words)

    def places(self, keys: Keys) -> Numbers:
        """Return the indices of the canonical forms of positions.

        Raises:
            LookupError: a position is not in the table.
        """
        count = len(keys)
        flat = np.ascontiguousarray(keys).reshape(-1)
        places = np.empty(count, np.int64)
        if self.table.places(self.compiled.canonical(flat, count), count, places) < count:
            message = "a move leads out of the table; run zermelo verify"
            raise LookupError(message)
        return places

    def expand(self, keys: Keys) -> ExpandedMoves:
        """Run the rules on positions; see ``PositionSource``."""
        count, flat = len(keys), np.ascontiguousarray(keys).reshape(-1)
        if self._buffers is None or len(self._buffers.ends) < count:
            self._buffers = Buffers.for_rules(self.plain, count, CAPACITY * count)
        last, children, finals, owners, gains = expanded(self.plain, flat, count, self._buffers)
        places = self.places(children)
        same_player = np.zeros(len(children), np.bool_)
        if not self.compiled.alternate:  # otherwise a symmetry may exchange the stored turns
            counts = np.diff(last, prepend=0)
            same_player = np.repeat(owners, counts) == self.table.owners(places)
        by_chance = np.empty(0, np.bool_)
        if isinstance(self.plain.kind, Expectations):
            by_chance = finals == CHANCE
            same_player, gains = self._sides(flat, count, places)
        endless = np.empty(0, np.int64)
        if self.compiled.kind.stages:
            endless = self.plain.endless(flat, count, owners)
        codes = self.table.values(places)
        return ExpandedMoves(
            last, children, places, codes, same_player, gains, owners, endless, by_chance
        )

    def _sides(
        self, flat: npt.NDArray[np.uint64], count: int, places: Numbers
    ) -> tuple[npt.NDArray[np.bool_], Numbers]:
        """Return whether each move or result of chance keeps the turn, and its points or weight.

        The rules with symmetries say who is to move if these exchange the players.
        """
        rules, buffers = self.compiled, Buffers.for_rules(self.compiled, count, CAPACITY * count)
        child_owners = () if rules.alternate else self.table.owners(places)
        begin, labels = 0, []
        for part in expanded_parts(rules, flat, count, buffers):
            owners = child_owners[begin : begin + part.moves]
            labels.append(read_labels(rules.kind, part, owners))
            begin += part.moves
        numbers = np.concatenate([np.empty(0, np.int64), *(each.numbers for each in labels)])
        keeps = np.concatenate([np.empty(0, np.uint8), *(each.keeps for each in labels)])
        return keeps != 0, numbers

    def positions(self, keys: Keys) -> list[Any]:
        """Return positions as the rules write them."""
        layout = self.compiled.rules.layout
        return [layout.build(flat) for flat in self.rows(keys).tolist()]

    def rows(self, keys: Keys) -> Any:
        """Return the numbers of positions, one row each."""
        return self.compiled.rules.layout.unpack_many(np.ascontiguousarray(keys).reshape(-1))

    def move_numbers(self, keys: Keys, indices: Numbers) -> Numbers | None:
        """Return the numbers that represent moves; see ``PositionSource``."""
        from zermelo.solution.export.best_move_rows import ChosenMoves

        if self._chosen_moves is None:
            self._chosen_moves = ChosenMoves(self.compiled)
        return self._chosen_moves.numbers(np.ascontiguousarray(keys).reshape(-1), indices)


class ListedSource:
    """The positions of a graph, a pursuit or a sum, with listed moves; a key is an index.

    Attributes:
        words: 1.
        alternate: whether the players strictly alternate.
    """

    words = 1

    def __init__(self, survey: ListedSurvey) -> None:
        """List the moves."""
        self.solved = survey.solved
        self.first, self.edges, self._owners = survey.list_moves()
        self.alternate = bool(survey.rules.alternate)

    @property
    def table(self) -> Table:
        """The values, by index."""
        return self.solved.table

    def load(self, report: Reporter) -> None:
        """Do nothing: values are read as they are needed."""

    def starts(self) -> Keys:
        """Return the starts."""
        return np.asarray(self.table.starts, np.int64).astype(np.uint64).reshape(-1, 1)

    def keys(self, places: Numbers) -> Keys:
        """Return the indices as keys."""
        return places.astype(np.uint64).reshape(-1, 1)

    def places(self, keys: Keys) -> Numbers:
        """Return the keys as indices."""
        return keys.reshape(-1).astype(np.int64)

    def expand(self, keys: Keys) -> ExpandedMoves:
        """Return the successors of positions."""
        places = self.places(keys)
        begins, counts = self.first[places], self.first[places + 1] - self.first[places]
        ends = np.cumsum(counts)
        offsets = np.arange(int(ends[-1]) if len(ends) else 0)
        children = self.edges[offsets + np.repeat(begins - (ends - counts), counts)].astype(
            np.int64
        )
        same_player, owners = np.zeros(len(children), np.bool_), np.empty(0, np.uint8)
        if not self.alternate:
            owners = self._owners[places]
            same_player = np.repeat(owners, counts) == self._owners[children]
        no_points = np.empty(0, np.int64)
        codes = self.table.values(children)
        return ExpandedMoves(
            ends, self.keys(children), children, codes, same_player, no_points, owners, no_points
        )

    def positions(self, keys: Keys) -> list[Any]:
        """Return vertices, or positions of the pursuit or the sum."""
        return list(self.solved.positions(self.places(keys)))

    def rows(self, keys: Keys) -> Any:
        """Return the same as ``positions``."""
        return self.positions(keys)

    def move_numbers(self, keys: Keys, indices: Numbers) -> Numbers | None:  # noqa: ARG002  # see PositionSource
        """Return None: the rules list the moves."""
        return None


def source_of(survey: Any) -> PositionSource:
    """Return the positions of a solution.

    Args:
        survey: its ``Survey``.

    Raises:
        BudgetError: its moves do not fit into the memory.
    """
    if isinstance(survey, GameSurvey):
        return GameSource(survey)
    needed_bytes = stored_move_graph_bytes(len(survey.table), survey.count)
    Ledger.for_budget(None).reserve(
        needed_bytes, f"listing the moves of {survey.rules.description}"
    )
    return ListedSource(survey)


@dataclass
class MoveCost:
    """The cost of a move in comparison with a best one.

    Attributes:
        regret: the loss of value: for outcomes 1 from a win to a draw, for scores the points.
        plies: the plies by which it delays a win or a tie, or hastens a loss.
        keeps: whether it keeps the value, though perhaps not the plies.
        loses: whether it makes a position lost that was not.
        throws: whether it gives up a win.
    """

    regret: int
    plies: int
    keeps: bool
    loses: bool
    throws: bool


@dataclass
class MoveValues:
    """The different values of moves, and the costs of mistakes.

    Attributes:
        kind: the kind of value.
        values: the values.
    """

    kind: Kind
    values: list[Value] = field(default_factory=list)
    _preferences: list[int] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)
    _equally_good: dict[tuple[int, int], bool] = field(default_factory=dict)
    _costs: dict[tuple[int, int], MoveCost] = field(default_factory=dict)

    def read(self, raw: ExpandedMoves) -> ValuedMoves:
        """Return moves with their values."""
        first = np.concatenate([np.zeros(1, np.int64), raw.ends])
        parent = np.repeat(np.arange(len(raw.ends)), np.diff(first))
        columns = [raw.codes.astype(np.int64), raw.same_player.astype(np.int64)]
        columns += [part for part in (raw.gains,) if len(part)]
        if len(raw.endless):
            columns.append(raw.endless[parent])
        rows, row_of_move = distinct_rows(columns)
        numbers = [self._number(row, bool(len(raw.gains)), bool(len(raw.endless))) for row in rows]
        value_numbers = np.array(numbers, np.int64)[row_of_move]
        best, value = self._best(first, parent, value_numbers)
        return ValuedMoves(raw, first, parent, value_numbers, best, value)

    def _number(self, row: Sequence[int], gains: bool, endless: bool) -> int:  # noqa: FBT001  # as it lies
        """Return the number of the value of a move."""
        code = self.kind.of_move(
            row[0],
            same_mover=bool(row[1]),
            gain=row[2] if gains else 0,
            endless=row[-1] if endless else 0,
        )
        if code not in self._numbers:
            self._numbers[code] = len(self.values)
            self.values.append(self.kind.move_value(code))
            self._preferences.append(self.kind.preference(code))
        return self._numbers[code]

    def _best(
        self, first: Numbers, parent: Numbers, value_numbers: Numbers
    ) -> tuple[npt.NDArray[np.bool_], Numbers]:
        """Return a mask of the best moves, and the value of the best one in each position."""
        value = np.full(len(first) - 1, -1, np.int64)
        if not len(value_numbers):
            return np.zeros(0, np.bool_), value
        order = sorted(set(self._preferences))
        rank = {preference: n for n, preference in enumerate(order)}
        ranks = np.array([rank[each] for each in self._preferences], np.int64)[value_numbers]
        played = np.flatnonzero(np.diff(first))
        best_ranks = np.maximum.reduceat(ranks, first[played])
        top = np.flatnonzero(ranks == np.repeat(best_ranks, np.diff(first)[played]))
        lead = np.unique(parent[top], return_index=True)[1]
        value[played] = value_numbers[top[lead]]
        pairs, pair_of_move = distinct_rows([value[parent], value_numbers])
        is_best = np.array([self._as_good(*pair) for pair in pairs], np.bool_)
        return is_best[pair_of_move], value

    def _as_good(self, best: int, other: int) -> bool:
        pair = best, other
        if pair not in self._equally_good:
            self._equally_good[pair] = self.kind.is_equally_good(
                self.values[best], self.values[other]
            )
        return self._equally_good[pair]

    def group_value(self, group: int) -> Value:
        """Return the value that stands for a group of values."""
        return self.values[group]

    def column(self, name: str, numbers: Numbers, missing: int) -> npt.NDArray[Any]:
        """Return an attribute of values, which are given by their numbers.

        Args:
            name: the name of the attribute.
            numbers: the numbers of the values.
            missing: the number for values without the attribute.
        """
        of_value = [getattr(value, name) for value in self.values]
        entries = np.array([missing if n is None else int(n) for n in of_value], np.int64)
        column: Numbers = entries[numbers]
        return column

    def are_won(self, numbers: Numbers) -> npt.NDArray[np.bool_]:
        """Return whether values are wins."""
        won: npt.NDArray[np.bool_] = np.array([(value.outcome or 0) > 0 for value in self.values])
        return won[numbers]

    def groups(self, numbers: Numbers) -> Numbers:
        """Return the group of each value, for results by value: each value is a group."""
        return numbers

    def preference(self, number: int) -> int:
        """Return a number that is greater for a better value."""
        return self._preferences[number]

    def cost(self, best: int, move: int) -> MoveCost:
        """Return the cost of a move.

        Args:
            best: the number of the value of a best move.
            move: the number of the value of the move.
        """
        pair = best, move
        if pair not in self._costs:
            best_value, move_value = self.values[best], self.values[move]
            regret, plies = self.kind.regret(best_value, move_value)
            self._costs[pair] = MoveCost(
                regret,
                plies,
                keeps=regret == 0,
                loses=move_value.outcome is LOSS and best_value.outcome is not LOSS,
                throws=best_value.outcome is WIN and move_value.outcome is not WIN,
            )
        return self._costs[pair]

    def costs(self, best: Numbers, moves: Numbers) -> dict[str, npt.NDArray[Any]]:
        """Return the costs of moves, as arrays by the names of the attributes of ``MoveCost``."""
        pairs, pair_of_move = distinct_rows([best, moves])
        costs = [self.cost(*pair) for pair in pairs]
        names = ("regret", "plies", "keeps", "loses", "throws")
        return {
            name: np.array([getattr(cost, name) for cost in costs], np.int64)[pair_of_move]
            for name in names
        }


def distinct_rows(columns: Sequence[Numbers]) -> tuple[list[list[int]], Numbers]:
    """Return the different rows of some columns, and the number of each row among them."""
    if not len(columns[0]):
        return [], np.empty(0, np.int64)
    lows = [int(column.min()) for column in columns]
    spans = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
    size = 1
    for span in spans:
        size *= span
    if size >= 1 << 62:
        rows, row_of = np.unique(np.stack(columns, 1), axis=0, return_inverse=True)
        return rows.tolist(), row_of.reshape(-1)
    keys = np.zeros(len(columns[0]), np.int64)
    for column, low, span in zip(columns, lows, spans, strict=True):
        keys *= span
        keys += column - low
    if size <= _COUNTED:
        occurs = np.zeros(size, np.bool_)
        occurs[keys] = True
        occurring = np.flatnonzero(occurs)
        place = np.zeros(size, np.int64)
        place[occurring] = np.arange(len(occurring))
        row_of = place[keys]
    else:
        occurring, row_of = np.unique(keys, return_inverse=True)
    rows_found = []
    for key in occurring.tolist():
        row = []
        for low, span in zip(reversed(lows), reversed(spans), strict=True):
            key, digit = divmod(key, span)  # noqa: PLW2901  # digit by digit
            row.append(digit + low)
        rows_found.append(row[::-1])
    return rows_found, row_of
