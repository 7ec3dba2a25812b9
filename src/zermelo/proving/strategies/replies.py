"""A strategy's moves and all replies to them, for batches of positions, by compiled rules."""

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

#: Positions that are expanded in one batch.
_BATCH = 1 << 13
#: The code for no move.
NO_MOVE = (1 << 16) - 1

Keys = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Claim:
    """The claim of a strategy.

    Attributes:
        mover: whether its player is to move in the root position; else the other player.
        least: the value that this player gets at least, in the values of the search.
        with_distance: whether values include the distance to a win or a loss.
        win_value: the value of an immediate win.
        nimber: the nimber of the root position, if a strategy by components proves it.
    """

    mover: bool
    least: int
    with_distance: bool
    win_value: int
    nimber: int | None = None


def nimber_claim(nimber: int) -> Claim:
    """Return the claim that the root position has a nimber, of the player who wins there."""
    return Claim(mover=nimber > 0, least=1, with_distance=False, win_value=1, nimber=nimber)


class WrongStrategyError(Exception):
    """A strategy does not secure its claim.

    Attributes:
        place: the words of the position that shows this.
        problem: a sentence on the problem there.
    """

    def __init__(self, place: Keys, problem: str) -> None:
        """Store the position and the problem."""
        super().__init__(problem)
        self.place, self.problem = place, problem


@dataclass
class Expanded:
    """Positions with their moves.

    Attributes:
        keys: the packed positions, a row each.
        over: whether each is terminal.
        terminal_values: the values of terminal positions for the player to move.
        owners: the player to move in each; empty if the players strictly alternate.
        ends: the cumulative number of moves up to and with each.
        children: the packed child of each move, a row each.
        gains: the points of each move; empty if moves make none.
    """

    keys: Keys
    over: npt.NDArray[np.bool_]
    terminal_values: Numbers
    owners: npt.NDArray[np.uint8]
    ends: Numbers
    children: Keys
    gains: Numbers

    @property
    def begins(self) -> Numbers:
        """The index of the first move of each position."""
        return np.concatenate([[0], self.ends])[:-1]

    @property
    def origins(self) -> Numbers:
        """The row of the parent of each move."""
        return np.repeat(np.arange(len(self.ends)), self.ends - self.begins)


@dataclass
class NextPositions:
    """The positions that play reaches, and the values required there.

    Attributes:
        origins: for each, the row of the position before; or the index of the move.
        keys: the packed positions, a row each.
        required: the value that the strategy's player must get there.
        positions: positions expanded on the way.
        moves: moves followed.
    """

    origins: Numbers
    keys: Keys
    required: Numbers
    positions: int
    moves: int


@dataclass
class MoveTargets:
    """The children of some moves, and the verdict of the rules.

    Attributes:
        known: 1 if the child is terminal and secures ``required``; -1 if it is terminal and does
            not, or ``required`` is too great; else 0.
        keys: the packed children, a row each.
        turns: the player to move; arbitrary if the players strictly alternate.
        own: whether this is the strategy's player.
        required: the value that this player must get there.
    """

    known: npt.NDArray[np.int8]
    keys: Keys
    turns: npt.NDArray[np.uint8]
    own: npt.NDArray[np.bool_]
    required: Numbers


class Replies:
    """The moves of one player by a strategy, and all moves of the other.

    If the players strictly alternate, a step leads from one position of the strategy's player to
    the next, over the other player's replies. Else it leads from each position to the next.

    Attributes:
        compiled: the rules, canonicalising as they were searched.
        claim: the claim of the strategy.
        ordered: whether play must be shown to end, by decreasing ranks.
    """

    def __init__(self, compiled: CompiledRules, owner: int, claim: Claim) -> None:
        """Store the rules, the player to move in the root position, and the claim."""
        from zermelo._engine.expand.expander import CAPACITY, Buffers

        self.compiled, self.claim = compiled, claim
        self._player = owner if claim.mover else 1 - owner
        self._scored = compiled.kind.gains
        self._alternate = compiled.alternate
        self.ordered = self._scored or (claim.least > 0 and not claim.with_distance)
        self.batch = limits.current().batch(_BATCH)
        self._buffers = Buffers.for_rules(compiled, self.batch, CAPACITY * self.batch)

    def expand(self, keys: Keys) -> Expanded:
        """Return the expansion of positions.

        Args:
            keys: the packed positions, a row each; at most ``batch``.

        Raises:
            RulesError: a rule breaks the contract.
        """
        from zermelo._engine.expand.expander import expanded

        kind, buffers = self.compiled.kind, self._buffers
        flat = np.ascontiguousarray(keys).reshape(-1)
        ends, children, codes, owners, gains = expanded(self.compiled, flat, len(keys), buffers)
        terminal_values = codes.astype(np.int64)
        if not self._scored:
            terminal_values = kind.outcomes(codes) * np.int64(self.claim.win_value)
        is_unknown = codes == kind.unknown
        return Expanded(keys, ~is_unknown, terminal_values, owners, ends, children, gains)

    def is_own_turn(self, expanded: Expanded) -> npt.NDArray[np.bool_]:
        """Return for each position of a strategy whether its player is to move."""
        if self._alternate:
            return np.ones(len(expanded.ends), np.bool_)
        is_own: npt.NDArray[np.bool_] = expanded.owners == self._player
        return is_own

    def check_over(self, expanded: Expanded, is_own: npt.NDArray[np.bool_], least: Numbers) -> None:
        """Check that the player gets the claimed value in terminal positions.

        Raises:
            WrongStrategyError: the player gets less in one.
        """
        terminal_values = np.where(is_own, expanded.terminal_values, -expanded.terminal_values)
        failures = np.flatnonzero(expanded.over & (terminal_values < least))
        if len(failures):
            row = failures[0]
            reached, claimed = (
                self._value_text(int(terminal_values[row])),
                self._value_text(int(least[row])),
            )
            problem = f"the game ends with {reached} there, not with {claimed} as claimed"
            raise WrongStrategyError(expanded.keys[row], problem)

    def after_moves(self, expanded: Expanded, moves: Numbers, least: Numbers) -> NextPositions:
        """Return the positions that play reaches from positions of a strategy.

        Args:
            expanded: the positions, none of them terminal.
            moves: the number of the strategy's move in each; arbitrary if the other player is to
                move.
            least: the value claimed in each.

        Raises:
            WrongStrategyError: there is no such move, or the game ends below the claim.
            RulesError: a rule breaks the contract.
        """
        is_own = self.is_own_turn(expanded)
        illegal = np.flatnonzero(is_own & (moves >= expanded.ends - expanded.begins))
        if len(illegal):
            row = illegal[0]
            problem = "has no move" if moves[row] == NO_MOVE else "goes where no move leads"
            raise WrongStrategyError(expanded.keys[row], f"the strategy {problem} there")
        if is_own.all():
            edges = expanded.begins + moves
        else:
            origins = expanded.origins
            numbers = np.arange(len(origins)) - expanded.begins[origins]
            edges = np.flatnonzero(~is_own[origins] | (numbers == moves[origins]))
        arrivals = self.after_replies(expanded, edges, is_own, least)
        arrivals.origins = np.searchsorted(expanded.ends, edges, "right")[arrivals.origins]
        return arrivals

    def after_replies(
        self, expanded: Expanded, edges: Numbers, is_own: npt.NDArray[np.bool_], least: Numbers
    ) -> NextPositions:
        """Return the positions that play reaches by moves, then any reply if players alternate.

        Args:
            expanded: the parents of the moves.
            edges: the moves, as indices into all moves of the parents.
            is_own: whether the strategy's player is to move, for each parent.
            least: the value claimed in each parent.

        Raises:
            WrongStrategyError: the game ends below the claim.
            RulesError: a rule breaks the contract.
        """
        after_own_move = self.targets(expanded, edges, is_own, least)
        if not self._alternate:
            return after_own_move
        parts, positions, move_count = [], after_own_move.positions, after_own_move.moves
        for batch in self.batches(len(after_own_move.keys)):
            replies = self.expand(after_own_move.keys[batch])
            is_own_reply, required = (
                np.zeros(len(replies.ends), np.bool_),
                after_own_move.required[batch],
            )
            self.check_over(replies, is_own_reply, required)
            children = self.targets(
                replies, np.arange(len(replies.children)), is_own_reply, required
            )
            origins = np.searchsorted(replies.ends, children.origins, "right")
            parts.append((after_own_move.origins[batch][origins], children.keys, children.required))
            positions += len(replies.ends)
            move_count += children.moves
        if not parts:
            return after_own_move
        origins, keys, required = (np.concatenate(column) for column in zip(*parts, strict=True))
        return NextPositions(origins, keys, required, positions, move_count)

    def targets(
        self, expanded: Expanded, edges: Numbers, is_own: npt.NDArray[np.bool_], least: Numbers
    ) -> NextPositions:
        """Return the children of moves, without those where any value suffices.

        The arguments are those of ``after_replies``.
        """
        rows = np.searchsorted(expanded.ends, edges, "right")
        origins, required = np.arange(len(edges)), least[rows]
        if self._scored:
            gains = expanded.gains[edges]
            required = np.where(is_own[rows], required - gains, required + gains)
        elif self.claim.with_distance:
            required = required + np.sign(required)
        keys = expanded.children[edges]
        move_count = len(edges)
        if not self._scored:  # no value is below the greatest loss
            is_relevant = required > -self.claim.win_value
            origins, keys, required = origins[is_relevant], keys[is_relevant], required[is_relevant]
        return NextPositions(origins, keys, required, 0, move_count)

    def targets_and_ends(
        self, expanded: Expanded, edges: Numbers, is_own: npt.NDArray[np.bool_], least: Numbers
    ) -> MoveTargets:
        """Return the children of moves, and whether they are terminal.

        The arguments are those of ``after_replies``.
        """
        count, win_value = len(edges), self.claim.win_value
        verdicts, turns = np.ones(count, np.int8), np.zeros(count, np.uint8)
        own_turns, required = np.zeros(count, np.bool_), np.zeros(count, np.int64)
        children = self.targets(expanded, edges, is_own, least)  # any value suffices in the others
        required[children.origins] = children.required
        for batch in self.batches(len(children.keys)):
            origins, expanded_children = children.origins[batch], self.expand(children.keys[batch])
            if not self._alternate:
                turns[origins], own_turns[origins] = (
                    expanded_children.owners,
                    self.is_own_turn(expanded_children),
                )
            terminal_values = np.where(
                own_turns[origins],
                expanded_children.terminal_values,
                -expanded_children.terminal_values,
            )
            verdicts[origins] = np.where(terminal_values >= required[origins], 1, -1)
            verdicts[origins[~expanded_children.over]] = 0
        verdicts[(verdicts == 0) & (np.abs(required) > win_value)] = -1
        return MoveTargets(verdicts, expanded.children[edges], turns, own_turns, required)

    def first_positions(self, packed: Keys) -> NextPositions:
        """Return the first positions of the strategy's player, from the root position.

        Args:
            packed: the words of the root position.

        Raises:
            WrongStrategyError: the game ends below the claim.
        """
        keys = packed.reshape(1, -1)
        least = np.array([self.claim.least])
        if self.claim.mover or not self._alternate:
            return NextPositions(np.zeros(1, np.int64), keys, least, 0, 0)
        replies = self.expand(keys)
        is_own_reply = np.zeros(1, np.bool_)
        self.check_over(replies, is_own_reply, least)
        children = self.targets(replies, np.arange(len(replies.children)), is_own_reply, least)
        children.positions = 1
        return children

    def batches(self, count: int) -> Iterator[slice]:
        """Yield slices of ``count`` positions, each to be expanded in one batch."""
        for begin in range(0, count, self.batch):
            yield slice(begin, min(begin + self.batch, count))

    def _value_text(self, value: int) -> str:
        """Return a value in words, for the strategy's player."""
        if self._scored:
            return f"a score of {value:+d}"
        if self.claim.with_distance and 0 < value < self.claim.win_value:
            return f"a win within {self.claim.win_value - value} plies"
        return f"a {Outcome((value > 0) - (value < 0))}"
