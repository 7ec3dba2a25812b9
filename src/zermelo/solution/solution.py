"""A solution: what a solved game answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from zermelo.amounts import memory_bytes
from zermelo.errors import ParameterError
from zermelo.game.contract import brief
from zermelo.progress import Listener, Reporter
from zermelo.solution.questions import Questions
from zermelo.values.answers import Counts, Verification, html_table
from zermelo.values.outcomes import DRAW, LOSS, WIN, Value

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from zermelo.analysis import Analysis

#: From how many bytes on what verifying is done with goes back to the system: pieces of a table
#: come and go by the thousand, and would leave memory in small holes.
_GIVEN_BACK = 1 << 14


@dataclass(repr=False)
class Solution(Questions):
    """A solved game. Made by ``zermelo.solve``.

    ``solution[position]`` is the value of a position for the player to move, ``len(solution)`` how
    many positions there are, and going through a solution gives each of them.

    Attributes:
        method: how it was solved, one of ``zermelo.METHODS``.
        choice: a sentence on how the method went about it and why.
        phases: (name, wall seconds) of each phase of the solve.
        peak_bytes: the most memory the solve's arrays took, by its own reckoning.
        threads: threads the solve could use.
        resumed: where the solve went on from what a killed one had finished, what that was.
    """

    method: str = field(kw_only=True)
    choice: str = field(kw_only=True)
    phases: list[tuple[str, float]] = field(kw_only=True)
    peak_bytes: int = field(kw_only=True)
    threads: int = field(kw_only=True)
    resumed: str = field(default="", kw_only=True)
    _counted: Counts | None = field(default=None, init=False)

    @property
    def seconds(self) -> float:
        """Wall seconds the solve took, compiling included."""
        return sum(seconds for _, seconds in self.phases)

    # -- the whole of it ------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Any]:
        """Go through the positions as they were found, one of each class that symmetries make."""
        layout = self._compiled.rules.layout
        for places in self._table.pages():
            for flat in layout.unpack_many(self._table.packed(places)).tolist():
                yield layout.build(flat)

    def items(self) -> Iterator[tuple[Any, Value]]:
        """Go through the positions with their values."""
        layout = self._compiled.rules.layout
        for places in self._table.pages():
            rows = layout.unpack_many(self._table.packed(places)).tolist()
            for flat, stored in zip(rows, self._table.values(places).tolist(), strict=True):
                yield layout.build(flat), self._decoded(stored)

    def counts(self, *, folded: bool = False, progress: Listener | None = None) -> Counts:
        """Return how many positions there are of each outcome and remoteness (or score).

        Every position that the starts can reach is counted, whether or not symmetries make it one
        with others; the count is exact even where they do not leave the starts as they are, but
        then takes a walk over all positions. Where ``canonical`` is written by hand it is not
        known how many positions are one, and classes are counted.

        Args:
            folded: count each class of positions that symmetries make one once.
            progress: called with an ``Event`` now and then, where that takes a walk.
        """
        if self._counted is not None and not folded:
            return self._counted
        if self._compiled.elements and not folded:
            from zermelo.solution.unfolding import counted

            report = Reporter(progress)
            self._counted = counted(self._compiled, self._table, self.threads, report)
            return self._counted
        tally = self._table.tally()
        if self._compiled.scored:
            return Counts.of_scores({score: count for score, _, count in tally})
        return Counts.of_codes(tally)

    def verify(
        self, *, memory: int | str | None = None, progress: Listener | None = None
    ) -> Verification:
        """Check the certificate: that every value follows from its successors' values.

        An independent pass over the moves of every position, which uses nothing of the solver
        and accepts exactly the right values (``docs/explanation/certificate.md`` says why). Of
        declared symmetries, up to a million images are looked at, at regular distances. In a large
        pursuit the moves are those it describes, which the rules are compared with at each node.
        Of a table that was opened, every block is compared with its checksum first.

        Args:
            memory: what may be taken, as for ``zermelo.solve``, and kept to likewise. A table from
                a file that does not fit is gone through in parts. Those of placement games and
                pursuits take up to three times as long then. Others take two to five times as
                long, and a byte or so a position and some megabytes in any case.
            progress: called with an ``Event`` now and then.

        Returns:
            What was found; true where every value is right, and if not, a sentence on the first
            that is wrong, and the position.

        Raises:
            BudgetError: it cannot be done within so much memory.
            CorruptTableError: the file of the table is damaged.
        """
        from zermelo._engine.core.ledger import allowed_bytes
        from zermelo._engine.core.memory import given_back
        from zermelo.solution.certificate import verified

        report, allowed = Reporter(progress), allowed_bytes(memory_bytes(memory))
        with given_back(_GIVEN_BACK) if memory is not None else nullcontext():
            given = (self._compiled, self._table, self.threads, report, self._decoded)
            return verified(*given, allowed)

    def analyse(
        self,
        *,
        blunders: Sequence[int] = (5, 20),
        samples: int = 20_000,
        seed: int = 0,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Analysis:
        """Work out what the game is like to play: balance, length, traps, openings.

        What follows from the values of all positions is worked out exactly, in passes over the
        whole table, where its moves fit in memory. Where they do not, games and positions are
        sampled, and the analysis says so.

        Args:
            blunders: how often players may err, in percent: each is analysed beside perfect and
                uniformly random play. See ``zermelo.analysis.Play``.
            samples: how many games and positions to sample where that has to be.
            seed: makes what is sampled repeatable.
            memory: what it may take, in bytes or as ``"2GB"``; by default most of what the system
                has left.
            progress: called with an ``Event`` now and then.

        Raises:
            ParameterError: an argument makes no sense.
        """
        from zermelo._engine.core.ledger import allowed_bytes
        from zermelo.analysis.run import Wanted, analysed

        allowed = allowed_bytes(memory_bytes(memory))
        if not isinstance(blunders, Sequence):
            message = f"blunders={blunders!r} is no list of percentages; give one such as (5, 20)"
            raise ParameterError(message)
        wanted = Wanted(tuple(blunders), allowed, samples, seed, self.threads)
        return analysed(self, self.counts(progress=progress), wanted, Reporter(progress))

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Path:
        """Keep the solution in a file, a table, which ``zermelo.open`` opens.

        The file appears when it is whole. It does not depend on the memory, nor on the threads.

        Args:
            path: where.
            overwrite: whether a file that is there may be replaced.
            memory: what may be taken for it beside the solution, as for ``zermelo.solve``; where
                positions do not all fit to be sorted, they are gone through several times.
            progress: called with an ``Event`` now and then.

        Returns:
            The path.

        Raises:
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the disk is full, or the folder may not be written to.
            BudgetError: the memory is too little.
        """
        from zermelo._engine.core.ledger import allowed_bytes
        from zermelo._store.saving import save_table

        return save_table(
            self._compiled,
            self._table,
            path,
            method=self.method,
            choice=self.choice,
            overwrite=overwrite,
            report=Reporter(progress),
            threads=self.threads,
            allowed=allowed_bytes(memory_bytes(memory)),
        )

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002  # it is what everybody calls it
        moves: bool = True,
        overwrite: bool = False,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Path:
        """Write every position with its value to a file that other programs read.

        A row is a position (one of each class that symmetries make), in the order in which going
        through the solution gives them. The columns are the fields of the position, ``player``
        (whose turn it is, 0 or 1; only where the game has ``turn``), ``outcome``, ``remoteness``
        (nothing for an endless draw) or ``score``, ``best_move`` and ``best_move_name`` (the first
        of ``options``; nothing where the game is over). ``docs/reference/export.md`` says how each
        format holds them.

        Rows are worked out and written some at a time. Where they fit, the positions of a table
        that was opened are loaded, as the best moves need a value for every move.

        Args:
            path: where.
            format: "parquet", "csv" or "npz"; by default as the path ends.
            moves: whether best moves are written, which is most of the work.
            overwrite: whether a file that is there may be replaced.
            memory: what may be taken for it beside the solution, as for ``zermelo.solve``, and
                kept to likewise; importing pyarrow is not counted. A table from a file that does
                not fit is unpacked part by part, which takes several times as long. The rows do
                not depend on it.
            progress: called with an ``Event`` now and then.

        Returns:
            The path.

        Raises:
            ParameterError: there is no such format.
            MissingExtraError: Parquet needs pyarrow: ``pip install 'zermelo[export]'``.
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the disk is full, or the folder may not be written to.
            CorruptTableError: the table is damaged.
            BudgetError: the memory is too little.
        """
        from zermelo.solution.exporting import export

        return export(
            self._compiled,
            self._table,
            path,
            form=format,
            moves=moves,
            overwrite=overwrite,
            memory=memory_bytes(memory),
            threads=self.threads,
            method=self.method,
            choice=self.choice,
            report=Reporter(progress),
        )

    def close(self) -> None:
        """Give back the file that the solution was opened from; only for one of ``zermelo.open``.

        What was read stays, but nothing more can be read. A solution that is let go does so
        itself; closing it, or leaving a ``with`` that opened it, does so at once.
        """
        close = getattr(self._table, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Self:
        """Be open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give the file back."""
        self.close()

    def __repr__(self) -> str:
        """Return a line with the game, its value and how many positions there are."""
        return f"<Solution of {brief(self.game)}: {self._summary()}>"

    def _summary(self) -> str:
        counts = self.counts(folded=True)
        apart = "classes of positions" if self._folded else "positions"
        return (
            f"{self.value}; {len(self):,} {apart}: {counts.win:,} win, {counts.draw:,} draw, "
            f"{counts.loss:,} loss"
        )

    def _repr_html_(self) -> str:
        """Return the solution as a small table, with the start beside it, for notebooks."""
        counts = self.counts(folded=True)
        rows = [
            ("game", brief(self.game)),
            ("value", str(self.value)),
            ("winner", self.winner or "nobody"),
            ("classes of positions" if self._folded else "positions", f"{len(self):,}"),
            *((str(o), f"{n:,}") for o, n in ((WIN, counts.win), (DRAW, counts.draw))),
            (str(LOSS), f"{counts.loss:,}"),
            ("method", self.method),
        ]
        return html_table(rows) + self.show()._repr_html_()
