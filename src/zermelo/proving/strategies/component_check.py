"""The check of a strategy by components: every claim follows from others, by the rules alone.

It uses nothing of the search. The claims about the components of the root position must imply its
value. Every claim is checked with the compiled rules, and a sample with the rules in Python. In
addition, whole positions are checked whose components are all in the strategy: their moves must
give the value that their components give, so that ``split`` is checked too.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.proving.strategies.component_strategy import ComponentStrategy, outcomes_of
from zermelo.proving.strategies.replies import Keys, Numbers, WrongStrategyError
from zermelo.proving.strategies.strategy import canonical_words

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules

#: Components that are checked in one batch, and the capacity for children of each.
_BATCH, _CHILDREN = 1 << 11, 24
#: Components that are checked with the rules in Python; games that are played by the strategy, and
#: further whole positions that are checked.
_SAMPLE, _GAMES, _WHOLE_POSITIONS = 100, 20, 300


class ComponentCheck:
    """The check of a strategy by components.

    Attributes:
        positions: the number of components and positions checked.
        moves: the number of their moves.
    """

    def __init__(self, compiled: CompiledRules, strategy: ComponentStrategy) -> None:
        """Create the check of a strategy."""
        self._compiled, self._strategy = compiled, strategy
        self._rules, self._words = compiled.rules, compiled.words
        self.positions = self.moves = 0

    def run(self, packed: Keys, advance: Callable[[int], None]) -> None:
        """Check the strategy.

        Args:
            packed: the words of the root position.
            advance: called with the number of components from time to time.

        Raises:
            WrongStrategyError: a claim does not follow.
            RulesError: a rule breaks the contract.
        """
        strategy = self._strategy
        if len(strategy.ranks) != len(strategy.least):
            raise WrongStrategyError(packed, "the strategy does not say enough of each component")
        self._check_first(packed)
        for begin in range(0, len(strategy.least), _BATCH):
            part = slice(begin, begin + _BATCH)
            rows, codes = strategy.rows[part], strategy.least[part].astype(np.int64)
            self._check_claims(rows, codes, strategy.ranks[part].astype(np.int64), whole=False)
            advance(self.positions)
        generator = random.Random(len(strategy.least))  # noqa: S311  # which ones is no secret
        self._check_sample(generator)
        rows = self._whole_positions(packed, generator)
        sums = strategy.sum_codes(rows)
        has_nimber = sums >= 0
        top = np.full(int(has_nimber.sum()), np.iinfo(np.int64).max)
        self._check_claims(rows[has_nimber], sums[has_nimber], top, whole=True)

    def _check_first(self, packed: Keys) -> None:
        """Check that the components of the root position imply the claimed value."""
        claim = self._strategy.claim
        codes = self._strategy.sum_codes(packed.reshape(1, -1))
        low, high = outcomes_of(codes)
        if claim.nimber not in (None, int(codes[0])):
            raise WrongStrategyError(packed, "its components do not have the claimed nimber")
        if claim.with_distance or claim.least != 1 or (low[0] if claim.mover else -high[0]) < 1:
            raise WrongStrategyError(packed, "the nimbers of its components do not say who wins")

    def _check_claims(self, rows: Keys, codes: Numbers, ranks: Numbers, *, whole: bool) -> None:
        """Check that claims about positions follow from those about their children.

        Args:
            rows: the packed positions.
            codes: the codes of the claims.
            ranks: the ranks of the claims, which must be greater than those of the children's.
            whole: whether ``split`` is to blame if a claim does not follow.
        """
        from zermelo._engine.certificate.claims import (
            ABSENT,
            REACHED,
            RIGHT,
            UNREACHED,
            check_claims,
        )
        from zermelo._engine.expand.expander import Buffers, expanded_parts

        parts = self._strategy.parts
        flat = np.ascontiguousarray(rows).reshape(-1)
        buffers = Buffers.for_rules(parts, _BATCH, _CHILDREN * _BATCH)
        for part in expanded_parts(parts, flat, len(rows), buffers, _BATCH):
            ends, gains = part.ends.copy(), part.gains.copy()
            has_claim, child_codes, child_ranks = self._strategy.claims_for(part.children.copy())
            rows_of_part = slice(part.begin, part.end)
            fault, row = check_claims(
                ends,
                gains,
                codes[rows_of_part],
                ranks[rows_of_part],
                has_claim,
                child_codes,
                child_ranks,
            )
            if fault != RIGHT:
                problem = {
                    ABSENT: "a move leads to components of which the strategy does not say enough",
                    REACHED: "a move leads to the nimber that is claimed",
                    UNREACHED: "no move is seen to lead to a number that the claim needs",
                }[fault]
                position = rows[part.begin + int(row)]
                if whole:
                    problem += self._contradiction_text(position)
                raise WrongStrategyError(position, problem)
            self.positions += part.end - part.begin
            self.moves += int(gains.sum())

    def _contradiction_text(self, words: Keys) -> str:
        """Return the end of the message if a position's components contradict its value."""
        position = self._rules.layout.unpack(words)
        parts = self._rules.split(position)
        return (
            f", though its components {parts!r} are known; let split() put what one move can "
            "change or prevent into one component"
        )

    # -- by the rules in Python -----------------------------------------------------------------

    def _check_sample(self, generator: random.Random) -> None:
        """Check a sample of components, or all if there are few, with the rules in Python."""
        strategy, layout = self._strategy, self._rules.layout
        count = len(strategy.least)
        for place in sorted(generator.sample(range(count), min(_SAMPLE, count))):
            position, code = layout.unpack(strategy.rows[place]), int(strategy.least[place])
            rank, reached = int(strategy.ranks[place]), set()
            for move in self._rules.moves(position):
                child_nimber = self._component_nimber(self._rules.play(position, move), rank)
                if isinstance(child_nimber, int):
                    reached.add(child_nimber)
                if code >= 0 and (
                    child_nimber == code
                    if isinstance(child_nimber, int)
                    else code not in child_nimber
                ):
                    message = "by the rules in Python, a move does not lead to what is claimed"
                    raise WrongStrategyError(strategy.rows[place], message)
            needed = range(code) if code >= 0 else _bits(-1 - code)
            if not reached.issuperset(needed):
                message = "by the rules in Python, no move leads to a number that the claim needs"
                raise WrongStrategyError(strategy.rows[place], message)

    def _component_nimber(self, position: Any, rank: int) -> int | set[int]:
        """Return a position's nimber by claims of lower rank, or numbers that it is not."""
        strategy, rules = self._strategy, self._rules
        total = 0
        inexact: list[int] = []
        for part in rules.split(position) or [position]:
            place = strategy.place(part)
            if place is None and not rules.moves(part):
                continue
            if place is None or strategy.ranks[place] >= rank:
                return set()
            code = int(strategy.least[place])
            total ^= max(code, 0)
            inexact += [code] if code < 0 else []
        if not inexact:
            return total
        return set() if len(inexact) > 1 else {n ^ total for n in _bits(-1 - inexact[0])}

    # -- whole positions ------------------------------------------------------------------------

    def _whole_positions(self, packed: Keys, generator: random.Random) -> Keys:
        """Return some whole positions: of games by the strategy, and children of components."""
        rules, strategy, layout = self._rules, self._strategy, self._rules.layout
        packed_positions = {packed.tobytes()}
        for _ in range(_GAMES):
            position, is_own = layout.unpack(packed), strategy.claim.mover
            while moves := rules.moves(position):
                move = strategy.get(position) if is_own else generator.choice(moves)
                if move is None:
                    place = canonical_words(self._compiled, position)
                    raise WrongStrategyError(place, "the strategy has no move there")
                position, is_own = rules.play(position, move), not is_own
                packed_positions.add(np.array(layout.pack(position), np.uint64).tobytes())
        count = len(strategy.least)
        for number in generator.sample(range(count), min(_WHOLE_POSITIONS, count)):
            position = layout.unpack(strategy.rows[number])
            if moves := rules.moves(position):
                child = rules.play(position, generator.choice(moves))
                packed_positions.add(np.array(layout.pack(child), np.uint64).tobytes())
        rows = np.frombuffer(b"".join(sorted(packed_positions)), np.uint64)
        return rows.reshape(-1, self._words).copy()


def _bits(mask: int) -> list[int]:
    return [n for n in range(mask.bit_length()) if mask >> n & 1]
