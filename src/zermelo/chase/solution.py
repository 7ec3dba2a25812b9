"""What a solved pursuit answers."""

from __future__ import annotations

import json
from operator import index
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from zermelo.amounts import memory_bytes
from zermelo.answers import Counts, Line, Option, Verification
from zermelo.chase.given import Given, Placement
from zermelo.chase.marks import Marks, earlier, meant, preference
from zermelo.errors import ParameterError, PositionError
from zermelo.progress import Listener, Reporter
from zermelo.values import DRAW, WIN, Value

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

#: A line of play is cut after so many moves.
_LONGEST_LINE = 100_000


class Chase:
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

    # -- one placement ----------------------------------------------------------------------------

    def value(self, evader: int | Placement, *pursuers: int, turn: int = 0) -> Value:
        """Return the value of one placement for the player to move.

        Args:
            evader: the evader's node.
            pursuers: the node of each pursuer.
            turn: whose turn it is; see the class.

        Raises:
            PositionError: there is no such placement.
        """
        return self._value(self._placement(evader, pursuers, turn))

    def winner(self, evader: int | Placement, *pursuers: int, turn: int = 0) -> str | None:
        """Return who wins from one placement: ``"evader"``, ``"pursuers"`` or None.

        Args:
            evader: the evader's node.
            pursuers: the node of each pursuer.
            turn: whose turn it is; see the class.

        Raises:
            PositionError: there is no such placement.
        """
        placement = self._placement(evader, pursuers, turn)
        outcome = self._value(placement).outcome
        if outcome is DRAW:
            return None
        return "evader" if (outcome is WIN) == (placement.turn == 0) else "pursuers"

    def options(self, evader: int | Placement, *pursuers: int, turn: int = 0) -> list[Option]:
        """Return every move at a placement with what it is worth to the mover, best first.

        A move is the node it leads to; of several pursuers who move together, a tuple of their
        nodes. Moves of equal worth stay in the order in which the graphs list them, staying last.

        Args:
            evader: the evader's node.
            pursuers: the node of each pursuer.
            turn: whose turn it is; see the class.

        Raises:
            PositionError: there is no such placement.
        """
        return self._options(self._placement(evader, pursuers, turn))

    def line(
        self,
        evader: int | Placement,
        *pursuers: int,
        turn: int = 0,
        longest: int = _LONGEST_LINE,
    ) -> Line:
        """Return a line of perfect play: the first of the best moves each time.

        Args:
            evader: the evader's node.
            pursuers: the node of each pursuer.
            turn: whose turn it is; see the class.
            longest: moves after which the line is cut.

        Raises:
            PositionError: there is no such placement.
        """
        placement = self._placement(evader, pursuers, turn)
        line = Line(placement, [], [], "terminal")
        seen = {placement}
        while len(line.moves) < longest:
            options = self._options(placement)
            if not options:
                return line
            placement = options[0].position
            line.moves.append(options[0].move)
            line.positions.append(placement)
            if placement in seen:
                line.ends = "repeats"
                return line
            seen.add(placement)
        line.ends = "cut"
        return line

    def __getitem__(self, placement: Placement) -> Value:
        """Return the value of a placement for the player to move.

        Raises:
            PositionError: there is no such placement. ``get`` returns a default instead.
        """
        return self._value(self._checked(placement))

    def get(self, placement: Placement, default: Value | None = None) -> Value | None:
        """Return the value of a placement, or ``default`` where there is no such placement."""
        try:
            return self[placement]
        except PositionError:
            return default

    def __contains__(self, placement: Placement) -> bool:
        """Whether there is such a placement."""
        return self.get(placement) is not None

    def parse(self, text: str) -> Placement:
        """Return the placement that a text stands for, such as ``"[0, [3, 4], 1]"``.

        That is JSON: the evader's node, the pursuers', and the turn, which is 0 if left out; or
        all of these by name.

        Raises:
            PositionError: it is no placement of this pursuit.
        """
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if isinstance(found, dict):
            found = [found.get("evader"), found.get("pursuers"), found.get("turn", 0)]
        if not isinstance(found, list):
            message = f"{text!r} is not a placement; {self._expected}"
            raise PositionError(message)
        return self._checked(found)

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
        from zermelo._engine.budget import allowed_bytes
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

        report = Reporter(progress)
        return save(self, self._given, self._marks, path, overwrite=overwrite, report=report)

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

    # -- placements and marks ---------------------------------------------------------------------

    def _placed(self, turn: int) -> npt.NDArray[Any]:
        """Return the marks of a turn with the evader's axis first."""
        self._see_turn(turn)
        marks = self._marks[turn].reshape((self.nodes,) * (1 + self.pursuers))
        return marks if turn == 0 else np.moveaxis(marks, -1, 0)

    def _placement(self, evader: int | Placement, pursuers: Sequence[int], turn: int) -> Placement:
        """Return what was asked about: nodes and a turn, or all of it as one."""
        if isinstance(evader, tuple) and not pursuers:
            return self._checked(evader)
        self._see_turn(turn)
        return self._checked((evader, tuple(pursuers), turn))

    def _checked(self, placement: Any) -> Placement:
        """Return a placement with its nodes as plain numbers.

        Raises:
            PositionError: there is no such placement.
        """
        try:
            evader, pursuers, *turns = placement
            nodes = [index(node) for node in (evader, *pursuers)]
            turn = index(turns[0]) if turns else 0
        except (TypeError, ValueError):
            message = f"{placement!r} is not a placement; {self._expected}"
            raise PositionError(message) from None
        shown = (evader, *pursuers)
        message = ""
        if len(nodes) != 1 + self.pursuers:
            message = f"has {len(nodes) - 1} pursuers; name {self.pursuers}"
        elif len(turns) > 1 or not 0 <= turn < self.turns:
            message = f"has turn {turn!r}; use 0 to {self.turns - 1}"
        elif strange := [node for node in nodes if not 0 <= node < self.nodes]:
            message = f"has a node {strange[0]!r}; use 0 to {self.nodes - 1}"
        elif self.forbidden[nodes[1:]].any():
            message = "has a pursuer where none may be; move it"
        if message:
            message = f"placement {shown!r} {message}"
            raise PositionError(message)
        return Placement(nodes[0], tuple(nodes[1:]), turn)

    def _see_turn(self, turn: int) -> None:
        """See that there is such a turn.

        Raises:
            ParameterError: there is none.
        """
        if not 0 <= turn < self.turns:
            message = f"turn={turn!r} is none of this chase; use 0 to {self.turns - 1}"
            raise ParameterError(message)

    @property
    def _expected(self) -> str:
        each = ", ".join(["pursuer"] * self.pursuers)
        return f"give (evader, ({each}{',' * (self.pursuers == 1)}), turn)"

    def _value(self, placement: Placement) -> Value:
        return meant(self._marks.at(placement.turn, self._given.number(placement)))

    def _options(self, placement: Placement) -> list[Option]:
        marked = []
        for after in self._given.children(placement):
            mark = self._marks.at(after.turn, self._given.number(after))
            mark = earlier(mark, same=after.turn > placement.turn > 0)
            move = self._given.moved(placement, after)
            name = str(move) if isinstance(move, int) else ", ".join(map(str, move))
            marked.append((mark, Option(move, name, after, meant(mark))))
        marked.sort(key=lambda pair: preference(pair[0]), reverse=True)
        return [option for _, option in marked]
