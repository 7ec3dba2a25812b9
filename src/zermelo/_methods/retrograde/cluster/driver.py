"""The driver of games with cycles: workers find and decide positions, the driver records them.

A step is a set of units, one for each range or each owner; the next step starts when all are done.
When all positions are found, their moves are in files, transposed, and rounds decide them as those
of any graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo import limits
from zermelo._cluster.ranges import in_order
from zermelo._cluster.sections import COUNT, FILE, LEVEL, OWNER, SIZE, Rows, Sections
from zermelo._engine.backward.status import translate
from zermelo._engine.backward.tie_preference import apply_endless_wins
from zermelo._engine.column.codes import WIDE
from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.expand.discovery import HandoverError
from zermelo._engine.expand.graph_memory import describe_found, too_many_positions
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo._engine.index.index import distinct_places
from zermelo._engine.table import Table
from zermelo._methods.cluster_rounds.driver import ClusterRounds
from zermelo._methods.cluster_rounds.ranges import Spans
from zermelo._methods.graph_methods import graph_description
from zermelo._methods.pickled_game import PickledGame
from zermelo._methods.retrograde.cluster.index import FileIndex
from zermelo._methods.retrograde.cluster.kernels import MOST_SOURCES, by_owner
from zermelo._methods.retrograde.cluster.units import (
    ChildrenUnit,
    ExploreResult,
    NumberUnit,
    spans_of,
)
from zermelo._methods.retrograde.cluster.worker import GraphUnits
from zermelo._methods.task import Result, Task
from zermelo.errors import ClusterError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt


#: The name of the checkpoint of positions and of their values.
_RECORD = "retrograde-on-cluster"
#: Owners per worker, and the minimum and maximum of all owners.
_EACH, _LEAST_OWNERS, _MOST_OWNERS = 4, 16, 1 << 10
#: With fewer known positions the driver does the units itself.
_WORTH = 1 << 16
#: Ranges of positions per worker in a round, at most, and the cost of a position in moves.
_RANGES, _POSITION_COST = 64, 2
#: Values written in one batch.
_COPIED = 1 << 20
_NOTHING = np.empty((0, 7), np.int64)


def solve(task: Task, abandon: Callable[[Sequence[int]], bool] | None) -> Result:
    """Solve a game by retrograde analysis on a cluster.

    Args:
        task: the game, with the workers.
        abandon: receives the first position of each layer found so far, and the end of the last
            layer; returns whether to stop.

    Raises:
        HandoverError: ``abandon`` returned true.
        BudgetError: the driver or a worker has too little memory.
        ClusterError: the workers cannot be used.
        RulesError: a rule broke the contract at a position.
    """
    with Scratch(task.checkpoint.directory, checkpoint=task.checkpoint) as scratch:
        solving = _GraphSteps(task, scratch)
        with task.report.phase("explore"):
            solving.explore(abandon)
        with task.report.phase("retrograde", solving.positions):
            solving.decide()
        return solving.result()


class _GraphSteps(ClusterRounds):
    """One solve on a cluster."""

    _finishes = True

    def __init__(self, task: Task, scratch: Scratch) -> None:
        assert task.workers is not None  # noqa: S101  # the caller has checked
        kinds: dict[str, Any] = {"keys": np.uint64, "status": np.int32, "turns": np.uint8}
        kinds |= {"moves": np.int64, "sizes": np.int64, "values": np.int32}
        super().__init__(
            scratch, _RECORD, kinds, task.workers, task.ledger, task.threads, task.report
        )
        self._compiled, self._checkpoint = task.compiled, task.checkpoint
        self._words, self._favours = task.compiled.words, task.compiled.kind.favours
        game = PickledGame.from_rules(task.compiled)
        task.ledger.fits(self.ledger.allowed)
        self._begin_job(GraphUnits, game, self.ledger.allowed // 2)
        owners = min(max(_LEAST_OWNERS, _EACH * task.workers.size), _MOST_OWNERS)
        note = self.columns.note
        self._bits = (owners - 1).bit_length() if note is None else note[0]
        self._owners = range(1 << self._bits)
        self._sizes: Rows = np.empty((0, len(self._owners)), np.int64)
        #: The number of files of moves, and the bytes of those that are not recorded.
        self._files = 0
        self._unrecorded: dict[Path, int] = {}
        self._layered, self._decided = True, False

    # -- exploring ------------------------------------------------------------------------------

    def explore(self, abandon: Callable[[Sequence[int]], bool] | None) -> None:
        """Find all positions, layer by layer."""
        if self._restore():
            self.report.resume(f"{self.positions:,} positions were found")
        else:
            self._start()
        layers = [0, *np.cumsum(self._sizes.sum(axis=1))[:-1].tolist()]
        while self.positions > layers[-1]:
            layers.append(self.positions)
            if abandon is not None and abandon(layers):
                self.columns.drop()
                self._delete_moves()
                raise HandoverError
            self._merge(len(layers) - 1, *self._expand(len(layers) - 2, *layers[-2:]))
            self.report.advance(self.positions, None)
            self._record()

    def _start(self) -> None:
        """Append the starts as the first layer."""
        words, ends = self._words, np.empty(len(self._owners), np.int64)
        starts = np.unique(self._compiled.start_words(), axis=0).reshape(-1)
        count = len(starts) // words
        out, nothing = np.empty_like(starts), np.zeros(count, np.uint16)
        by_owner(starts, nothing, count, words, self._bits, ends, out, nothing.copy())
        self.columns["keys"].append(out)
        self._append_sizes(np.diff(ends, prepend=0))

    def _append_sizes(self, sizes: npt.NDArray[np.int64]) -> None:
        """Append the sizes of a layer, by owner."""
        self.columns["sizes"].append(sizes)
        self._sizes = np.concatenate([self._sizes, sizes[None, :]])
        self.positions += int(sizes.sum())
        if self.positions > MOST_POSITIONS:
            raise too_many_positions(self.ledger)

    def _expand(self, layer: int, begin: int, end: int) -> tuple[list[str], Rows]:
        """Run the units that list the children of a layer; store the state of its positions.

        Returns:
            The files of the lists, and the lists.
        """
        size = limits.current().batch(MOST_SOURCES)
        units = [
            ChildrenUnit(layer, at, min(at + size, end), self._bits)
            for at in range(begin, end, size)
        ]
        names, rows = [""] * len(units), [_NOTHING] * len(units)
        for place, found in self._run(units):
            names[place] = found.part.name
            *lists, state, turns = found.rows
            for name, row in (("status", state), ("turns", turns)):
                column = self.columns[name]
                column.write(units[place].begin, self._section(found, row).view(column.dtype))
            rows[place] = np.array(lists, np.int64).reshape(-1, 7)
            rows[place][:, FILE] = place
        return names, np.concatenate(rows)

    def _merge(self, layer: int, names: list[str], lists: Rows) -> None:
        """Run the units in which owners number the new children of a layer; delete the lists."""
        lists = lists[np.argsort(lists[:, OWNER], kind="stable")]
        ends = np.searchsorted(lists[:, OWNER], np.arange(len(self._owners) + 1))
        before = self._sizes[:-1].sum(axis=0)
        units = [
            NumberUnit(
                layer,
                owner,
                spans_of(self._sizes, owner),
                int(before[owner]) + int(self._sizes[-1, owner]),
                Sections.from_rows(names, lists[ends[owner] : ends[owner + 1]]),
            )
            for owner in self._owners
            if ends[owner] < ends[owner + 1]
        ]
        sizes = np.zeros(len(self._owners), np.int64)
        for place, found in in_order(self._run(units)):
            new, *moves = found.rows
            self.columns["keys"].append(self._section(found, new).view(np.uint64))
            sizes[units[place].owner] = new[COUNT]
            self._layered = self._layered and not found.back
            path = self._path(self._files)
            (self.folder / found.part.name).replace(path)
            self._unrecorded[path] = found.part.size
            rows = np.array(moves, np.int64)
            rows[:, FILE] = self._files
            self.columns["moves"].append(rows.reshape(-1))
            self._files += 1
        self._append_sizes(sizes)
        for name in names:
            (self.folder / name).unlink(missing_ok=True)

    def _run(self, units: Sequence[Any]) -> Any:
        """Run units; yields the number and the result of each."""
        alone = self.positions < limits.current().shared(_WORTH)
        homes = [
            unit.owner * self.workers.size // len(self._owners)
            for unit in units
            if isinstance(unit, NumberUnit)
        ]
        return self.workers.run(units, homes or None, self._own if alone else None)

    def _section(self, found: ExploreResult, row: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the bytes of one section."""
        data = np.empty(int(row[SIZE]), np.uint8)
        Sections((found.part.name,), row[None, :]).read_into(self.folder, 0, data)
        return data

    def _path(self, number: int) -> Path:
        """Return the path of a file of moves."""
        return self._checkpoint.file(f"{_RECORD}-{number}")

    # -- records --------------------------------------------------------------------------------

    def _record(self) -> None:
        """Record what is finished, and the files of moves; see ``ClusterRounds``."""
        if self.columns.save(self._note, files=self._unrecorded):
            self._unrecorded = {}

    @property
    def _note(self) -> list[int]:
        return [self._bits, self._files, self._layered, self._decided, self.workers.sent]

    def _record_values(self) -> None:
        """Record all values if anything is recorded; the moves are deleted then."""
        columns, self._decided = self.columns, True
        if not columns.end("keys") or columns.save(self._note, needed=True):
            self._delete_moves()

    def _delete_moves(self) -> None:
        """Delete the files of moves."""
        for n in range(self._files):
            self._path(n).unlink(missing_ok=True)

    def _restore(self) -> bool:
        """Restore what an earlier process recorded; return whether there was a record."""
        columns = self.columns
        if columns.note is None:
            return False
        _, self._files, self._layered, self._decided, self.workers.sent = columns.note
        moves = columns["moves"].read(0, np.empty(len(columns["moves"]), np.int64)).reshape(-1, 7)
        sections = Sections(tuple(self._path(n).name for n in range(self._files)), moves)
        try:
            for n in range(0 if self._decided else len(moves)):
                sections.read(self.folder, n)
        except (ClusterError, OSError):
            self._files, self._layered, self._decided = 0, True, False
            columns.drop()
            return False
        sizes = columns["sizes"].read(0, np.empty(len(columns["sizes"]), np.int64))
        self._sizes = sizes.reshape(-1, len(self._owners))
        self.positions = int(self._sizes.sum())
        return True

    # -- rounds ---------------------------------------------------------------------------------

    def decide(self) -> None:
        """Decide all positions: wins and losses first, then ties."""
        if self._decided:
            return
        columns, positions, work = self.columns, self.positions, describe_found(self.positions)
        self._lengths = len(columns["moves"]) // 7, *self._sizes.shape
        self.decide_rounds()
        codes, scale = self.codes(0, work)
        values, turns = columns["values"], columns["turns"].mapped()
        for at in range(0, positions, _COPIED):
            batch: npt.NDArray[np.int32] = zeros(min(_COPIED, positions - at), np.int32)
            end = at + len(batch)
            translate(codes[at:end], scale, batch, WIDE, finished=True)
            apply_endless_wins(batch, turns[at:end], self._favours)
            values.write(at, batch)
        self._record_values()

    def _spans(self) -> list[Spans]:
        """Return ranges of positions for each worker, with about equally many moves."""
        column, size = self.columns["moves"], self.workers.size
        moves = column.read(0, np.empty(len(column), np.int64)).reshape(-1, 7)
        # The moves of a section are within a range, wherever that is cut from others.
        begins, which = np.unique(np.append(moves[:, LEVEL], 0), return_inverse=True)
        costs = _POSITION_COST * np.diff(np.append(begins, self.positions))
        np.add.at(costs, which, np.append(moves[:, COUNT], 0))
        before = np.cumsum(costs) - costs
        count = size * _RANGES
        cuts = np.searchsorted(before, np.arange(count) * int(costs.sum()) // count)
        ends = [*begins[np.unique(cuts[cuts < len(begins)])].tolist(), self.positions]
        ranges = list(zip(ends[:-1], ends[1:], strict=True))
        return [tuple(ranges[n::size]) for n in range(min(size, len(ranges)))]

    # -- the table ------------------------------------------------------------------------------

    def result(self) -> Result:
        """Return the table, and report the work of the workers."""
        self.report.tell("cluster", self.workers.summary(self.positions))
        columns, compiled = self.columns, self._compiled
        keys, turns = columns["keys"].mapped(), columns["turns"].mapped()
        starts = np.ascontiguousarray(compiled.start_words())
        places = np.empty(len(starts), np.int64)
        first = FileIndex(keys[: int(self._sizes[0].sum()) * self._words], self._words)
        first.places(starts.reshape(-1), len(starts), places)
        column = ArrayColumn(compiled.kind, columns["values"].mapped(), turns)
        table = Table(FileIndex(keys, self._words), column, distinct_places(places), "any")
        return Result(table, graph_description(layered=self._layered))
