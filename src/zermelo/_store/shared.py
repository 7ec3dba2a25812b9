"""Certifying a table of listed positions on a cluster: some places for each worker.

What is checked of a position depends on the file and on the rules alone; see
``certificate.parts``. Whatever workers find wrong, or cannot say, one process is to look at again.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._cluster.parts import Part, PartReader, PartWriter
from zermelo._engine.certificate import kernels as faults
from zermelo._engine.certificate.found_again import first_misplaced
from zermelo._engine.certificate.kernels import Finding
from zermelo._engine.certificate.parts import pages_of, part_checked
from zermelo._engine.certificate.within import held_within
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.file.reading import LEAST_CACHE, READ, read_within
from zermelo._engine.index.index import PAGE
from zermelo._methods.sent import SentGame
from zermelo.errors import ClusterError
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from zermelo._cluster.workers import Workers
    from zermelo._compile.rules import CompiledRules

#: Parts for each worker: each tells of all places which of them its moves lead to.
_EACH = 2


@dataclass(frozen=True)
class PartFound:
    """What a worker says of some places.

    Attributes:
        part: the file that says where moves lead, a bit a place; None where something is wrong
            with a position, or where a move does not raise the level.
        moves: how many moves there are.
    """

    part: Part | None
    moves: int = 0


class ListedCheck:
    """The job of a worker: it opens the table, and looks at ranges of places."""

    def __init__(
        self,
        folder: str,
        path: str,
        header: dict[str, Any],
        game: SentGame,
        allowed: int,
        threads: int,
    ) -> None:
        """Open the table, and hold as much of it as fits.

        Args:
            folder: the folder for parts.
            path: the file, as all machines see it.
            header: what the driver's file says of itself.
            game: the game.
            allowed: bytes of memory.
            threads: threads to use.

        Raises:
            BudgetError: there is too little memory.
            ClusterError: it is another file, or the game is not here.
        """
        from zermelo._engine.file.reader import Reader
        from zermelo._store.opening import opened

        reader = Reader(Path(path))
        if reader.header != header:
            message = f"{path!r} is another table there; have all machines see the same folder"
            raise ClusterError(message)
        self._folder = Path(folder)
        self._compiled = game.compiled()
        self._filed: Any = opened(reader, self._compiled)
        self._ledger = Ledger(allowed)
        with read_within(self._filed, allowed):
            given = self._compiled, self._filed, threads, self._ledger, Reporter()
            self._table, self._batches, self._threads = held_within(*given)

    def do(self, unit: tuple[int, int], name: str) -> PartFound:
        """Look at the places from one to another; see ``serving.Job``."""
        with read_within(self._filed, self._ledger.allowed):
            checked = part_checked(self._compiled, self._table, unit, self._threads, self._batches)
            if checked is None or checked[0].fault != faults.NOTHING:
                return PartFound(None)
            self._filed.cache_within(max(LEAST_CACHE, self._ledger.allowed // READ))
            if first_misplaced(self._filed, Reporter(), pages_of(unit, PAGE)) is not None:
                return PartFound(None)
        bits = np.packbits(checked[1])
        with PartWriter(self._folder, name) as part:
            part.write(bits)
            return PartFound(part.finish(len(bits), 0, lasting=False), checked[0].moves)


def checked_by(
    compiled: CompiledRules, table: Any, report: Reporter, workers: Workers
) -> Finding | None:
    """Have workers look at all of a table.

    Args:
        compiled: the rules.
        table: positions and values, in a file that all of them see.
        report: is told how many positions are checked.
        workers: these.

    Returns:
        That nothing is wrong; None where something is, or where workers cannot say.

    Raises:
        BudgetError: a worker has too little memory.
        ClusterError: workers cannot be used, or are lost.
    """
    path, count = table.reader.path.absolute(), len(table)
    parts = min(_EACH * workers.size, count)
    units = list(pairwise(count * n // parts for n in range(parts + 1)))
    entered = np.zeros(-(-count // 8), np.uint8)
    moves = done = 0
    with (
        report.phase("verify", count),
        tempfile.TemporaryDirectory(prefix="zermelo-verify-", dir=path.parent) as folder,
    ):
        given = folder, str(path), table.reader.header, SentGame.of(compiled)
        workers.begin(Path(folder), f"{__name__}:{ListedCheck.__name__}", given)
        for place, found in workers.run(units):
            if found.part is None:
                return None
            with PartReader(Path(folder), found.part) as reader:
                reader.check(holds=found.part.count == len(entered))
                for at, some in reader.arrays(len(entered), np.uint8):
                    entered[at : at + len(some)] |= some
                reader.end()
            moves += found.moves
            done += units[place][1] - units[place][0]
            report.advance(done)
    starts = compiled.start_words()
    places = np.empty(len(starts), np.int64)
    if table.places(np.ascontiguousarray(starts).reshape(-1), len(starts), places) < len(starts):
        return None
    reached = np.unpackbits(entered, count=count)
    reached[places] = 1
    return Finding(count, moves) if reached.all() else None
