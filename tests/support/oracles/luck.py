"""What ways of playing a game with chance come to, by linear equations over the oracle's graph.

Nothing here is shared with the engine: values are exact fractions, and sums over a game are the
solution of one equation for each state from which an end can be reached.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from support.oracles import expectations


class Branch(NamedTuple):
    """A move or a result of chance: its probability, where it leads, and what it adds to sums."""

    probability: float
    child: Any
    gain: int = 0  # points of the first player
    rolls: int = 0
    swing: float = 0.0
    lost: float = 0.0
    decisions: int = 0


def branches(game: Any, percent: int) -> tuple[Any, dict[Any, list[Branch]]]:
    """Return the graph of a game, and the branches of each state that is not terminal.

    Args:
        game: the game.
        percent: the percentage of moves that are made at random; the others are best.
    """
    graph, table = expectations.explore(game), expectations.solve(game)

    def value(state: Any) -> Fraction:
        """Return the value of a state for the first player."""
        return (1 - 2 * state[1]) * table[state[0]]

    ways: dict[Any, list[Branch]] = {}
    for state, faces in graph.faces.items():
        ways[state] = [
            Branch(float(p), child, rolls=1, swing=float(abs(value(child) - value(state))))
            for p, child in faces
        ]
    for state, steps in graph.steps.items():
        sign = 1 - 2 * state[1]
        worths = [sign * (step.gain + value(step.child)) for step in steps]
        best = max(worths)
        share = Fraction(percent, 100 * len(steps))
        best_share = Fraction(100 - percent, 100 * worths.count(best))
        ways[state] = [
            Branch(
                float(share + best_share * (worth == best)),
                step.child,
                step.gain,
                lost=float(best - worth),
                decisions=int(min(worths) < best),
            )
            for step, worth in zip(steps, worths, strict=True)
        ]
    return graph, ways


class PlayChain:
    """The Markov chain of one way of playing, and the states from which an end can be reached."""

    def __init__(self, game: Any, percent: int) -> None:
        """Write down the equations."""
        self.graph, self.ways = branches(game, percent)
        finite = set(self.graph.ends)
        while new_states := {
            state
            for state, row in self.ways.items()
            if state not in finite and any(b.probability and b.child in finite for b in row)
        }:
            finite |= new_states
        self.inner = [state for state in self.ways if state in finite]
        self.index = {state: n for n, state in enumerate(self.inner)}
        self.matrix = np.eye(len(self.inner))
        for state in self.inner:
            for branch in self.ways[state]:
                if branch.child in self.index:
                    place = self.index[state], self.index[branch.child]
                    self.matrix[place] -= branch.probability

    def sums(self, end: Callable[[Any], Any], reward: Callable[[Branch], Any]) -> dict[Any, float]:
        """Return for each state the expected sum of rewards on the way and of one for the end."""
        constants = np.zeros(len(self.inner))
        for state in self.inner:
            for branch in self.ways[state]:
                final = end(branch.child) if branch.child in self.graph.ends else 0
                constants[self.index[state]] += branch.probability * (reward(branch) + final)
        solution = np.linalg.solve(self.matrix, constants).tolist()
        sums = dict.fromkeys(self.ways, 0.0) | {s: float(end(s)) for s in self.graph.ends}
        return sums | dict(zip(self.inner, solution, strict=True))


def play_from_start(game: Any, percent: int) -> dict[str, float]:
    """Return what one way of playing comes to from the start, for the player to move there."""
    chain = PlayChain(game, percent)
    ends, start = chain.graph.ends, game.start()
    first = start, game.turn(start) if hasattr(game, "turn") else 0
    sign = 1 - 2 * first[1]
    over = chain.sums(lambda _: 1, lambda _: 0)
    margins = chain.sums(lambda state: ends[state], lambda b: b.gain * over[b.child])
    results = {
        "over": over[first],
        "margin": sign * margins[first],
        "length": chain.sums(lambda _: 0, lambda b: over[b.child])[first],
    }
    for name, number in (("win", 1), ("draw", 0), ("loss", -1)):
        shares = chain.sums(lambda s, n=number: sign * ends[s] == n, lambda _: 0)
        results[name] = shares[first]
    for name in ("rolls", "swing", "lost", "decisions"):
        sums = chain.sums(lambda _: 0, lambda b, n=name: getattr(b, n) * over[b.child])
        results[name] = sums[first]
    return results
