"""The certificate of bounds of games with chance, as its proof states it, for tiny games.

It follows ``docs/explanation/chance.md`` word by word: the claims are seen once by each player, as
lower bounds of that player's payoff, and all numbers are fractions. It shares no code with the
certificates of the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from support.oracles.expectations import ChanceGraph, State


class Claim(NamedTuple):
    """What a table says of a position: bounds for the player to move there, and its rank.

    Where moves make points, the rank has the stage before its last 16 bits.
    """

    lower: Fraction
    upper: Fraction
    rank: int

    @property
    def stage(self) -> int:
        """The stage of a position, which moves with points make less."""
        return self.rank >> 16


def accepts(graph: ChanceGraph, claims: Mapping[Any, Claim], *, has_stages: bool) -> bool:
    """Return whether the certificate accepts a table.

    Args:
        graph: all states of the game.
        claims: what the table says of each position.
        has_stages: whether moves make points.
    """
    if has_stages and not _stages_fall(graph, claims):
        return False
    return all(_accepts_for(graph, claims, player) for player in (0, 1))


def _stages_fall(graph: ChanceGraph, claims: Mapping[Any, Claim]) -> bool:
    """Return whether no successor has a greater stage, and one after points a smaller stage."""
    for state in graph:
        stage = claims[state[0]].stage
        if any(claims[child[0]].stage > stage for child in graph.children(state)):
            return False
        steps = graph.steps.get(state, [])
        if any(step.gain and claims[step.child[0]].stage == stage for step in steps):
            return False
    return True


def _accepts_for(graph: ChanceGraph, claims: Mapping[Any, Claim], player: int) -> bool:
    """Return whether the bounds are proved lower bounds of what a player gets."""
    sign = 1 - 2 * player

    def low(state: State) -> Fraction:
        claim = claims[state[0]]
        return claim.lower if state[1] == player else -claim.upper

    if any(low(state) > sign * payoff for state, payoff in graph.ends.items()):
        return False
    for state, worth in graph.worth.items():
        level, rank = low(state), claims[state[0]].rank
        successors = graph.children(state)
        if state in graph.faces:
            after = [low(face.child) for face in graph.faces[state]]
            follows = sum(face.probability * low(face.child) for face in graph.faces[state])
        else:
            after = [sign * step.gain + low(step.child) for step in graph.steps[state]]
            follows = max(after) if state[1] == player else min(after)
        if level > follows:
            return False
        if level <= sign * worth:
            continue
        ahead = [
            bound > level or (bound == level and claims[child[0]].rank < rank)
            for bound, child in zip(after, successors, strict=True)
        ]
        needs_all = state in graph.steps and state[1] != player
        if not (all(ahead) if needs_all else any(ahead)):
            return False
    return True
