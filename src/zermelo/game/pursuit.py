"""The declaration of a game as a pursuit on a graph, so that it can be solved as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class PursuitRules:
    """The result of the hook ``pursuit``: the whole of a game's rules, if it is a pursuit.

    An evader and a pursuer stand on nodes of a graph and move in turn, each along an edge of its
    own graph. The evader has won on a safe node; if not, the pursuer has won on the evader's node.
    Positions have three integer fields: the evader's node, the pursuer's, and the turn, 0 for the
    evader and 1 for the pursuer. Every pair of nodes is a position with either player to move,
    except those with the pursuer on a forbidden node, and ``starts`` gives all of them.

    Attributes:
        graph: the successors of each node, for the evader; and for the pursuer, unless
            ``pursuer_graph`` differs. A loop is a move that stays.
        pursuer_graph: the same for the pursuer, on the same nodes.
        safe: nodes where the evader has won.
        forbidden: nodes that the pursuer may not enter.
        stuck: what a player without a move does: ``"stay"``, which counts as a move, or
            ``"lose"``.
        fields: the names of the three fields, in the order above.
    """

    graph: Sequence[Sequence[int]]
    pursuer_graph: Sequence[Sequence[int]] | None = None
    safe: tuple[int, ...] = ()
    forbidden: tuple[int, ...] = ()
    stuck: Literal["stay", "lose"] = "stay"
    fields: tuple[str, str, str] = ("evader", "pursuer", "turn")
