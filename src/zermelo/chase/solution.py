"""What a solved pursuit answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from zermelo.amounts import memory_bytes
from zermelo.chase.asking import Questions
from zermelo.chase.given import Given
from zermelo.chase.marks import Marks, meant, preference
from zermelo.progress import Listener, Reporter
from zermelo.values.answers import Counts, Verification

if TYPE_CHECKING:
    import os
    from pathlib import Path


class Chase(Questions):
    """What ``zermelo.pursuit`` found: for every placement, who wins and in how many plies.

    A placement is the evader's node and each pursuer's, with a turn: 0 when the evader moves
    next, 1 when the pursuers do, or where they move one after another the first of them, then 2
    and 3 for the others. Arrays have one axis for the evader and one for each pursuer, in this
    order. Where nodes are asked for, one whole ``Placement`` may be given in their place, as
    options and lines have them; and ``chase[placement]`` is its value.

    Attributes:
        nodes: nodes of the graph.
        pursuers: how many pursuers there are.
        turns: how many turns there are: 2 where all pursuers move together.
        forbidden: whether each node is one where no pursuer may be; nobody wins at a placement
            that has one there, as it does not exist.
        rounds: plies of the longest chase that is decided.
        choice: how it was solved, and what was done where there was little memory.
        peak_bytes: the most memory the solve's arrays took, by its own reckoning.
        phases: (name, wall seconds) of each phase of the solve.
        threads: threads the solve could use.
    """

    def __init__(
        self,
        given: Given,
        marks: Marks,
        *,
        rounds: int,
        choice: str,
        peak_bytes: int,
        phases: list[tuple[str, float]],
        threads: int,
        memory: int | None,
    ) -> None:
        """Keep what was found."""
        self._given = given
        self._marks = marks
        self._memory = memory
        self.nodes = given.nodes
        self.pursuers = given.pursuers
        self.turns = given.turns
        self.forbidden = given.forbidden
        self.rounds = rounds
        self.choice = choice
        self.peak_bytes = peak_bytes
        self.phases = phases
        self.threads = threads

    # -- all placements of a turn -----------------------------------------------------------------

    def winners(self, turn: int = 0) -> npt.NDArray[np.int8]:
        """Return who wins from every placement: 1 the evader, -1 the pursuers, 0 nobody.

        Args:
            turn: whose turn it is; see the class.
        """
        signs: npt.NDArray[np.int8] = np.sign(self._placed(turn)).astype(np.int8)
        return signs if turn == 0 else -signs

    def plies(self, turn: int = 0) -> npt.NDArray[np.int32]:
        """Return the plies to the end from every placement, -1 where there is none.

        The winner hurries and the loser delays.

        Args:
            turn: whose turn it is; see the class.
        """
        marks = self._placed(turn)
        return np.abs(marks.astype(np.int32)) - 1

    # -- the whole of it --------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return how many placements there are, whoever moves next."""
        return self._given.placements

    def counts(self) -> Counts:
        """Return how many placements there are of each outcome and remoteness.

        Outcomes are for the player to move.
        """
        found: dict[int, int] = {}
        for mark, count in self._marks.tally():
            found[mark] = found.get(mark, 0) + count
        # Placements that do not exist have no mark either.
        found[0] = found.get(0, 0) - self.turns * self.nodes ** (1 + self.pursuers) + len(self)
        marks = sorted((mark for mark in found if found[mark]), key=preference, reverse=True)
        values = [(meant(mark), found[mark]) for mark in marks]
        return Counts.of_codes([(value.outcome, value.remoteness, n) for value, n in values])

    def verify(
        self, *, memory: int | str | None = None, progress: Listener | None = None
    ) -> Verification:
        """Check the certificate: that every value follows from its successors' values.

        One pass along the edges of the graphs as they were given, which uses nothing of the solver
        and accepts exactly the right values. All threads that the solve could use take part. Where
        it was opened, every block of the file is compared with its checksum first.

        Args:
            memory: what may be taken, as for ``zermelo.pursuit``; by default what that could take.
            progress: called with an ``Event`` now and then.

        Returns:
            What was found; true where every value is right, and if not, a sentence on the first
            that is wrong, and the placement.

        Raises:
            BudgetError: it cannot be done within so much memory.
            CorruptTableError: the file is damaged.
        """
        from zermelo._engine.core.ledger import allowed_bytes
        from zermelo.chase.certificate import verified

        allowed = allowed_bytes(self._memory if memory is None else memory_bytes(memory))
        return verified(self._given, self._marks, self.threads, allowed, Reporter(progress))

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        progress: Listener | None = None,
    ) -> Path:
        """Keep it in a file, a table with its graphs, which ``zermelo.open_chase`` opens.

        The file appears when it is whole. It does not depend on the threads.

        Args:
            path: where.
            overwrite: whether a file that is there may be replaced.
            progress: called with an ``Event`` now and then.

        Returns:
            The path.

        Raises:
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the disk is full, or the folder may not be written to.
        """
        from zermelo.chase.table import save

        return save(
            self._given,
            self._marks,
            path,
            about=self._about(),
            rounds=self.rounds,
            overwrite=overwrite,
            threads=self.threads,
            report=Reporter(progress),
        )

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002  # as for a solution
        moves: bool = True,
        overwrite: bool = False,
        memory: int | str | None = None,
        progress: Listener | None = None,
    ) -> Path:
        """Write every placement with its value to a file that other programs read.

        The columns are ``evader``, ``pursuers``, ``turn``, ``outcome`` for the player to move,
        ``remoteness`` (nothing for an endless draw), and where everybody is after the first of
        ``options``: ``next_evader`` and ``next_pursuers`` (nothing where it is over).
        ``docs/reference/export.md`` says how each format holds them.

        Args:
            path: where.
            format: "parquet", "csv" or "npz"; by default as the path ends.
            moves: whether the last two are written, which is most of the work.
            overwrite: whether a file that is there may be replaced.
            memory: what may be taken for it beside what is in memory, as for ``zermelo.pursuit``.
            progress: called with an ``Event`` now and then.

        Returns:
            The path.

        Raises:
            ParameterError: there is no such format.
            MissingExtraError: Parquet needs pyarrow: ``pip install 'zermelo[export]'``.
            TableExistsError: there is a file, and it may not be replaced.
            TableWriteError: the disk is full, or the folder may not be written to.
            CorruptTableError: the file it was opened from is damaged.
            BudgetError: the memory is too little.
        """
        from zermelo.chase.exporting import export

        return export(
            self._given,
            self._marks,
            path,
            form=format,
            moves=moves,
            overwrite=overwrite,
            memory=memory_bytes(memory),
            about={**self._about(), "positions": len(self)},
            report=Reporter(progress),
        )

    def close(self) -> None:
        """Give back the file, if it was opened from one; nothing can be asked any more then."""
        self._marks.close()

    def __enter__(self) -> Self:
        """Be open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give back the file."""
        self.close()

    @property
    def seconds(self) -> float:
        """Wall seconds the solve took."""
        return sum(seconds for _, seconds in self.phases)

    def __repr__(self) -> str:
        """Return a line with the size of the pursuit and how long its chases get."""
        return (
            f"<Chase of {self.pursuers} on {self.nodes:,} nodes: "
            f"decided in at most {self.rounds:,} plies>"
        )

    def _placed(self, turn: int) -> npt.NDArray[Any]:
        """Return the marks of a turn with the evader's axis first."""
        self._see_turn(turn)
        marks = self._marks[turn].reshape((self.nodes,) * (1 + self.pursuers))
        return marks if turn == 0 else np.moveaxis(marks, -1, 0)

    def _about(self) -> dict[str, Any]:
        """Return what files say of it."""
        counts = self.counts()
        return {
            "holds": f"a pursuit of {self.pursuers} on {self.nodes:,} nodes",
            "method": "pursuit",
            "choice": self.choice,
            "counts": {"win": counts.win, "draw": counts.draw, "loss": counts.loss},
        }
