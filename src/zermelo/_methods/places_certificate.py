"""The certificate of a table on a cluster, for every form of table: ranges of places.

The check of a range depends only on the file and the rules; see ``certificate.parts``. If workers
find a fault, or cannot decide, one process repeats the check.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from zermelo._cluster.file_check import open_same_table
from zermelo._cluster.ranges import even_ranges
from zermelo._cluster.shared_files import SharedFile, SharedFileReader, SharedFileWriter
from zermelo._engine.certificate import kernels as faults
from zermelo._engine.certificate.kernels import Finding
from zermelo._engine.certificate.lookup_check import first_misplaced
from zermelo._engine.certificate.memory_plan import plan_memory
from zermelo._engine.certificate.range_check import check_part, range_pages
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.file.cache_limits import LEAST_CACHE, READ, limited_reading
from zermelo._engine.file.format import Header
from zermelo._engine.index.index import PAGE
from zermelo._methods.pickled_game import PickledGame
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._engine.table import Table

#: Opens the arrays of a file as a table of compiled rules.
Opened: TypeAlias = "Callable[[TableArrays, CompiledRules], Table]"
#: Ranges for each worker: each result has a bit for every place of the table.
_EACH = 2


@dataclass(frozen=True)
class PlacesUnit:
    """A range of places of a table to check.

    Attributes:
        begin: the first place.
        end: the place after the last.
        filed: whether to check that look-ups in the file find each position.
        among: a bit for each place, whether to follow its moves; None for all, if every move raises
            the level.
    """

    begin: int
    end: int
    filed: bool = True
    among: bytes | None = None


@dataclass(frozen=True)
class PartFound:
    """The result of a worker for a range.

    Attributes:
        part: the file with a bit for each place that a move leads to, or with the legal places of
            the range; None if a position has a fault, or a move does not raise the level.
        moves: the number of moves.
    """

    part: SharedFile | None
    moves: int = 0


class PlacesCheck:
    """The job of a worker: it opens the table, and checks ranges of places."""

    def __init__(
        self,
        folder: str,
        path: str,
        header: Header,
        game: PickledGame,
        opened: Opened,
        allowed: int,
        threads: int,
    ) -> None:
        """Open the table, and load as much of it as fits.

        Args:
            folder: the folder for results.
            path: the path of the file on all machines.
            header: the header of the driver's file.
            game: the game.
            opened: opens a table of the file's form.
            allowed: the memory budget in bytes.
            threads: threads to use.

        Raises:
            BudgetError: the memory budget is too small.
            ClusterError: it is another file, or this machine lacks the game.
        """
        self._folder = Path(folder)
        self._compiled = game.compiled()
        self._filed: Any = opened(open_same_table(path, header), self._compiled)
        self._ledger = Ledger(allowed)
        with limited_reading(self._filed, allowed):
            self._table, self._batches, self._threads = plan_memory(
                self._compiled, self._filed, threads, self._ledger, Reporter()
            )

    def do_unit(self, unit: PlacesUnit, name: str) -> PartFound:
        """Check a range of places; see ``worker.Job``."""
        span, among = (unit.begin, unit.end), None
        if unit.among is not None:
            bits = np.frombuffer(unit.among, np.uint8)
            among = np.unpackbits(bits, count=unit.end - unit.begin).astype(np.bool_)
        with limited_reading(self._filed, self._ledger.allowed):
            checked = check_part(
                self._compiled, self._table, span, self._threads, self._batches, among
            )
            if checked is None or checked[0].fault != faults.NOTHING:
                return PartFound(None)
            self._filed.limit_cache(max(LEAST_CACHE, self._ledger.allowed // READ))
            pages = range_pages(span, PAGE) if unit.filed else iter(())
            if first_misplaced(self._filed, Reporter(), pages) is not None:
                return PartFound(None)
        bits = np.packbits(checked[1])
        with SharedFileWriter(self._folder, name) as part:
            part.write(bits)
            return PartFound(part.finish(len(bits), 0, lasting=False), checked[0].moves)


def check_on_cluster(
    opened: Opened, compiled: CompiledRules, table: Any, report: Reporter, workers: WorkerPool
) -> Finding | None:
    """Check a whole table by workers.

    Args:
        opened: opens a table of the file's form; processes import it by name.
        compiled: the rules.
        table: positions and values, in a file that all of them can read.
        report: receives the number of positions checked.
        workers: the workers.

    Returns:
        The finding that there is no fault; None if there is one, or if workers cannot decide.

    Raises:
        BudgetError: a worker's memory budget is too small.
        ClusterError: workers cannot be used, or are lost.
    """
    path, count = table.reader.path.absolute(), len(table)
    spans = even_ranges(count, _EACH * workers.size)
    starts = compiled.start_words()
    places = np.empty(len(starts), np.int64)
    if table.places(np.ascontiguousarray(starts).reshape(-1), len(starts), places) < len(starts):
        return None
    with (
        report.phase("verify", count),
        tempfile.TemporaryDirectory(prefix="zermelo-verify-", dir=path.parent) as folder,
    ):
        given = folder, str(path), table.reader.header, PickledGame.from_rules(compiled), opened
        workers.begin(Path(folder), PlacesCheck, given)
        reached = np.zeros(count, np.bool_)
        if table.reachability_evidence == "legal":
            each = [np.packbits(np.ones(end - begin, np.bool_)) for begin, end in spans]
            whole = [
                PlacesUnit(*span, among=a.tobytes()) for span, a in zip(spans, each, strict=True)
            ]
            found = _check_and_mark(whole, workers, Path(folder), report, reached)
            return None if found is None or not reached.all() else Finding(count, found)
        reached[places] = True
        if compiled.rules.has_hook("level"):
            every = [PlacesUnit(*span) for span in spans]
            moves = _check_and_mark(every, workers, Path(folder), report, reached)
            return None if moves is None or not reached.all() else Finding(count, moves)
        last, moves = reached.copy(), 0
        filed = set(spans)
        while last.any() or filed:
            units = [
                PlacesUnit(*span, span in filed, np.packbits(last[slice(*span)]).tobytes())
                for span in spans
                if span in filed or last[slice(*span)].any()
            ]
            before = reached.copy()
            found = _check_and_mark(units, workers, Path(folder), report, reached)
            if found is None:
                return None
            moves += found
            last, filed = reached & ~before, set()
            report.advance(int(before.sum()))
    return Finding(count, moves) if reached.all() else None


def _check_and_mark(
    units: list[PlacesUnit],
    workers: WorkerPool,
    folder: Path,
    report: Reporter,
    reached: npt.NDArray[np.bool_],
) -> int | None:
    """Check ranges by workers, and mark the places that their moves lead to.

    Returns:
        The number of moves; None if there is a fault.
    """
    count = len(reached)
    entered = np.zeros(-(-count // 8), np.uint8)
    moves = done = 0
    for place, found in workers.run(units):
        if found.part is None:
            return None
        with SharedFileReader(folder, found.part) as reader:
            reader.check(holds=found.part.count == len(entered))
            for at, some in reader.arrays(len(entered), np.uint8):
                entered[at : at + len(some)] |= some
            reader.end()
        moves += found.moves
        if units[place].among is None:
            done += units[place].end - units[place].begin
            report.advance(done)
    reached |= np.unpackbits(entered, count=count).astype(np.bool_)
    return moves
