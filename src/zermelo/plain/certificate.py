"""The certificate of a small game: the rules run anew, and values are compared, not codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.plain.solver import Continues, UnsuitedError
from zermelo.values.outcomes import DRAW, LOSS, NOBODY, WIN, Value
from zermelo.values.scores import LARGEST_SCORE

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Kind

#: Stands for "no remoteness" in the order of values: later than any remoteness.
_NEVER = float("inf")
#: What an outcome for one player is for the other.
_TURNED = {WIN: LOSS, DRAW: DRAW, LOSS: WIN}


@dataclass
class PlainCheck:
    """A pass over all positions that the starts can reach, with the value of each.

    Where symmetries are used, all positions are checked, and not one of each class.

    Attributes:
        rules: the rules.
        kind: the kind of value.
        positions: the positions of the table, by number.
        values: their values, by number.
        number_of: returns the number of a position, or None if it is not in the table.
        folded: whether one position stands for all equivalent ones.
        continues: see ``Continues``; the check ends when it returns False.
        moves: the moves that were followed.
    """

    rules: Rules
    kind: Kind
    positions: Sequence[Any]
    values: Sequence[Value]
    number_of: Callable[[Any], int | None]
    folded: bool
    continues: Continues
    moves: int = 0

    def run(self) -> tuple[Any, str | None]:
        """Return the first wrong position with a sentence about it, or None and None.

        Raises:
            UnsuitedError: ``continues`` returned False.
        """
        met = {start: n for n, start in enumerate(self.rules.starts())}
        walk = list(met)
        numbers: list[int] = []
        successors: list[list[int]] = []
        for at, position in enumerate(walk):  # which grows meanwhile
            if not self.continues(at, len(walk)):
                reason = "it has too many positions"
                raise UnsuitedError(reason)
            number = self.number_of(position)
            if number is None:
                return None, f"{position!r} is not in the table"
            wrong, children = self._check(position, self.values[number])
            if wrong is not None:
                return position, wrong
            for child in children:
                if met.setdefault(child, len(walk)) == len(walk):
                    walk.append(child)
            successors.append([met[child] for child in children])
            numbers.append(number)
        return self._check_whole(numbers, successors)

    def _check_whole(
        self, numbers: list[int], successors: list[list[int]]
    ) -> tuple[Any, str | None]:
        """Return what is wrong with the table as a whole, as ``run`` does.

        Args:
            numbers: the number in the table of each position, breadth first from the starts.
            successors: where the moves of each lead, counted in that order.
        """
        count = len(self.values)
        for number in sorted(set(range(count)) - set(numbers)):
            position = self.positions[number]
            return position, f"{position!r} cannot be reached from the start"
        if not self.folded and numbers != list(range(count)):
            return None, "the positions of the table are not numbered breadth first"
        if self.kind.needs_potential and _has_cycle(successors):
            return None, "play can repeat a position, so margins do not prove each other"
        return None, None

    def _check(self, position: Any, value: Value) -> tuple[str | None, list[Any]]:
        """Return what is wrong with the value of a position, or None; and its successors."""
        rules, owner = self.rules, self.rules.owner(position)
        if abs(value.score or 0) > LARGEST_SCORE:
            limits = f"points and margins are within ±{LARGEST_SCORE:,}"
            return f"{position!r} is stored as {value}, but {limits}", []
        ending = rules.terminal(position)
        moves = [] if ending is not None else rules.listed_moves(position)
        children = [rules.play(position, move) for move in moves]
        best: Value | None = None if moves else self._ended(position, ending)
        for move, child in zip(moves, children, strict=True):
            number = self.number_of(child)
            if number is None:
                return f"a move from {position!r} leads out of the table", children
            same = not rules.alternate and rules.owner(child) == owner
            worth = self._worth(self.values[number], rules.gain(position, move), same=same)
            if best is None or self._order(worth, owner) > self._order(best, owner):
                best = worth
        self.moves += len(children)
        if best == value:
            return None, children
        made = "its successors make it" if children else "the rules make it"
        return f"{position!r} is stored as {value}, but {made} {best}", children

    def _ended(self, position: Any, ending: Any) -> Value:
        """Return the value of a position where the game is over."""
        if self.kind.gains:
            return _margin(self.rules.final_score(position))
        outcome = self.rules.no_moves if ending is None else ending
        return Value({1: WIN, 0: DRAW, -1: LOSS}[int(outcome)], 0)

    def _worth(self, value: Value, gain: int, *, same: bool) -> Value:
        """Return the value of a move to a position with this value, for the player who moves."""
        if self.kind.gains:
            score = value.score or 0
            return _margin(gain + (score if same else -score))
        outcome = value.outcome
        if not same and outcome is not None:
            outcome = _TURNED[outcome]
        return Value(outcome, None if value.remoteness is None else value.remoteness + 1)

    def _order(self, value: Value, owner: int) -> tuple[float, float]:
        """Return a pair that is greater for values that the player to move prefers."""
        if value.score is not None:
            return value.score, 0
        plies = _NEVER if value.remoteness is None else value.remoteness
        if value.outcome is LOSS:
            return -1, plies
        if value.outcome is WIN or self.kind.favours in (NOBODY, 1 - owner):
            return int(value.outcome or 0), -plies
        return 0, plies  # endless play is a win for this player, who puts a tie off


def _margin(score: int) -> Value:
    return Value(WIN if score > 0 else LOSS if score else DRAW, None, score)


def _has_cycle(children: list[list[int]]) -> bool:
    """Whether some position can be repeated: whether no order has all successors first."""
    parents = Counter(child for successors in children for child in successors)
    free = [number for number in range(len(children)) if not parents[number]]
    for number in free:  # which grows meanwhile
        for child in children[number]:
            parents[child] -= 1
            if not parents[child]:
                free.append(child)
    return len(free) < len(children)
