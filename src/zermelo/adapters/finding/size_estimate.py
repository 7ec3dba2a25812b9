"""An early estimate of the number of a game's positions, by random games played side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import numpy as np

from zermelo._engine.expand.birthday_bound import bound_of, games_for
from zermelo.adapters.finding.states import StateSource, states_after
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

#: The number of positions found when the first sample is drawn, and the factor to the next one.
_FIRST_SAMPLE, _GROWTH = 1 << 14, 4
#: The positions found per game of a sample, and per move made in it.
_POSITIONS_PER_GAME, _POSITIONS_PER_MOVE = 8, 2


@dataclass
class SizeEstimate:
    """Samples drawn while positions are found, to refuse too large games early.

    Attributes:
        source: the game.
        key: the number of the key by which positions are distinguished.
        max_positions: the largest number of positions to find.
        report: receives a lower bound of the number of positions.
        due: the number of positions found when the next sample is drawn.
    """

    source: StateSource
    key: int
    max_positions: int
    report: Reporter
    due: int = _FIRST_SAMPLE

    def sample_if_due(self, found_count: int) -> None:
        """Draw a sample if one is due.

        Args:
            found_count: the number of positions found so far.

        Raises:
            BudgetError: there are more positions than the limit.
        """
        if found_count < self.due:
            return
        self.due = _GROWTH * found_count
        games = min(found_count // _POSITIONS_PER_GAME, games_for(self.max_positions))
        bound = self._lower_bound(games, found_count // _POSITIONS_PER_MOVE)
        self.report.expect(bound)
        if bound > self.max_positions:
            message = (
                f"{self.source.name!r} has at least {bound:,} positions, by a sample of {games:,} "
                f"random games, and {self.max_positions:,} are the most that are looked for; "
                "choose a smaller game, begin later in it, or raise max_positions"
            )
            raise BudgetError(message, bound, self.max_positions)

    def _lower_bound(self, games: int, moves: int) -> int:
        """Return a lower bound of the number of positions, which fails with small probability.

        Args:
            games: the number of random games to play.
            moves: the approximate number of moves to make in all.
        """
        source, chance = self.source, Random(0)  # noqa: S311  # not for secrets
        states, bound, are_shared = source.select(source.start(), [0] * games), 1, True
        while moves > 0 and bound <= self.max_positions:
            legal = [moves_of_state[1] for moves_of_state in source.facts(states)]
            live = [i for i, moves_of_state in enumerate(legal) if moves_of_state]
            if len(live) <= 1:
                break
            moves -= len(live)
            chosen = [chance.choice(legal[i]) for i in live]
            states = states_after(source, states, live, chosen, are_shared=are_shared)
            are_shared = False
            key_counts = Counter(source.state_keys(states, self.key))
            bound = max(bound, bound_of(np.array(list(key_counts.values()), np.int64)))
        return bound
