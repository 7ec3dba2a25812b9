"""The check of a strategy: each position is compared with the positions that play reaches next.

It uses nothing of the search. The value that the strategy's player must get is propagated along
each move, and compared with the value claimed in the next position, or with the rules if the game
ends. If endless play would not satisfy the claim, a number stored with each position must decrease
along all play. So each position is checked separately, and the others need not be in memory.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import RulesError
from zermelo.proving.strategies.component_check import ComponentCheck
from zermelo.proving.strategies.component_strategy import ComponentStrategy
from zermelo.proving.strategies.replies import (
    NO_MOVE,
    Keys,
    NextPositions,
    Numbers,
    Replies,
    WrongStrategyError,
)
from zermelo.proving.strategies.strategy import canonical_words
from zermelo.values.results import Verification

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo.progress import Reporter
    from zermelo.proving.strategies.strategy import Strategy

#: Positions of a strategy that are also checked with the rules in Python.
_SAMPLE = 500


@dataclass
class StrategyCheck:
    """The result of the check of a strategy.

    Attributes:
        positions: the number of positions checked.
        moves: the number of moves followed.
        problem: a sentence on the first problem, or None.
        place: the words of the position that has it, or None.
    """

    positions: int = 0
    moves: int = 0
    problem: str | None = None
    place: Keys | None = None


def check_strategies(
    compiled: CompiledRules,
    packed: Keys,
    owner: int,
    strategies: Iterable[Strategy],
    report: Reporter,
    began: float,
) -> Verification:
    """Check strategies one after the other, up to the first problem.

    Args:
        compiled: the rules, canonicalising as they were searched.
        packed: the words of the root position.
        owner: the player to move there.
        strategies: the strategies.
        report: receives the number of positions from time to time.
        began: the time (``time.perf_counter``) when the check began.
    """
    positions = moves = 0
    problem = place = None
    for strategy in strategies:
        try:
            with report.phase("verify"):
                result = check_strategy(compiled, packed, owner, strategy, report.advance)
        except RulesError as error:  # a search has asked the rules about all that can be reached
            problem = f"it has a position that cannot be reached, at which the rules fail: {error}"
            break
        positions, moves = positions + result.positions, moves + result.moves
        if result.place is not None:
            place = compiled.rules.layout.unpack(result.place)
            problem = f"at {place!r}: {result.problem}"
            break
    return Verification(
        ok=problem is None,
        positions=positions,
        moves=moves,
        problem=problem,
        seconds=time.perf_counter() - began,
        position=place,
    )


def check_strategy(
    compiled: CompiledRules,
    packed: Keys,
    owner: int,
    strategy: Strategy,
    advance: Callable[[int], None],
) -> StrategyCheck:
    """Check a strategy against all replies, by the rules alone.

    All positions are checked with the compiled rules, and a sample of them with the rules in
    Python.

    Args:
        compiled: the rules, canonicalising as they were searched.
        packed: the words of the root position.
        owner: the player to move there.
        strategy: the strategy.
        advance: called with the number of positions from time to time.

    Returns:
        The result, up to the first problem.

    Raises:
        RulesError: a rule breaks the contract.
    """
    if isinstance(strategy, ComponentStrategy):
        return _check_component_strategy(compiled, packed, strategy, advance)
    compiled_check = _CompiledCheck(compiled, owner, strategy)
    result = compiled_check.result
    try:
        compiled_check.run(packed, advance)
        _PythonCheck(compiled, owner, strategy).run()
    except WrongStrategyError as wrong:
        result.problem, result.place = wrong.problem, wrong.place
    return result


def _check_component_strategy(
    compiled: CompiledRules,
    packed: Keys,
    strategy: ComponentStrategy,
    advance: Callable[[int], None],
) -> StrategyCheck:
    """Check a strategy by components."""
    check, result = ComponentCheck(compiled, strategy), StrategyCheck()
    try:
        check.run(packed, advance)
    except WrongStrategyError as wrong:
        result.problem, result.place = wrong.problem, wrong.place
    result.positions, result.moves = check.positions, check.moves
    return result


class _CompiledCheck:
    """The check of a strategy with compiled rules, in batches."""

    def __init__(self, compiled: CompiledRules, owner: int, strategy: Strategy) -> None:
        self._strategy = strategy
        self._replies = Replies(compiled, owner, strategy.claim)
        self.result = StrategyCheck()

    def run(self, packed: Keys, advance: Callable[[int], None]) -> None:
        """Check the root position and each position of the strategy."""
        strategy, replies, result = self._strategy, self._replies, self.result
        _check_claims(strategy, packed, ordered=replies.ordered)
        self._compare(replies.first_positions(packed), None)
        for part in replies.batches(len(strategy.moves)):
            expanded = replies.expand(strategy.rows[part])
            least = strategy.least[part].astype(np.int64)
            replies.check_over(expanded, replies.is_own_turn(expanded), least)
            if expanded.over.any():
                row = int(expanded.over.argmax())
                raise WrongStrategyError(expanded.keys[row], "the game is over there")
            result.positions += len(least)
            arrivals = replies.after_moves(expanded, strategy.moves[part].astype(np.int64), least)
            ranks = strategy.ranks[part].astype(np.int64) if replies.ordered else None
            self._compare(arrivals, ranks)
            advance(result.positions)

    def _compare(self, arrivals: NextPositions, ranks: Numbers | None) -> None:
        """Compare the values required in the positions that play reaches with those claimed there.

        Args:
            arrivals: these positions and values.
            ranks: the ranks of the positions before, if ranks must decrease.
        """
        strategy, replies, result = self._strategy, self._replies, self.result
        result.positions += arrivals.positions
        result.moves += arrivals.moves
        places = strategy.places(arrivals.keys)
        known = np.flatnonzero(places >= 0)
        too_low = np.flatnonzero(strategy.least[places[known]] < arrivals.required[known])
        if len(too_low):
            message = "the strategy claims less there than where play comes from"
            raise WrongStrategyError(arrivals.keys[known[too_low[0]]], message)
        if ranks is not None:
            next_ranks = strategy.ranks[places[known]]
            not_falling = np.flatnonzero(next_ranks >= ranks[arrivals.origins[known]])
            if len(not_falling):
                place = arrivals.keys[known[not_falling[0]]]
                raise WrongStrategyError(place, "play by the strategy can go round for ever")
        unknown = np.flatnonzero(places < 0)
        for part in replies.batches(len(unknown)):
            rows = unknown[part]
            ends = replies.expand(arrivals.keys[rows])
            replies.check_over(ends, replies.is_own_turn(ends), arrivals.required[rows])
            result.positions += len(rows)
            if not ends.over.all():
                row = int(ends.over.argmin())
                raise WrongStrategyError(ends.keys[row], "the strategy has no move there")


def _check_claims(strategy: Strategy, packed: Keys, *, ordered: bool) -> None:
    """Check that a strategy's arrays are consistent, so that decreasing ranks and claims are valid.

    Raises:
        WrongStrategyError: they are not.
    """
    claim, count = strategy.claim, len(strategy.moves)
    if len(strategy.least) != count or (ordered and len(strategy.ranks) != count):
        raise WrongStrategyError(packed, "the strategy does not say enough of each position")
    # Without points or plies a claim does not change along play, and play that is not shown to
    # end is no win.
    most = claim.win_value if claim.with_distance or strategy.has_scores else claim.least
    if strategy.least.max(initial=-claim.win_value) > most or claim.least > claim.win_value:
        row = int(strategy.least.argmax()) if count else 0
        place = strategy.rows[row] if count else packed
        raise WrongStrategyError(place, "the strategy claims more there than there can be")


class _PythonCheck:
    """The check of a sample of a strategy's positions with the rules in Python."""

    def __init__(self, compiled: CompiledRules, owner: int, strategy: Strategy) -> None:
        self._compiled, self._rules, self._strategy = compiled, compiled.rules, strategy
        self._claim = strategy.claim
        self._player = owner if strategy.claim.mover else 1 - owner
        self._scored = compiled.kind.gains

    def run(self) -> None:
        """Check a sample of the positions, or all if there are few."""
        strategy = self._strategy
        count = len(strategy.moves)
        generator = random.Random(count)  # noqa: S311  # which are looked at is no secret
        for place in sorted(generator.sample(range(count), min(_SAMPLE, count))):
            position = self._rules.layout.unpack(strategy.rows[place])
            rank = int(strategy.ranks[place]) if len(strategy.ranks) else None
            number = int(strategy.moves[place])
            self._follow_moves(position, number, int(strategy.least[place]), rank)

    def _follow_moves(self, position: Any, number: int, least: int, rank: int | None) -> None:
        """Follow the strategy's move, or all replies, from one of its positions."""
        rules = self._rules
        moves = rules.moves(position)
        is_own = rules.alternate or rules.owner(position) == self._player
        if is_own and number >= len(moves):
            problem = "has no move" if number == NO_MOVE else "goes where no move leads"
            raise WrongStrategyError(self._words(position), f"the strategy {problem} there")
        for move in [moves[number]] if is_own else moves:
            child = rules.play(position, move)
            gain = rules.gain(position, move) if self._scored else 0
            required = self._value_after_ply(least - gain if is_own else least + gain)
            if not rules.alternate:
                self._compare(child, required, rank)
            elif not self._is_over(child, required, own=False):
                for reply in rules.moves(child):
                    gain = rules.gain(child, reply) if self._scored else 0
                    self._compare(
                        rules.play(child, reply), self._value_after_ply(required + gain), rank
                    )

    def _compare(self, position: Any, required: int, rank: int | None) -> None:
        """Compare the value required in a position with the one claimed there."""
        rules, strategy = self._rules, self._strategy
        if not self._scored and required <= -self._claim.win_value:
            return
        is_own = rules.alternate or rules.owner(position) == self._player
        if self._is_over(position, required, own=is_own):
            return
        place = strategy.place(position)
        if place is None:
            raise WrongStrategyError(self._words(position), "the strategy has no move there")
        rank_falls = rank is None or strategy.ranks[place] < rank
        if strategy.least[place] < required or not rank_falls:
            message = "the strategy does not get there what is claimed before"
            raise WrongStrategyError(self._words(position), message)

    def _is_over(self, position: Any, required: int, *, own: bool) -> bool:
        """Whether the game is over; if it is, check that the player gets ``required``."""
        rules = self._rules
        outcome = rules.terminal(position)
        if outcome is None and rules.moves(position):
            return False
        if self._scored:
            value = rules.final_score(position)
        else:
            value = int(rules.no_moves if outcome is None else outcome) * self._claim.win_value
        if (value if own else -value) < required:
            message = "the game ends with less there than is claimed"
            raise WrongStrategyError(self._words(position), message)
        return True

    def _value_after_ply(self, least: int) -> int:
        """Return the value that must be claimed a ply later."""
        return least + (least > 0) - (least < 0) if self._claim.with_distance else least

    def _words(self, position: Any) -> Keys:
        return canonical_words(self._compiled, position)
