"""The driver of games with cycles: workers find and decide positions, the driver records them.

A superstep is a set of units, one for each range or each owner; the next superstep starts when all
are done. Workers exchange files of lists and of messages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count as numbers_from
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo import limits
from zermelo._cluster.sections import COUNT, FILE, LEVEL, OWNER, Rows, Sections
from zermelo._cluster.shared_files import SharedFile
from zermelo._engine.backward.tie_preference import NO_TIES, tie_preference
from zermelo._engine.checkpoint.columns import ColumnCheckpoint, Spans
from zermelo._engine.column.codes import LAST, TIES
from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.core.scratch import Scratch, ScratchColumn
from zermelo._engine.expand.discovery import HandoverError
from zermelo._engine.expand.graph_memory import too_many_positions
from zermelo._engine.index.index import distinct_places
from zermelo._engine.table import Table
from zermelo._methods.graph_methods import graph_description
from zermelo._methods.pickled_game import PickledGame
from zermelo._methods.retrograde.cluster.index import FileIndex
from zermelo._methods.retrograde.cluster.kernels import MOST_SOURCES, by_owner
from zermelo._methods.retrograde.cluster.units import (
    FIRST_NUMBER,
    ID_BITS,
    ChildrenUnit,
    NumberUnit,
    OwnerInputs,
    OwnerMessages,
    RoundUnit,
    StepResult,
    ValuesUnit,
    spans_of,
)
from zermelo._methods.retrograde.cluster.worker import GraphUnits
from zermelo._methods.task import Result, Task
from zermelo.errors import ClusterError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

#: The name of the checkpoint of positions.
_EXPLORED = "retrograde-on-cluster"
#: Owners per worker, and the minimum and maximum of all owners.
_EACH, _LEAST_OWNERS, _MOST_OWNERS = 4, 16, 1 << 10
#: With fewer known positions the driver does the units itself.
_WORTH = 1 << 16
#: Elements copied in one batch.
_COPIED = 1 << 20
_NOTHING = np.empty((0, 7), np.int64)
#: Phases: positions are being found; 1 and 2 stand for wins and losses, and for ties; all is
#: decided.
_EXPLORING, _DECIDED = 0, 3


def solve(task: Task, abandon: Callable[[list[int]], bool] | None) -> Result:
    """Solve a game by retrograde analysis on a cluster.

    Args:
        task: the game, with the workers.
        abandon: receives the first position of each layer found so far, and the end of the last
            layer; returns whether to stop.

    Raises:
        HandoverError: ``abandon`` returned true.
        BudgetError: the positions of one owner do not fit in a worker's memory.
        ClusterError: the workers cannot be used.
        RulesError: a rule broke the contract at a position.
    """
    with Scratch(task.checkpoint.directory, checkpoint=task.checkpoint) as scratch:
        solving = _Supersteps(task, scratch)
        with task.report.phase("explore"):
            solving.explore(abandon)
        with task.report.phase("retrograde", solving.known):
            solving.decide()
        return solving.result()


class _Supersteps:
    """One solve on a cluster.

    Attributes:
        known: the number of positions found.
    """

    def __init__(self, task: Task, scratch: Scratch) -> None:
        assert task.workers is not None  # noqa: S101  # the caller has checked
        self.known = 0
        self._task, self._workers, self._report = task, task.workers, task.report
        self._folder = folder = scratch.folder
        compiled = task.compiled
        self._words, self._alternate = compiled.words, compiled.alternate
        kinds = {"keys": np.uint64, "numbers": np.int32, "turns": np.uint8, "values": np.int32}
        self._columns = ColumnCheckpoint(scratch, _EXPLORED, task.threads, None, **kinds)
        paths = {
            name: scratch.checkpoint.file(self._columns.file(name)).name
            for name in ("keys", "numbers", "turns")
        }
        given = str(folder.absolute()), paths, PickledGame.from_rules(compiled)
        task.workers.begin(folder, f"{GraphUnits.__module__}:{GraphUnits.__name__}", given)
        allowed = task.workers.driver_memory(task.ledger).allowed
        task.ledger.fits(allowed)
        self._own = GraphUnits(*given, allowed // 2, task.threads)
        owners = min(max(_LEAST_OWNERS, _EACH * task.workers.size), _MOST_OWNERS)
        note = self._columns.note
        self._bits = (owners - 1).bit_length() if note is None else note[0]
        self._owners = range(1 << self._bits)
        self._sizes: Rows = np.empty((0, len(self._owners)), np.int64)
        self._names: list[str] = []
        self._ranges: list[tuple[int, int]] = []
        #: The lists that each owner received, by layer, and the numbers of their children.
        self._lists: list[list[Rows]] = [[] for _ in self._owners]
        self._numbers: list[list[Rows]] = [[] for _ in self._owners]
        #: The messages that each owner received, whose consequences the owner has sent on.
        self._told: list[list[_PendingMessages]] = [[] for _ in self._owners]
        self._attempts = numbers_from()
        self._begun = np.zeros(2, np.int64)
        self._layered = True
        self._sent = 0
        #: The phase, the remoteness of the last decided positions, and the number of decided
        #: positions; then the messages that follow from them.
        self._phase, self._level, self._done = _EXPLORING, 0, 0
        self._pending: Rows | None = None
        self._recorded, self._unrecorded = 0, 0

    # -- exploring ------------------------------------------------------------------------------

    def explore(self, abandon: Callable[[list[int]], bool] | None) -> None:
        """Find all positions, layer by layer."""
        if self._restore():
            self._report.resume(f"{self.known:,} positions were found")
        else:
            self._start()
        layers = [0, *np.cumsum(self._sizes.sum(axis=1))[:-1].tolist()]
        while self.known > layers[-1]:
            layers.append(self.known)
            if abandon is not None and abandon(layers):
                self._columns.drop()
                raise HandoverError
            given = self._expand(len(layers) - 2, *layers[-2:])
            self._merge(len(layers) - 1, given)
            self._report.advance(self.known, None)
            self._record(expanded=layers[-1])

    def _start(self) -> None:
        """Append the starts as the first layer."""
        words, ends = self._words, np.empty(len(self._owners), np.int64)
        starts = np.unique(self._task.compiled.start_words(), axis=0).reshape(-1)
        count = len(starts) // words
        out, nothing = np.empty_like(starts), np.zeros(count, np.uint16)
        by_owner(starts, nothing, count, words, self._bits, ends, out, nothing.copy())
        self._add(out, np.diff(ends, prepend=0))

    def _add(self, keys: npt.NDArray[np.uint64], sizes: npt.NDArray[np.int64]) -> None:
        """Append a layer; ``sizes`` is its size by owner."""
        self._columns["keys"].append(keys)
        self._grown(sizes)

    def _grown(self, sizes: npt.NDArray[np.int64]) -> None:
        self._sizes = np.concatenate([self._sizes, sizes[None, :]])
        self.known += int(sizes.sum())
        most = (1 << ID_BITS - self._bits) - FIRST_NUMBER
        if int(self._sizes.sum(axis=0).max()) > most:
            raise too_many_positions(self._task.ledger)

    def _expand(self, layer: int, begin: int, end: int) -> Rows:
        """Run the units that list the children of a layer; store the state of its positions."""
        size = limits.current().batch(MOST_SOURCES)
        units = [
            ChildrenUnit(layer, at, min(at + size, end), self._bits)
            for at in range(begin, end, size)
        ]
        rows = [_NOTHING] * len(units)
        base = len(self._names)
        self._names += [""] * len(units)
        self._ranges += [(unit.begin, unit.end) for unit in units]
        for place, found in self._run(units):
            part, unit = _part_of(found), units[place]
            self._names[base + place] = part.name
            every = _rows_of(found, base + place)
            state, turns = (self._sections(row[None, :]) for row in every[-2:])
            self._columns["numbers"].write(unit.begin, state.view(np.int32))
            self._columns["turns"].write(unit.begin, turns)
            rows[place] = every[:-2]
            self._begun += found.begun
        return np.concatenate([_NOTHING, *rows])

    def _merge(self, layer: int, lists: Rows) -> None:
        """Run the units in which owners number the new children of a layer."""
        lists = lists[np.argsort(lists[:, OWNER], kind="stable")]
        ends = np.searchsorted(lists[:, OWNER], np.arange(len(self._owners) + 1))
        each = [lists[a:b] for a, b in zip(ends[:-1], ends[1:], strict=True)]
        owners = [owner for owner in self._owners if len(each[owner])]
        before = self._sizes[:-1].sum(axis=0)
        units = [
            NumberUnit(
                layer,
                owner,
                spans_of(self._sizes, owner),
                int(before[owner]) + int(self._sizes[-1, owner]),
                Sections.from_rows(self._names, each[owner]),
            )
            for owner in owners
        ]
        results: dict[int, Rows] = {}
        for place, found in self._run(units):
            self._names.append(_part_of(found).name)
            self._ranges.append((0, 0))
            results[owners[place]] = _rows_of(found, len(self._names) - 1)
            self._layered = self._layered and not found.back
        sizes = np.zeros(len(self._owners), np.int64)
        for owner, (new, numbers) in sorted(results.items()):
            self._columns["keys"].append(self._sections(new[None, :]).view(np.uint64))
            sizes[owner] = new[COUNT]
            self._lists[owner].append(each[owner])
            self._numbers[owner].append(numbers[None, :])
        self._grown(sizes)

    # -- rounds ---------------------------------------------------------------------------------

    def decide(self) -> None:
        """Decide all positions: wins and losses first, then ties."""
        if self._phase == _DECIDED:
            return
        favours = self._task.compiled.kind.favours
        ways = (NO_TIES, LAST), (tie_preference(favours), TIES)
        for phase, (way, begun) in enumerate(zip(ways, self._begun.tolist(), strict=True), 1):
            if begun and phase >= self._phase:
                self._spread(phase, *way)
        units = [
            ValuesUnit(self._level, owner, self._bits, len(self._told[owner]), favours)
            for owner in self._with_positions()
        ]
        values = self._columns["values"]
        for place, found in self._run_known(units):
            part = self._sections(_rows_of(found, self._file(found))).view(np.int32)
            at = 0
            for begin, size in spans_of(self._sizes, units[place].owner).tolist():
                values.write(begin, part[at : at + size])
                at += size
            (self._folder / _part_of(found).name).unlink(missing_ok=True)
        values.sync()
        self._record_values()

    def _with_positions(self) -> list[int]:
        return np.flatnonzero(self._sizes.sum(axis=0)).tolist()

    def _spread(self, phase: int, tie: int, best: int) -> None:
        """Spread wins and losses, or ties, round by round."""
        if phase > self._phase:
            self._phase, self._level, self._pending = phase, 0, None
        while self._pending is None or len(self._pending):
            said = self._messages(tie, best)
            units = [
                RoundUnit(
                    self._level,
                    owner,
                    self._bits,
                    len(self._told[owner]),
                    None if each is None else self._named(each),
                    best,
                )
                for owner, each in said.items()
            ]
            rows = []
            for place, found in self._run_known(units):
                self._done += found.decided
                owner = units[place].owner
                if (each := said[owner]) is not None:
                    self._told[owner].append(each)
                rows.append(_rows_of(found, self._file(found)))
            self._report.advance(self._done)
            self._level += 1
            self._pending = np.concatenate([_NOTHING, *rows])
            self._record(expanded=self.known)

    def _messages(self, tie: int, best: int) -> dict[int, _PendingMessages | None]:
        """Return the messages to each owner for the next round; None in the first round."""
        every = self._pending
        if every is None:
            return dict.fromkeys(self._with_positions())
        return {
            owner: _PendingMessages(best - self._level, tie, every[every[:, OWNER] == owner])
            for owner in np.unique(every[:, OWNER]).tolist()
        }

    def _named(self, said: _PendingMessages) -> OwnerMessages:
        return OwnerMessages(said.win, said.tie, Sections.from_rows(self._names, said.rows))

    def _run_known(self, units: list[Any]) -> Iterator[tuple[int, StepResult]]:
        """Run owners' units; send a worker that lacks an owner's state its inputs."""
        left = list(range(len(units)))
        while left:
            missing = []
            for n, found in self._run([units[place] for place in left]):
                if found.missing:
                    missing.append(left[n])
                else:
                    yield left[n], found
            for place in missing:
                units[place] = replace(units[place], basis=self._basis(units[place].owner))
            left = missing

    def _basis(self, owner: int) -> OwnerInputs:
        """Return the inputs that rebuild an owner's state."""
        lists = np.concatenate([_NOTHING, *self._lists[owner]])
        numbers = np.concatenate([_NOTHING, *self._numbers[owner]])
        return OwnerInputs(
            self._sizes,
            Sections.from_rows(self._names, lists),
            np.array(self._ranges, np.int64).reshape(-1, 2)[lists[:, FILE]],
            tuple(len(each) for each in self._lists[owner]),
            Sections.from_rows(self._names, numbers),
            tuple(map(self._named, self._told[owner])),
        )

    # -- records --------------------------------------------------------------------------------

    def _record(self, expanded: int) -> None:
        """Record all finished work, if there is enough of it.

        Args:
            expanded: the number of expanded positions.
        """
        spans = self._spans(expanded)
        if not self._columns.should_save(self._columns.size(spans) + self._unrecorded):
            return
        for n in range(self._recorded, len(self._names)):
            path = self._path(n)
            (self._folder / self._names[n]).replace(path)
            self._names[n] = path.name
            with path.open("rb") as file:
                os.fsync(file.fileno())
        self._recorded, self._unrecorded = len(self._names), 0
        self._save(spans)

    def _record_values(self) -> None:
        """Record all values if anything is recorded; other files are deleted then."""
        spans = {**self._spans(self.known), "values": (0, self.known)}
        recorded = self._columns.end("keys") > 0
        self._phase, self._pending = _DECIDED, None
        names, self._names, self._ranges = self._names, [], []
        self._lists, self._numbers, self._told = [], [], []
        if recorded and not self._save(spans):
            return
        for name in names:
            (self._folder / name).unlink(missing_ok=True)

    def _spans(self, expanded: int) -> dict[str, tuple[int, int]]:
        """Return the finished range of each column since the last record."""
        ends = {"keys": self.known * self._words, "numbers": expanded}
        if not self._alternate:
            ends["turns"] = expanded
        return {name: (self._columns.end(name), end) for name, end in ends.items()}

    def _save(self, spans: Spans) -> bool:
        said = [(each.win, each.tie) for several in self._told for each in several]
        arrays = {
            "sizes": self._sizes,
            "ranges": np.array(self._ranges, np.int64).reshape(-1, 2),
            "lists": _numbered(self._lists),
            "children": _numbered(self._numbers),
            "told": _numbered([[each.rows for each in several] for several in self._told]),
            "said": np.array(said, np.int64).reshape(-1, 2),
            "pending": _NOTHING if self._pending is None else self._pending,
        }
        at = self._phase, self._level, self._done, self._pending is not None, self._layered
        return self._columns.save(spans, [self._bits, *at, *self._begun.tolist()], arrays)

    def _restore(self) -> bool:
        """Restore what an earlier process recorded; return whether there was a record."""
        columns = self._columns
        if columns.note is None:
            return False
        found = columns.found
        count = len(found["ranges"])
        self._names = [self._path(n).name for n in range(count)]
        rows = np.concatenate([found[name] for name in ("lists", "children", "told", "pending")])
        try:
            for row in rows:
                self._sections(row[None, :])
        except (ClusterError, OSError):
            self._names = []
            columns.drop()
            return False
        _, self._phase, self._level, self._done, begun, self._layered, *ended = columns.note
        self._begun = np.array(ended)
        self._pending = found["pending"] if begun else None
        self._sizes, self._recorded = found["sizes"], count
        self.known = int(self._sizes.sum())
        self._ranges = [(a, b) for a, b in found["ranges"].tolist()]
        self._lists = _grouped(found["lists"], len(self._owners))
        self._numbers = _grouped(found["children"], len(self._owners))
        said = iter(found["said"].tolist())
        self._told = [
            [
                _PendingMessages(win, tie, rows)
                for rows, (win, tie) in zip(several, said, strict=False)
            ]
            for several in _grouped(found["told"], len(self._owners))
        ]
        return True

    def _path(self, n: int) -> Path:
        """Return the path of a recorded file."""
        return self._task.checkpoint.file(f"{_EXPLORED}-{n}")

    # -- both -----------------------------------------------------------------------------------

    def _run(self, units: Sequence[Any]) -> Iterator[tuple[int, StepResult]]:
        """Run units; yields the number and the result of each."""
        if self.known < limits.current().shared(_WORTH):
            for place, unit in enumerate(units):
                found = self._own.do_unit(unit, f"own-{next(self._attempts)}")
                self._unrecorded += found.part.size if found.part is not None else 0
                yield place, found
            return
        size = self._workers.size
        owners = [getattr(unit, "owner", None) for unit in units]
        homes = [owner * size // len(self._owners) for owner in owners if owner is not None]
        for place, found in self._workers.run(units, homes or None):
            if found.part is not None:
                self._sent += found.part.read + found.part.size
                self._unrecorded += found.part.size
            yield place, found

    def _file(self, found: StepResult) -> int:
        """Append a file to the list of files; return its number."""
        self._names.append(_part_of(found).name)
        self._ranges.append((0, 0))
        return len(self._names) - 1

    def _sections(self, row: Rows) -> npt.NDArray[np.uint8]:
        """Return the bytes of one section."""
        sections = Sections.from_rows(self._names, row)
        data = sections.read(self._folder, 0)
        return data[: len(data) - 8]

    def result(self) -> Result:
        """Return the table, and report the work of the workers."""
        self._report.tell("cluster", self._workers.summary(self._sent, self.known))
        columns, compiled = self._columns, self._task.compiled
        mapped = {name: _mapped(columns[name]) for name in ("keys", "values", "turns")}
        index = FileIndex(mapped["keys"], self._words)
        owners = mapped["turns"][: 0 if self._alternate else self.known]
        starts = np.ascontiguousarray(compiled.start_words())
        places = np.empty(len(starts), np.int64)
        first = FileIndex(mapped["keys"][: int(self._sizes[0].sum()) * self._words], self._words)
        first.places(starts.reshape(-1), len(starts), places)
        column = ArrayColumn(compiled.kind, mapped["values"], owners)
        table = Table(index, column, distinct_places(places), "any")
        return Result(table, graph_description(layered=self._layered))


@dataclass(frozen=True)
class _PendingMessages:
    """Messages that an owner received; see ``OwnerMessages``."""

    win: int
    tie: int
    rows: Rows


def _numbered(each: list[list[Rows]]) -> Rows:
    """Return the rows of all owners in one array, with the index of each list in ``LEVEL``."""
    found = [_NOTHING]
    for owner, several in enumerate(each):
        for place, rows in enumerate(several):
            here = rows.copy()
            here[:, LEVEL], here[:, OWNER] = place, owner
            found.append(here)
    return np.concatenate(found)


def _grouped(rows: Rows, owners: int) -> list[list[Rows]]:
    """Return the rows of each owner by list: the inverse of ``_numbered``."""
    found: list[list[Rows]] = []
    for owner in range(owners):
        own = rows[rows[:, OWNER] == owner]
        cuts = np.flatnonzero(np.diff(own[:, LEVEL])) + 1
        found.append(np.split(own, cuts) if len(own) else [])
    return found


def _mapped(column: ScratchColumn) -> npt.NDArray[Any]:
    return column.mapped()


def _part_of(found: StepResult) -> SharedFile:
    assert found.part is not None  # noqa: S101  # the unit writes a file
    return found.part


def _rows_of(found: StepResult, file: int) -> Rows:
    """Return the sections of a result, with ``file`` as the number of their file."""
    assert found.rows is not None  # noqa: S101  # the unit writes sections
    rows = found.rows.copy()
    rows[:, FILE] = file
    return rows
