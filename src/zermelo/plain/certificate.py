"""The certificate of a small game: the rules run anew, and values are compared, not codes.

Nothing of the solver is used. ``docs/explanation/certificate.md`` says why this is enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any

from zermelo.plain.expectation_certificate import (
    fault_by_bounds,
    fault_by_rank,
    fault_by_stage,
    position_after,
    stored_steps,
    successor_of,
)
from zermelo.plain.play_graph import Continues, UnsuitedError
from zermelo.values.endless import REMOTENESS_ALGEBRAS
from zermelo.values.expectations import ALGEBRA as EXPECTATION_ALGEBRA
from zermelo.values.kind import check_known
from zermelo.values.nimbers import NIMBERS, infinite, nim_sum
from zermelo.values.outcomes import DRAW, LOSS, NOBODY, WIN, ExpectedValue, Value
from zermelo.values.score_and_plies import SCORE_ALGEBRAS
from zermelo.values.scores import LARGEST_SCORE
from zermelo.values.win_draw_loss import OUTCOME_ALONE

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Kind

#: Stands for "no remoteness" in the order of values: later than any remoteness.
_NEVER = float("inf")
#: The algebras that the certificate knows.
_KNOWN = (
    *(*REMOTENESS_ALGEBRAS, OUTCOME_ALONE.algebra),
    *(*SCORE_ALGEBRAS, NIMBERS.algebra, EXPECTATION_ALGEBRA),
)
#: The most moves that a sentence lists.
_MOST_LISTED = 8
#: What an outcome for one player is for the other.
_FOR_OTHER_PLAYER = {WIN: LOSS, DRAW: DRAW, LOSS: WIN}


@dataclass
class PlainCheck:
    """A pass over all positions that the starts can reach, with the value of each.

    With symmetries, all positions are checked, not one of each class. If positions are split,
    their components are checked.

    Attributes:
        rules: the rules.
        kind: the kind of value.
        positions: the positions of the table, by number.
        values: their values, by number.
        ranks: numbers that decrease along the moves that prove values, by number, if the kind of
            value has moves that prove nothing.
        number_of: returns the number of a position, or None if it is not in the table.
        folded: whether one position stands for all equivalent ones.
        in_order: whether positions must be numbered breadth first.
        continues: see ``Continues``; the check ends when it returns False.
        whole: the number of whole positions whose values are compared with those of their
            components; None if positions are not split.
        space: all positions of the space, if all legal ones must be in the table; else None.
        moves: the number of moves followed so far.
    """

    rules: Rules
    kind: Kind
    positions: Sequence[Any]
    values: Sequence[Value]
    ranks: Sequence[int]
    number_of: Callable[[Any], int | None]
    folded: bool
    in_order: bool
    continues: Continues
    whole: int | None = None
    space: Sequence[Any] | None = None
    moves: int = 0

    def __post_init__(self) -> None:
        """Cache the numbers of positions."""
        self.number_of = cache(self.number_of)

    def run(self) -> tuple[Any, str | None]:
        """Return the first wrong position with a sentence about it, or None and None.

        Raises:
            UnsuitedError: ``continues`` returned False.
            UnknownKindError: the certificate does not know the kind of the values.
        """
        check_known(self.kind, _KNOWN, "the certificate")
        legal = () if self.space is None else filter(self.rules.legal, self.space)
        starts = chain(chain.from_iterable(map(self._parts, self.rules.starts())), legal)
        number_by_position = {start: n for n, start in enumerate(dict.fromkeys(starts))}
        walk = list(number_by_position)
        numbers: list[int] = []
        successors: list[list[int]] = []
        check = {
            NIMBERS.algebra: self._nimber_fault,
            EXPECTATION_ALGEBRA: self._expectation_fault,
        }.get(self.kind.algebra, self._value_fault)
        for index, position in enumerate(walk):  # the loop appends to the list
            self._raise_if_stopped(index, len(walk))
            number = self.number_of(position)
            if number is None:
                return None, f"{position!r} is not in the table"
            if self.space is not None and not self.rules.legal(position):
                return position, f"{position!r} is not legal"
            moves = stored_steps(self.rules, position, self._moves(position))
            sums = [self._parts(position_after(self.rules, position, move)) for move in moves]
            children = [part for parts in sums for part in parts]
            if None in map(self.number_of, children):
                return position, f"a move from {position!r} leads out of the table"
            self.moves += len(children)
            fault = check(position, number, moves, sums)
            if fault is not None:
                return position, fault
            for child in children:
                if number_by_position.setdefault(child, len(walk)) == len(walk):
                    walk.append(child)
            successors.append([number_by_position[child] for child in children])
            numbers.append(number)
        return self._table_fault(numbers, successors)

    def _raise_if_stopped(self, done_count: int, known_count: int) -> None:
        """Raise UnsuitedError if ``continues`` ends the check."""
        if not self.continues(done_count, known_count):
            reason = "it has too many positions"
            raise UnsuitedError(reason)

    def _parts(self, position: Any) -> list[Any]:
        """Return the components of a position."""
        return [position] if self.whole is None else self.rules.split(position)

    def _moves(self, position: Any) -> list[Any]:
        """Return the moves in a position; none if the game is over."""
        is_over = self.rules.terminal(position) is not None
        return [] if is_over else self.rules.listed_moves(position)

    def _children(self, position: Any) -> Iterator[Any]:
        """Yield the successors of a position."""
        for move in self._moves(position):
            yield self.rules.play(position, move)

    def _table_fault(
        self, numbers: list[int], successors: list[list[int]]
    ) -> tuple[Any, str | None]:
        """Return the fault of the whole table, in the form of ``run``.

        Args:
            numbers: the number in the table of each position, breadth first from the starts.
            successors: the successors of each position, numbered in this order.
        """
        count = len(self.values)
        for number in sorted(set(range(count)) - set(numbers)):
            position = self.positions[number]
            return position, f"{position!r} cannot be reached from the start"
        if self.in_order and numbers != list(range(count)):
            return None, "the positions of the table are not numbered breadth first"
        for position in self.space or ():
            if self.number_of(position) is not None and not self.rules.legal(position):
                cause = "but in the table is one that symmetries() or canonical() makes the same"
                return position, f"{position!r} is not legal, {cause}"
        proves_all = self.kind.needs_potential and self.kind.descends
        if proves_all and _has_cycle(successors):
            return None, "play can repeat a position, so margins do not prove each other"
        if self.whole is not None:
            return None, self._first_wrong_split(self.whole)
        return None, None

    # -- win, draw and loss, and margins ----------------------------------------------------------

    def _value_fault(
        self, position: Any, number: int, moves: list[Any], sums: list[list[Any]]
    ) -> str | None:
        """Return the fault of the value of a position, or None.

        Args:
            position: the position.
            number: the position's number.
            moves: the moves in the position.
            sums: for each move a list of the position after the move alone.
        """
        rules, owner, value = self.rules, self.rules.owner(position), self.values[number]
        if abs(value.score or 0) > LARGEST_SCORE:
            limits = f"points and margins are within ±{LARGEST_SCORE:,}"
            return f"{position!r} is stored as {value}, but {limits}"
        level = rules.endless_worth(position) if self.kind.stages and moves else 0
        best: Value | None = None if moves else self._end_value(position)
        for move, (child,) in zip(moves, sums, strict=True):
            child_number = self.number_of(child)
            assert child_number is not None  # noqa: S101  # ``run`` has checked it
            same_mover = not rules.alternate and rules.owner(child) == owner
            gain = rules.gain(position, move)
            if self.kind.stages and self.ranks[child_number] >= self.ranks[number]:
                if self.ranks[child_number] > self.ranks[number]:
                    return f"the moves from {position!r} lead in a cycle"
                is_end = self.values[child_number].remoteness == 0
                if not is_end and not self._keeps_points(
                    child, level - gain, same_mover=same_mover
                ):
                    return (
                        f"a move from {position!r} makes points, or changes what endless play is "
                        "worth, so that the two do not add up along a cycle"
                    )
            worth = self._move_value(self.values[child_number], gain, level, same_mover=same_mover)
            if best is None or self._preference(worth, owner, level) > self._preference(
                best, owner, level
            ):
                best = worth
        if best == value:
            return None
        cause = "its successors make it" if moves else "the rules make it"
        successors = self._successor_values(moves, sums)
        return f"{position!r} is stored as {value}, but {cause} {best}{successors}"

    def _successor_values(self, moves: list[Any], sums: list[list[Any]]) -> str:
        """Return the values after moves in brackets, each for the player to move then."""
        pairs = zip(moves[:_MOST_LISTED], sums, strict=False)
        values = [(move, self.values[self.number_of(child) or 0]) for move, (child,) in pairs]
        texts = [f"{self.rules.move_name(move)} leads to {value}" for move, value in values]
        if len(moves) > len(texts):
            texts[-1] += f" and {len(moves) - len(texts):,} more"
        return f" ({', '.join(texts)})" if texts else ""

    def _keeps_points(self, child: Any, points: int, *, same_mover: bool) -> bool:
        """Return whether endless play after a move is worth ``points`` to its player."""
        child_worth = self.rules.endless_worth(child)
        return points == (child_worth if same_mover else -child_worth)

    def _end_value(self, position: Any) -> Value:
        """Return the value of a terminal position."""
        if self.kind.gains:
            plies = 0 if self.kind.stages else None
            return _margin(self.rules.final_score(position), plies)
        ending = self.rules.terminal(position)
        ending = self.rules.no_moves if ending is None else ending
        outcome = {1: WIN, 0: DRAW, -1: LOSS}[int(ending)]
        has_no_plies = not self.kind.timed and outcome is not DRAW
        return Value(outcome, None if has_no_plies else 0)

    def _move_value(self, value: Value, gain: int, level: int, *, same_mover: bool) -> Value:
        """Return the value of a move for the player who moves.

        Args:
            value: the value of the position after the move.
            gain: the points that the move makes.
            level: the worth of endless play before the move.
            same_mover: whether the same player moves again.
        """
        plies = None if value.remoteness is None else value.remoteness + 1
        if self.kind.gains:
            score = value.score or 0
            score = gain + (score if same_mover else -score)
            # A margin other than the worth of endless play here is settled.
            is_settled = self.kind.stages and plies is None and score != level
            return _margin(score, 1 if is_settled else plies)
        outcome = value.outcome
        if not same_mover and outcome is not None:
            outcome = _FOR_OTHER_PLAYER[outcome]
        return Value(outcome, plies)

    def _preference(self, value: Value, owner: int, level: int) -> tuple[float, float]:
        """Return a pair that is greater for values that the player to move prefers."""
        plies = _NEVER if value.remoteness is None else value.remoteness
        if value.score is not None:
            return value.score, plies if value.score < level else -plies
        if value.outcome is LOSS:
            return -1, plies
        if value.outcome is WIN or self.kind.favours in (NOBODY, 1 - owner):
            return int(value.outcome or 0), -plies
        return 0, plies  # endless play is a win for this player, who puts a tie off

    # -- expectations -----------------------------------------------------------------------------

    def _expectation_fault(
        self, position: Any, number: int, moves: list[Any], sums: list[list[Any]]
    ) -> str | None:
        """Return the fault of the bounds of an expectation, or None; see ``_value_fault``."""
        value = self.values[number]
        assert isinstance(value, ExpectedValue)  # noqa: S101  # by the kind
        successors = []
        for move, (child,) in zip(moves, sums, strict=True):
            child_number = self.number_of(child)
            child_value = self.values[child_number or 0]
            assert isinstance(child_value, ExpectedValue)  # noqa: S101  # by the kind
            rank = self.ranks[child_number or 0]
            successors.append(successor_of(self.rules, position, move, child, child_value, rank))
        about = self.rules, position, value
        fault = fault_by_bounds(*about, successors)
        rank = self.ranks[number]
        if fault is None and self.kind.adds_points:
            fault = fault_by_stage(self.rules, position, rank, moves, successors)
        return fault or fault_by_rank(*about, rank, successors)

    # -- nimbers ----------------------------------------------------------------------------------

    def _nimber_fault(
        self, position: Any, number: int, moves: list[Any], sums: list[list[Any]]
    ) -> str | None:
        """Return the fault of the nimber or the infinity of a position, or None.

        A nimber n is proved by moves to sums that are proved before, that is, have lesser ranks:
        these moves lead to all numbers below n, and not to n. Every other move must be answered by
        a move to a nimber n that is proved before.

        Infinity has the set K of the nimbers that moves lead to, and some move leads to infinity
        with a set that lacks the least number that is not in K.

        Args:
            position: the position.
            number: the position's number.
            moves: the moves in the position.
            sums: the components of the position after each move.
        """
        value = self.values[number]
        claim = f"{position!r} is stored as {value}, but "
        if value.infinity is not None:
            expected = _value_by_moves(self._sum_value(parts) for parts in sums)
            return None if expected == value else f"{claim}its successors make it {expected}"
        if not moves and self._end_value(position).outcome is not LOSS:
            return f"{claim}a player who cannot move does not lose there"
        proved_nimbers, unproved_sums = set(), []
        for parts in sums:
            total, unproved_parts = self._proved_components(parts, self.ranks[number])
            if unproved_parts:
                unproved_sums.append((total, unproved_parts))
            else:
                proved_nimbers.add(total)
        least = _mex(proved_nimbers)
        claim_fault = f"{claim}that does not follow from positions proved before it"
        if value.nimber != least:
            expected = Value(WIN if least else LOSS, nimber=least)
            cause = "its successors make it" if moves else "the rules make it"
            return claim_fault if unproved_sums else f"{claim}{cause} {expected}"
        for total, unproved_parts in unproved_sums:
            if len(unproved_parts) > 1 or not self._leads_to(
                unproved_parts[0], least ^ total, self.ranks[number]
            ):
                return claim_fault
        return None

    def _proved_components(
        self, parts: Iterable[object], rank_limit: float
    ) -> tuple[int, list[Any]]:
        """Return the nim-sum of components with nimbers and lesser ranks, and the others."""
        total, unproved_parts = 0, []
        for part in parts:
            number = self.number_of(part)
            nimber = None if number is None else self.values[number].nimber
            if number is None or nimber is None or self.ranks[number] >= rank_limit:
                unproved_parts.append(part)
            else:
                total ^= nimber
        return total, unproved_parts

    def _leads_to(self, position: Any, nimber: int, rank_limit: int) -> bool:
        """Return whether components of ranks below ``rank_limit`` prove a move to ``nimber``."""
        sums = (
            self._proved_components(self._parts(child), rank_limit)
            for child in self._children(position)
        )
        return (nimber, []) in sums

    def _sum_value(self, parts: Iterable[object]) -> Value:
        """Return the value of a sum of components that are in the table."""
        return nim_sum(
            self.values[number] for number in map(self.number_of, parts) if number is not None
        )

    # -- components -------------------------------------------------------------------------------

    def _first_wrong_split(self, limit: int) -> str | None:
        """Return a sentence on a position whose value is not that of its components, or None.

        Args:
            limit: the most positions to check from the starts on, and after a move from components.
        """
        rules, value_of = self.rules, cache(self._whole_value)
        children = cache(lambda position: tuple(self._children(position)))
        sums = list(rules.starts())
        for position in sums:  # the loop appends to the list
            if len(sums) >= limit:
                break
            known_sums = set(sums)
            sums += [
                child for child in dict.fromkeys(children(position)) if child not in known_sums
            ]
        sums += islice(chain.from_iterable(map(children, self.positions)), limit)
        for position in dict.fromkeys(sums):
            self._raise_if_stopped(1, 1)  # they are few, so that only the time limit matters
            value = value_of(position)
            if value is None:
                return rules.split_fault(position, None, None)
            values = [value_of(child) for child in children(position)]
            if None in values:
                return rules.split_fault(position, value, None)
            expected = _value_by_moves(
                child_value for child_value in values if child_value is not None
            )
            if expected != value:
                return rules.split_fault(position, value, expected)
        return None

    def _whole_value(self, position: Any) -> Value | None:
        """Return the value of a position's components, or None if one is not in the table.

        Components without moves may be missing, and are worth 0.
        """
        parts = self.rules.split(position)
        missing_parts = (part for part in parts if self.number_of(part) is None)
        return None if any(map(self._moves, missing_parts)) else self._sum_value(parts)


def _value_by_moves(successors: Iterable[Value]) -> Value:
    """Return the value of a position from the nimbers and infinities of its successors."""
    values = list(successors)
    nimbers = {value.nimber for value in values if value.nimber is not None}
    least = _mex(nimbers)
    if any(least not in value.infinity for value in values if value.infinity is not None):
        return infinite(nimbers)
    return Value(WIN if least else LOSS, nimber=least)


def _margin(score: int, plies: int | None = None) -> Value:
    return Value(WIN if score > 0 else LOSS if score else DRAW, plies, score)


def _mex(numbers: set[int]) -> int:
    """Return the least whole number that is not in a set."""
    return next(number for number in count() if number not in numbers)


def _has_cycle(children: list[list[int]]) -> bool:
    """Return whether a position can be repeated, that is, whether there is no topological order."""
    parents = Counter(child for successors in children for child in successors)
    free = [number for number in range(len(children)) if not parents[number]]
    for number in free:  # the loop appends to the list
        for child in children[number]:
            parents[child] -= 1
            if not parents[child]:
                free.append(child)
    return len(free) < len(children)
