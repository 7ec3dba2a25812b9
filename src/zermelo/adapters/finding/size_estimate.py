"""An early estimate of how many positions a game has, by random games played side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import numpy as np

from zermelo._engine.expand.birthday_bound import bound_of, games_for
from zermelo.adapters.finding.states import StateSource
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

#: The positions found when a sample is drawn for the first time, and how many times as many when it
#: is drawn again.
_FIRST, _AGAIN = 1 << 14, 4
#: The positions found for each game of a sample, and for each move made in it.
_A_GAME, _A_MOVE = 8, 2


@dataclass
class SizeEstimate:
    """Samples drawn while positions are found, to refuse early what is too large.

    Attributes:
        source: the game.
        key: which of its keys tells positions apart.
        limit: the most positions to find.
        report: is told how many positions there are at least.
        due: how many positions are found when the next sample is drawn.
    """

    source: StateSource
    key: int
    limit: int
    report: Reporter
    due: int = _FIRST

    def look(self, known: int) -> None:
        """Draw a sample if one is due.

        Args:
            known: how many positions have been found.

        Raises:
            BudgetError: there are more positions than the limit.
        """
        if known < self.due:
            return
        self.due = _AGAIN * known
        games = min(known // _A_GAME, games_for(self.limit))
        least = self._at_least(games, known // _A_MOVE)
        self.report.expect(least)
        if least > self.limit:
            message = (
                f"{self.source.name!r} has at least {least:,} positions, by a sample of {games:,} "
                f"random games, and {self.limit:,} are the most that are looked for; choose a "
                "smaller game, begin later in it, or give a greater limit"
            )
            raise BudgetError(message, least, self.limit)

    def _at_least(self, games: int, moves: int) -> int:
        """Return a number of positions below which there are not, but for a small probability.

        Args:
            games: how many random games to play.
            moves: about how many moves to make in all.
        """
        source, chance = self.source, Random(0)  # noqa: S311  # not for secrets
        states, best = source.chosen(source.start(), [0] * games), 1
        while moves > 0 and best <= self.limit:
            legal = [each[1] for each in source.facts(states)]
            on = [i for i, each in enumerate(legal) if each]
            if len(on) <= 1:
                break
            moves -= len(on)
            states = source.after(states, on, [chance.choice(legal[i]) for i in on])
            met = Counter(source.of_key(states, self.key))
            best = max(best, bound_of(np.array(list(met.values()), np.int64)))
        return best
