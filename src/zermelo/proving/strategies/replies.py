"""A strategy's moves and all replies to them, for many positions at once, by compiled rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo.values.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zermelo._compile.rules import CompiledRules

#: Positions that are expanded at once.
_BATCH = 1 << 13
#: Stands for no move.
NO_MOVE = (1 << 16) - 1

Keys = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Claim:
    """What a strategy vouches for.

    Attributes:
        mover: whether its player is the one to move in the first position; else the other one.
        least: what that player gets at least, by the values of the search.
        far: whether values tell how far away wins and losses are.
        great: what a win is worth at the end.
    """

    mover: bool
    least: int
    far: bool
    great: int


class WrongStrategyError(Exception):
    """A strategy does not get its player what it vouches for.

    Attributes:
        place: the words of the position where that shows.
        problem: what is wrong there, in a sentence.
    """

    def __init__(self, place: Keys, problem: str) -> None:
        """Note where, and what."""
        super().__init__(problem)
        self.place, self.problem = place, problem


@dataclass
class Expanded:
    """Positions with their moves.

    Attributes:
        keys: the packed positions, a row each.
        over: whether the game is over in each.
        worths: what it is worth there to the player to move, where it is.
        owners: whose turn it is in each; empty where the players strictly alternate.
        ends: for each, how many moves there are up to and with it.
        children: the packed position that each move leads to, a row each.
        gains: the points that each move makes; empty where no moves make any.
    """

    keys: Keys
    over: npt.NDArray[np.bool_]
    worths: Numbers
    owners: npt.NDArray[np.uint8]
    ends: Numbers
    children: Keys
    gains: Numbers

    @property
    def begins(self) -> Numbers:
        """For each position, how many moves those before it have."""
        return np.concatenate([[0], self.ends])[:-1]

    @property
    def origins(self) -> Numbers:
        """For each move, the row of the position that it is made in."""
        return np.repeat(np.arange(len(self.ends)), self.ends - self.begins)


@dataclass
class NextPositions:
    """Where play leads, and the values required there.

    Attributes:
        origins: for each arrival, the row of the position that it comes from; or which of some
            moves it comes by.
        keys: the packed position, a row each.
        asked: what the strategy's player is to get there at least.
        positions: positions that were looked at on the way.
        moves: moves that were followed.
    """

    origins: Numbers
    keys: Keys
    asked: Numbers
    positions: int
    moves: int


@dataclass
class MoveTargets:
    """Where some moves lead, and what the rules say of that.

    Attributes:
        known: 1 where the game is over, with as much as is asked; -1 where it is over with less, or
            too much is asked; else 0.
        keys: the packed position, a row each.
        turns: whose turn it is; of no meaning where the players strictly alternate.
        own: whether it is that of the strategy's player.
        asked: what that player is to get there at least.
    """

    known: npt.NDArray[np.int8]
    keys: Keys
    turns: npt.NDArray[np.uint8]
    own: npt.NDArray[np.bool_]
    asked: Numbers


class Replies:
    """Follows the moves of one player by a strategy, and all moves of the other.

    Where the players strictly alternate, it goes from one position of the strategy's player to the
    next, over the other player's replies. Else it goes from each position to the next.

    Attributes:
        compiled: the rules, folded as they were searched.
        claim: what the strategy vouches for.
        ordered: whether play must be seen to end: a number falls along it then.
    """

    def __init__(self, compiled: CompiledRules, owner: int, claim: Claim) -> None:
        """Take the rules, whose turn it is in the first position, and what is vouched for."""
        from zermelo._engine.expand.expander import CAPACITY, Buffers

        self.compiled, self.claim = compiled, claim
        self._player = owner if claim.mover else 1 - owner
        self._scored = compiled.kind.gains
        self._alternate = compiled.alternate
        self.ordered = self._scored or (claim.least > 0 and not claim.far)
        self.batch = limits.current().batch(_BATCH)
        self._buffers = Buffers.for_rules(compiled, self.batch, CAPACITY * self.batch)

    def expand(self, keys: Keys) -> Expanded:
        """Return positions with their moves.

        Args:
            keys: the packed positions, a row each; at most ``batch``.

        Raises:
            RulesError: a rule breaks the contract.
        """
        from zermelo._engine.expand.expander import run_expand

        kind, words, buffers = self.compiled.kind, self.compiled.words, self._buffers
        flat = np.ascontiguousarray(keys).reshape(-1)
        parts: list[tuple[npt.NDArray[np.generic], ...]] = []
        at = made = 0
        while at < len(keys) or not parts:
            done, some = run_expand(self.compiled, flat, at, len(keys), buffers)
            parts.append(
                (
                    buffers.values[:done].copy(),
                    buffers.owners[:done].copy(),
                    buffers.ends[:done].astype(np.int64) + made,
                    buffers.children[: some * words].copy(),
                    buffers.gains[: some if self._scored else 0].copy(),
                )
            )
            at, made = at + done, made + some
        codes, owners, ends, children, gains = (
            np.concatenate(each) for each in zip(*parts, strict=True)
        )
        worths = codes.astype(np.int64)
        if not self._scored:
            worths = kind.outcomes(codes) * np.int64(self.claim.great)
        over = codes == kind.unknown
        return Expanded(keys, ~over, worths, owners, ends, children.reshape(-1, words), gains)

    def own(self, expanded: Expanded) -> npt.NDArray[np.bool_]:
        """Return where the strategy's player is to move, of positions of a strategy."""
        if self._alternate:
            return np.ones(len(expanded.ends), np.bool_)
        own: npt.NDArray[np.bool_] = expanded.owners == self._player
        return own

    def check_over(self, expanded: Expanded, own: npt.NDArray[np.bool_], least: Numbers) -> None:
        """See that where the game is over, the player gets what is claimed.

        Raises:
            WrongStrategyError: in one position the player gets less.
        """
        worths = np.where(own, expanded.worths, -expanded.worths)
        short = np.flatnonzero(expanded.over & (worths < least))
        if len(short):
            row = short[0]
            had, wanted = self._said(int(worths[row])), self._said(int(least[row]))
            problem = f"the game ends with {had} there, not with {wanted} as claimed"
            raise WrongStrategyError(expanded.keys[row], problem)

    def onward(self, expanded: Expanded, moves: Numbers, least: Numbers) -> NextPositions:
        """Return where play comes to from positions of a strategy.

        Args:
            expanded: the positions; none in which the game is over.
            moves: the number of the strategy's move in each; of no meaning where it is the other
                player's turn.
            least: what is claimed in each.

        Raises:
            WrongStrategyError: there is no such move, or the game ends with less than is claimed.
            RulesError: a rule breaks the contract.
        """
        own = self.own(expanded)
        strange = np.flatnonzero(own & (moves >= expanded.ends - expanded.begins))
        if len(strange):
            row = strange[0]
            what = "has no move" if moves[row] == NO_MOVE else "goes where no move leads"
            raise WrongStrategyError(expanded.keys[row], f"the strategy {what} there")
        if own.all():
            edges = expanded.begins + moves
        else:
            origins = expanded.origins
            numbers = np.arange(len(origins)) - expanded.begins[origins]
            edges = np.flatnonzero(~own[origins] | (numbers == moves[origins]))
        arrivals = self.beyond(expanded, edges, own, least)
        arrivals.origins = np.searchsorted(expanded.ends, edges, "right")[arrivals.origins]
        return arrivals

    def beyond(
        self, expanded: Expanded, edges: Numbers, own: npt.NDArray[np.bool_], least: Numbers
    ) -> NextPositions:
        """Return where play comes to by some moves: after any reply, where the players alternate.

        Args:
            expanded: the positions in which they are made.
            edges: which of all moves there.
            own: where the strategy's player is to move.
            least: what is claimed in each position.

        Raises:
            WrongStrategyError: the game ends with less than is claimed.
            RulesError: a rule breaks the contract.
        """
        first = self.along(expanded, edges, own, least)
        if not self._alternate:
            return first
        parts, positions, followed = [], first.positions, first.moves
        for some in self.parts(len(first.keys)):
            answered = self.expand(first.keys[some])
            others, asked = np.zeros(len(answered.ends), np.bool_), first.asked[some]
            self.check_over(answered, others, asked)
            then = self.along(answered, np.arange(len(answered.children)), others, asked)
            origins = np.searchsorted(answered.ends, then.origins, "right")
            parts.append((first.origins[some][origins], then.keys, then.asked))
            positions += len(answered.ends)
            followed += then.moves
        if not parts:
            return first
        origins, keys, asked = (np.concatenate(each) for each in zip(*parts, strict=True))
        return NextPositions(origins, keys, asked, positions, followed)

    def along(
        self, expanded: Expanded, edges: Numbers, own: npt.NDArray[np.bool_], least: Numbers
    ) -> NextPositions:
        """Return where some moves lead, but for where nothing more is asked; see ``beyond``."""
        rows = np.searchsorted(expanded.ends, edges, "right")
        origins, asked = np.arange(len(edges)), least[rows]
        if self._scored:
            gains = expanded.gains[edges]
            asked = np.where(own[rows], asked - gains, asked + gains)
        elif self.claim.far:
            asked = asked + np.sign(asked)
        keys = expanded.children[edges]
        followed = len(edges)
        if not self._scored:  # whatever happens there, it is no worse
            open_ = asked > -self.claim.great
            origins, keys, asked = origins[open_], keys[open_], asked[open_]
        return NextPositions(origins, keys, asked, 0, followed)

    def led(
        self, expanded: Expanded, edges: Numbers, own: npt.NDArray[np.bool_], least: Numbers
    ) -> MoveTargets:
        """Return where some moves lead, and whether the game is over there; see ``beyond``."""
        count, great = len(edges), self.claim.great
        known, turns = np.ones(count, np.int8), np.zeros(count, np.uint8)
        mine, asked = np.zeros(count, np.bool_), np.zeros(count, np.int64)
        then = self.along(expanded, edges, own, least)  # of the others nothing more is asked
        asked[then.origins] = then.asked
        for some in self.parts(len(then.keys)):
            at, answered = then.origins[some], self.expand(then.keys[some])
            if not self._alternate:
                turns[at], mine[at] = answered.owners, self.own(answered)
            worths = np.where(mine[at], answered.worths, -answered.worths)
            known[at] = np.where(worths >= asked[at], 1, -1)
            known[at[~answered.over]] = 0
        known[(known == 0) & (np.abs(asked) > great)] = -1
        return MoveTargets(known, expanded.children[edges], turns, mine, asked)

    def first(self, packed: Keys) -> NextPositions:
        """Return where play comes to from the first position, which may be that position itself.

        Args:
            packed: its words.

        Raises:
            WrongStrategyError: the game ends with less than is claimed.
        """
        keys = packed.reshape(1, -1)
        least = np.array([self.claim.least])
        if self.claim.mover or not self._alternate:
            return NextPositions(np.zeros(1, np.int64), keys, least, 0, 0)
        answered = self.expand(keys)
        others = np.zeros(1, np.bool_)
        self.check_over(answered, others, least)
        then = self.along(answered, np.arange(len(answered.children)), others, least)
        then.positions = 1
        return then

    def parts(self, count: int) -> Iterator[slice]:
        """Yield slices of ``count`` positions, each to be expanded at once."""
        for begin in range(0, count, self.batch):
            yield slice(begin, min(begin + self.batch, count))

    def _said(self, worth: int) -> str:
        """Return a value in words, as the strategy's player sees it."""
        if self._scored:
            return f"a score of {worth:+d}"
        if self.claim.far and 0 < worth < self.claim.great:
            return f"a win within {self.claim.great - worth} plies"
        return f"a {Outcome((worth > 0) - (worth < 0))}"
