"""What a solved pursuit answers about one placement."""

from __future__ import annotations

import json
from operator import index
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from zermelo.chase.given import Given, Placement
from zermelo.chase.marks import Marks, earlier, meant, preference
from zermelo.errors import ParameterError, PositionError
from zermelo.values.answers import Line, Option, followed
from zermelo.values.outcomes import DRAW, WIN, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

#: A line of play is cut after so many moves.
_LONGEST_LINE = 100_000


class Questions:
    """The questions about placements: what ``Chase`` answers by its graphs and its marks."""

    nodes: int
    pursuers: int
    turns: int
    forbidden: npt.NDArray[np.bool_]
    _given: Given
    _marks: Marks

    def value(self, evader: int | Placement, *pursuers: int, turn: int = 0) -> Value:
        """Return the value of one placement for the player to move.

        Args:
            evader: the evader's node.
            pursuers: the node of each pursuer.
            turn: whose turn it is; see ``Chase``.

        Raises:
            PositionError: there is no such placement.
        """
        return self._value(self._placement(evader, pursuers, turn))

    def winner(self, evader: int | Placement, *pursuers: int, turn: int = 0) -> str | None:
        """Return who wins from one placement: ``"evader"``, ``"pursuers"`` or None.

        Args:
            evader: the evader's node.
            pursuers: the node of each pursuer.
            turn: whose turn it is; see ``Chase``.

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
            turn: whose turn it is; see ``Chase``.

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
            turn: whose turn it is; see ``Chase``.
            longest: moves after which the line is cut.

        Raises:
            PositionError: there is no such placement.
        """
        return followed(self._placement(evader, pursuers, turn), self._options, longest)

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

    # -- placements and marks ---------------------------------------------------------------------

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
