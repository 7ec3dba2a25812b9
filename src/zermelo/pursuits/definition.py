"""The definition of a pursuit, which is also its rules: turns, moves and ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from operator import index as whole
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo import drawing
from zermelo.errors import PositionError, RulesError
from zermelo.forms.quantities import count_phrase
from zermelo.game.adjacency import Adjacency
from zermelo.game.position_text import read_literal
from zermelo.rules.layout import lay_out
from zermelo.values.endless import ENDLESS_WINS
from zermelo.values.kind import Kind
from zermelo.values.outcomes import LOSS, NOBODY, WIN, Outcome
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo._methods.pursuit.index import PursuitIndex
    from zermelo.rules.layout import Layout

#: The winner, as a sign for the evader.
EVADER, PURSUERS = 1, -1
#: A position in words, as ``position_text`` writes it.
_SHOWN = re.compile(
    r"evader (?P<evader>\d+), pursuers? (?P<team>\d+(?:, \d+)*), "
    r"(?P<side>evader|pursuers?)(?: (?P<number>\d+))? to move"
)


class PursuitPosition(NamedTuple):
    """The nodes of all players, and whose turn it is.

    Attributes:
        evader: the evader's node.
        pursuers: the node of each pursuer.
        turn: 0 if the evader moves next, 1 if the pursuers do; if they move one after another, 1 is
            the first pursuer's turn, 2 and 3 are the others'.
    """

    evader: int
    pursuers: tuple[int, ...]
    turn: int = 0


@dataclass(frozen=True, eq=False)
class PursuitDefinition:
    """The definition of a pursuit; also its rules, see ``RulesView``.

    Attributes:
        graphs: the graph of the evader, then of each pursuer; equal graphs are one object.
        safe: nodes where the evader has won, by node.
        forbidden: nodes that no pursuer may enter, by node.
        together: whether one turn moves all pursuers; otherwise each has a separate turn.
        waits: whether staying is a move everywhere, for the evader and for pursuers.
        stays: whether staying is a move if there is no other.
        endless: who wins a pursuit without end: 0 for the evader, 1 for the pursuers, or NOBODY.
    """

    graphs: tuple[Adjacency, ...]
    safe: npt.NDArray[np.bool_]
    forbidden: npt.NDArray[np.bool_]
    together: bool
    waits: tuple[bool, bool]
    stays: bool
    endless: int = NOBODY

    name = "pursuit"
    summary = "A pursuit on graphs: the evader wins on a safe node, the pursuers by catching it."
    players = ("evader", "pursuers")
    plies_per_move = 1
    alternate = False

    @property
    def kind(self) -> Kind:
        """The kind of value of positions."""
        return WIN_DRAW_LOSS if self.endless == NOBODY else ENDLESS_WINS[self.endless]

    @property
    def parameters(self) -> dict[str, Any]:
        """The size of the pursuit."""
        return {"nodes": self.nodes, "pursuers": self.pursuers}

    @property
    def title(self) -> str:
        """The name of the pursuit, with its size."""
        return f"Pursuit, {count_phrase(self.nodes, 'nodes')}"

    @property
    def instructions(self) -> list[str]:
        """The rules in a sentence."""
        return [self.summary]

    @property
    def description(self) -> str:
        """A description of the pursuit in a sentence."""
        return f"a pursuit of {self.pursuers} on {count_phrase(self.nodes, 'nodes')}"

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.safe)

    @property
    def pursuers(self) -> int:
        """The number of pursuers."""
        return len(self.graphs) - 1

    @property
    def turns(self) -> int:
        """The number of turns."""
        return 2 if self.together else 1 + self.pursuers

    @cached_property
    def positions(self) -> int:
        """The number of positions, with any side to move."""
        free = self.nodes - int(np.count_nonzero(self.forbidden))
        count: int = self.turns * self.nodes * free**self.pursuers
        return count

    @cached_property
    def layout(self) -> Layout:
        """The packed form of positions."""
        node = (0, max(self.nodes - 1, 0).bit_length())
        turn = (0, (self.turns - 1).bit_length())
        shape = (("evader", None), ("pursuers", self.pursuers), ("turn", None))
        limits = (node, *[node] * self.pursuers, turn)
        return lay_out(PursuitPosition, shape, limits)[0]

    @cached_property
    def index(self) -> PursuitIndex:
        """The places of positions."""
        from zermelo._methods.pursuit.index import PursuitIndex

        columns = range(self.pursuers + 2)
        return PursuitIndex(self.layout, columns, self.forbidden, self.turns)

    def is_over(self, position: PursuitPosition) -> bool:
        """Return whether the pursuit is over at a position, whether or not its mover can move."""
        return bool(self.safe[position.evader]) or position.evader in position.pursuers

    def winner_at_end(self, position: PursuitPosition) -> int:
        """Return the winner at a position where the pursuit is over, or its mover cannot move."""
        if self.safe[position.evader]:
            return EVADER
        if position.evader in position.pursuers or position.turn == 0:
            return PURSUERS
        return EVADER

    def children(self, position: PursuitPosition) -> list[PursuitPosition]:
        """Return the distinct positions after a move, in the order of the graphs."""
        evader, pursuers, turn = position
        if self.is_over(position):
            return []
        if turn == 0:
            return [PursuitPosition(node, pursuers, 1) for node in self.steps(0, evader)]
        next_turn = (turn + 1) % self.turns
        choices: list[list[int]] = [[node] for node in pursuers]
        for i in range(self.pursuers) if self.together else [turn - 1]:
            choices[i] = self.steps(1 + i, pursuers[i])
        return [PursuitPosition(evader, team, next_turn) for team in product(*choices)]

    def move_between(
        self, position: PursuitPosition, child: PursuitPosition
    ) -> int | tuple[int, ...]:
        """Return the move from one position to the next: the new node or nodes of the mover."""
        if position.turn == 0:
            return child.evader
        if self.together:
            return child.pursuers if self.pursuers > 1 else child.pursuers[0]
        return child.pursuers[position.turn - 1]

    def steps(self, mover: int, node: int) -> list[int]:
        """Return the nodes after a step of a mover: 0 is the evader, then come the pursuers."""
        indptr, indices = self.graphs[mover]
        listed = indices[int(indptr[node]) : int(indptr[node + 1])].tolist()
        if mover > 0:
            listed = [there for there in listed if not self.forbidden[there]]
        if self.waits[mover > 0] or (self.stays and not listed):
            listed.append(node)
        return list(dict.fromkeys(listed))

    def check_position(self, position: Any) -> PursuitPosition:
        """Return a position with its nodes as plain integers.

        Raises:
            PositionError: the position is invalid.
        """
        try:
            evader, pursuers, *turns = position
            nodes = [whole(node) for node in (evader, *pursuers)]
            turn = whole(turns[0]) if turns else 0
        except (TypeError, ValueError):
            message = f"{position!r} is not a position of a pursuit; {self._expected_form}"
            raise PositionError(message) from None
        named_nodes = (evader, *pursuers)
        message = ""
        if len(nodes) != 1 + self.pursuers:
            message = f"has {len(nodes) - 1} pursuers; name {self.pursuers}"
        elif len(turns) > 1 or not 0 <= turn < self.turns:
            message = f"has turn {turn!r}; use 0 to {self.turns - 1}"
        elif outside := [node for node in nodes if not 0 <= node < self.nodes]:
            message = f"has a node {outside[0]!r}; use 0 to {self.nodes - 1}"
        elif self.forbidden[nodes[1:]].any():
            message = "has a pursuer where none may be; move it"
        if message:
            message = f"position {named_nodes!r} {message}"
            raise PositionError(message)
        return PursuitPosition(nodes[0], tuple(nodes[1:]), turn)

    @property
    def _expected_form(self) -> str:
        team = ", ".join(["pursuer"] * self.pursuers)
        return f"give (evader, ({team}{',' * (self.pursuers == 1)}), turn)"

    # -- the rules, see ``RulesView`` -------------------------------------------------------------

    def owner(self, position: PursuitPosition) -> int:
        """Return the side to move: 0 is the evader, 1 the pursuers."""
        return int(position.turn > 0)

    def is_chance(self, position: Any) -> bool:  # noqa: ARG002  # there is none
        """Return False: chance never decides."""
        return False

    def keeps_turn(self, position: PursuitPosition, move: int, child: PursuitPosition) -> bool:  # noqa: ARG002  # turns tell
        """Return whether the same player is to move after a move."""
        return not self.alternate and self.owner(position) == self.owner(child)

    def terminal(self, position: PursuitPosition) -> Outcome | None:
        """Return the outcome for the player to move, or None while the pursuit goes on."""
        if not self.is_over(position):
            return None
        return WIN if (self.winner_at_end(position) == EVADER) == (position.turn == 0) else LOSS

    def moves(self, position: PursuitPosition) -> list[int | tuple[int, ...]]:
        """Return the nodes that the mover may go to; tuples of nodes if pursuers move together."""
        return [self.move_between(position, after) for after in self.children(position)]

    def play(self, position: PursuitPosition, move: int | tuple[int, ...]) -> PursuitPosition:
        """Return the position after a move."""
        evader, pursuers, turn = position
        next_turn = (turn + 1) % self.turns
        team = (move,) if isinstance(move, int) else move
        if turn == 0:
            return PursuitPosition(team[0], pursuers, next_turn)
        if not self.together:
            team = (*pursuers[: turn - 1], *team, *pursuers[turn:])
        return PursuitPosition(evader, team, next_turn)

    def pass_turn(self, position: PursuitPosition) -> PursuitPosition:
        """Return the position with the other side to move.

        Raises:
            RulesError: each pursuer has a separate turn.
        """
        if self.turns > 2:  # noqa: PLR2004  # sides
            message = (
                f"each of {self.pursuers} pursuers has a turn of its own, so that {position!r} "
                "does not say whose it would be; ask about each"
            )
            raise RulesError(message)
        return position._replace(turn=1 - position.turn)

    def canonical(self, position: PursuitPosition) -> PursuitPosition:
        """Return the position itself: no two positions are equivalent."""
        return position

    def gain(self, position: Any, move: Any) -> int:  # noqa: ARG002  # no points are won
        """Return 0: there are no points."""
        return 0

    def endless_worth(self, position: Any) -> int:  # noqa: ARG002  # there are none
        """Return 0: there are no points."""
        return 0

    def final_score(self, position: Any) -> int:  # noqa: ARG002  # nor lost
        """Return 0: there are no points."""
        return 0

    def move_name(self, move: int | tuple[int, ...]) -> str:
        """Return the nodes of a move, with commas."""
        return str(move) if isinstance(move, int) else ", ".join(map(str, move))

    def position_text(self, position: PursuitPosition) -> str:
        """Return a position in words."""
        team = ", ".join(map(str, position.pursuers))
        side = "evader" if position.turn == 0 else "pursuers"
        if position.turn and not self.together:
            side = f"pursuer {position.turn}"
        plural = "s" * (self.pursuers > 1)
        return f"evader {position.evader}, pursuer{plural} {team}, {side} to move"

    def terminal_text(self, position: Any) -> str:
        """Return a position in the form that a terminal shows."""
        return self.position_text(position)

    def position_svg(self, position: PursuitPosition) -> str:
        """Draw the graph of the player to move, with all players on it."""
        mover = 0 if position.turn == 0 else 1 if self.together else position.turn
        rows = [self.steps(mover, node) for node in range(self.nodes)]
        tags: list[drawing.Tag] = [(node, "pursuer", "second") for node in position.pursuers]
        tags += [(position.evader, "evader", "first")]
        tags += [(int(node), "safe", "ring") for node in np.flatnonzero(self.safe)]
        names = [str(node) for node in range(self.nodes)]
        title = self.position_text(position)
        return drawing.graph(rows, tags, title=title, directed=True, moves=names)

    def parse(self, text: str) -> PursuitPosition:
        """Return the position of a text such as ``"[0, [3, 4], 1]"``.

        The text is JSON or Python: the evader's node, the pursuers', and the turn, by default 0; or
        an object with these names; or the words that ``position_text`` writes.

        Raises:
            PositionError: the text is not a position of this pursuit.
        """
        words = _SHOWN.fullmatch(text.strip())
        try:
            fields = read_literal(text)
        except ValueError:
            fields = None
        if words is not None:
            turn = words["number"] or int(words["side"] != "evader")
            fields = [int(words["evader"]), list(map(int, words["team"].split(","))), int(turn)]
        elif isinstance(fields, dict):
            fields = [fields.get("evader"), fields.get("pursuers"), fields.get("turn", 0)]
        if not isinstance(fields, list):
            message = f"{text!r} is not a position of a pursuit; {self._expected_form}"
            raise PositionError(message)
        return self.check_position(fields)
