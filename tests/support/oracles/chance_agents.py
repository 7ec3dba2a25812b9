"""An agent measured on a game with chance, by following every line of play in plain Python.

It knows a game by the hooks its author wrote and by exact values of the oracle, and shares no code
with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from support.oracles import expectations


class ChanceMeasure:
    """A game with the exact values of its positions, and what moves give away."""

    def __init__(self, game: Any) -> None:
        """Solve the game exactly."""
        self.graph = expectations.explore(game)
        self.table = expectations.solve(game)
        self.is_scored = hasattr(game, "gain") or hasattr(game, "score")
        starts = game.starts() if hasattr(game, "starts") else [game.start()]
        turn = getattr(game, "turn", lambda _: 0)
        self.starts = list(dict.fromkeys((start, turn(start)) for start in starts))

    def worths(self, state: Any) -> list[Fraction]:
        """Return the value of each move in a state for the player who makes it."""
        sign = 1 - 2 * state[1]
        values = []
        for step in self.graph.steps[state]:
            child, mover = step.child
            values.append(sign * (step.gain + (1 - 2 * mover) * self.table[child]))
        return values

    def best(self, state: Any) -> list[Any]:
        """Return the moves that keep the value of a state."""
        worths = self.worths(state)
        pairs = zip(self.graph.steps[state], worths, strict=True)
        return [step for step, worth in pairs if worth == max(worths)]

    def regret(self, state: Any, step: Any) -> float:
        """Return what a move gives away: probability of a win, or points."""
        worths = self.worths(state)
        lost = max(worths) - worths[self.graph.steps[state].index(step)]
        return float(lost if self.is_scored else lost / 2)

    def positions(self) -> dict[Any, Any]:
        """Return a state of each position in which a player moves."""
        return {state[0]: state for state in self.graph.steps}

    def games(
        self, agent: Callable[[Any], Any], *, perfect: bool, player: int, longest: int
    ) -> dict[str, float]:
        """Return how an agent's games end, and what its moves give away.

        Args:
            agent: returns a move for a position.
            perfect: whether the other player chooses among the best moves, or among all.
            player: the player that the agent is.
            longest: the decisions, those of chance included, after which games are broken off.
        """
        sums: Counter[str] = Counter()
        states: dict[Any, float] = {(s, 0, False): 1 / len(self.starts) for s in self.starts}
        for ply in range(longest):
            next_states: Counter[Any] = Counter()
            for (state, margin, is_spoiled), mass in states.items():
                if state in self.graph.ends:
                    total = margin + self.graph.ends[state]
                    result = total if player == 0 else -total
                    sums["win" if result > 0 else "loss" if result < 0 else "draw"] += mass
                    sums["margin"] += mass * result
                    sums["length"] += mass * ply
                    sums["spoiled"] += mass * is_spoiled
                elif state in self.graph.faces:
                    for face in self.graph.faces[state]:
                        share = mass * float(face.probability)
                        next_states[face.child, margin, is_spoiled] += share
                elif state[1] == player:
                    move = agent(state[0])
                    step = next(s for s in self.graph.steps[state] if s.move == move)
                    regret = self.regret(state, step)
                    sums["moves"] += mass
                    sums["regret"] += mass * regret
                    sums["perfect"] += mass * (regret == 0)
                    after = step.child, margin + step.gain, is_spoiled or regret > 0
                    next_states[after] += mass
                else:
                    steps = self.best(state) if perfect else self.graph.steps[state]
                    for step in steps:
                        after = step.child, margin + step.gain, is_spoiled
                        next_states[after] += mass / len(steps)
            states = next_states
        sums["unfinished"] = sum(states.values())
        sums["spoiled"] += sum(m for (_, _, is_spoiled), m in states.items() if is_spoiled)
        return sums
