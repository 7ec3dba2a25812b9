"""The certificate of values of partizan games: each is what its options make it, by definition.

A value is right if it equals the game {left options | right options} of its position, where the
options are the values of the positions that moves of either player lead to. If no moves lead in a
cycle, one set of values satisfies this. So a pass over all positions, with either player to move,
proves them: it runs the rules forward again, and compares games by the definition of the order,
with arithmetic of its own. It uses nothing of the solver, nor of its canonical forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.compiled_games import CompiledGames
from zermelo._engine.certificate.kernels import (
    BACKWARD,
    MISSING_START,
    OTHER_GAME,
    STRANGE_CHILD,
    STRANGE_VALUE,
    UNEVEN,
    UNREACHED,
    WRONG_OWNER,
    Finding,
)
from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.core.kernel import is_interpreting
from zermelo._engine.expand.expander import Buffers, Expand, expanded_parts
from zermelo._engine.index.index import PAGE

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter

#: Bytes of a position and of a move during the check.
_POSITION, _MOVE = 200, 100
#: The capacity of buffers in moves for each position of a page.
_CAPACITY = 32
#: The fewest positions that compiled code checks: to load that takes as long as about these do in
#: Python.
_COMPILED_FROM = 1 << 11
#: The bits of a game's number in a pair of games.
_BITS = 32


class PassingExpand(Expand, Protocol):
    """Rules in which a player may also pass, as the last move.

    Attributes:
        rules: the hooks.
    """

    rules: Any

    def start_words(self) -> Uint64Array:
        """Return the packed starts, shape (k, words)."""


class ComparedGames:
    """Games by number, compared by definition; an arithmetic for the certificate alone.

    A <= B if no left option of A is at least B, and no right option of B is at most A.

    Attributes:
        left: the left options of each game.
        right: the right options.
        sums: the sums of two games that are known, the smaller number first.
    """

    def __init__(self) -> None:
        """Create the game without options, with number 0."""
        self.left: list[tuple[int, ...]] = []
        self.right: list[tuple[int, ...]] = []
        self._orders: dict[int, bool] = {}
        self.sums: dict[tuple[int, int], int] = {}
        self._numbers: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self.of_options((), ())

    def is_at_most(self, first: int, second: int) -> bool:
        """Return whether ``first`` <= ``second``. Options are compared before their games."""
        orders = self._orders
        known = orders.get(first << _BITS | second)
        if known is not None:
            return known
        open_pairs = [(first, second)]
        while open_pairs:
            game, other = open_pairs[-1]
            result, missing = True, None
            if game != other:
                for option in self.left[game]:
                    answer = orders.get(other << _BITS | option)
                    if answer:
                        result = False
                        break
                    if answer is None:
                        missing = other, option
                if result:
                    for option in self.right[other]:
                        answer = orders.get(option << _BITS | game)
                        if answer:
                            result = False
                            break
                        if answer is None:
                            missing = option, game
            if result and missing is not None:
                open_pairs.append(missing)
            else:
                orders[game << _BITS | other] = result
                open_pairs.pop()
        return orders[first << _BITS | second]

    def of_options(self, left: Iterable[int], right: Iterable[int]) -> int:
        """Return the number of the game {left | right}; equal games have equal numbers.

        An option that can be reversed is replaced by the options after the reply, and one that is
        dominated is left out, until neither occurs. Equal games then have the same options.
        """
        options = tuple(sorted(set(left))), tuple(sorted(set(right)))
        number = self._numbers.get(options)
        if number is not None:
            return number
        number = len(self.left)
        self.left.append(options[0])
        self.right.append(options[1])
        # Comparisons of this number stay true, as each step leaves the game equal to itself.
        while True:
            reduced = self._reduced(number)
            if reduced == (self.left[number], self.right[number]):
                break
            self.left[number], self.right[number] = reduced
        return self._numbers.setdefault(options, self._numbers.setdefault(reduced, number))

    def is_game_of(self, canonical: int, left: set[int], right: set[int]) -> bool:
        """Return whether a canonical form equals {left | right}.

        It does if and only if no left option is at least the form, every left option of the form is
        at most one of ``left``, and the same holds on the right with the order reversed. If: no
        option of either side is at least, or at most, the other game. Only if: a left option of the
        form is less than or confused with {left | right}, and no reply reverses it.
        """
        at_most, known = self.is_at_most, self._orders
        for option in left:
            answer = known.get(canonical << _BITS | option)
            if answer or (answer is None and at_most(canonical, option)):
                return False
        for option in right:
            answer = known.get(option << _BITS | canonical)
            if answer or (answer is None and at_most(option, canonical)):
                return False
        return all(
            own in left or any(at_most(own, option) for option in left)
            for own in self.left[canonical]
        ) and all(
            own in right or any(at_most(option, own) for option in right)
            for own in self.right[canonical]
        )

    def _reduced(self, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the options of a game after one round of both reductions."""
        left, right = set[int](), set[int]()
        for option in self.left[number]:
            replies = [each for each in self.right[option] if self.is_at_most(each, number)]
            left |= set(self.left[replies[0]]) if replies else {option}
        for option in self.right[number]:
            replies = [each for each in self.left[option] if self.is_at_most(number, each)]
            right |= set(self.right[replies[0]]) if replies else {option}
        best_left = [a for a in left if not any(self.is_at_most(a, b) for b in left - {a})]
        best_right = [a for a in right if not any(self.is_at_most(b, a) for b in right - {a})]
        return tuple(sorted(best_left)), tuple(sorted(best_right))

    def sum(self, first: int, second: int) -> int:
        """Return the number of the sum of two games."""
        if first > second:
            first, second = second, first
        if not first:  # the game without options
            return second
        known = self.sums.get((first, second))
        if known is not None:
            return known
        open_pairs = [(first, second)]
        while open_pairs:
            pair = open_pairs[-1]
            a, b = pair
            left = [(min(x, b), max(x, b)) for x in self.left[a]]
            left += [(min(a, x), max(a, x)) for x in self.left[b]]
            right = [(min(x, b), max(x, b)) for x in self.right[a]]
            right += [(min(a, x), max(a, x)) for x in self.right[b]]
            missing = [each for each in left + right if each not in self.sums]
            if missing:
                open_pairs += missing
                continue
            self.sums[pair] = self.of_options(
                (self.sums[each] for each in left), (self.sums[each] for each in right)
            )
            open_pairs.pop()
        return self.sums[first, second]


def games_of(sections: Mapping[str, npt.NDArray[Any]], games: ComparedGames) -> list[int] | None:
    """Return the number in ``games`` of each form of a table; None if one is not canonical.

    Args:
        sections: the forms of the table, as arrays; see ``CanonicalForms.arrays``.
        games: receives the games.
    """
    numbers: list[int] = []
    starts = {name: sections[f"{name}_starts"].tolist() for name in ("left", "right")}
    options = {name: sections[f"{name}_options"].tolist() for name in ("left", "right")}
    if len(starts["left"]) != len(starts["right"]):
        return None
    for form in range(len(starts["left"]) - 1):
        sides = []
        for name in ("left", "right"):
            chosen = options[name][starts[name][form] : starts[name][form + 1]]
            if any(not 0 <= option < form for option in chosen):
                return None
            sides.append(tuple(sorted(numbers[option] for option in chosen)))
        number = games.of_options(*sides)
        if (games.left[number], games.right[number]) != tuple(sides):
            return None
        numbers.append(number)
    return numbers if len(set(numbers)) == len(numbers) else None


def certify_turns(expand: PassingExpand, table: Table, ledger: Ledger, report: Reporter) -> Finding:
    """Check every value of a table of a partizan game.

    Args:
        expand: the rules, in which a player may pass as the last move; with gains if positions are
            split.
        table: positions with either player to move, and their values.
        ledger: the memory budget.
        report: receives the number of positions checked.

    Returns:
        The finding; of several faults, one of the first kind that was looked for.

    Raises:
        BudgetError: the moves do not fit in memory.
    """
    with report.phase("verify", len(table)):
        return _Check(expand, table, ledger, report).run()


class _Check:
    """A pass over a table; positions are numbered along its pages."""

    def __init__(
        self, expand: PassingExpand, table: Table, ledger: Ledger, report: Reporter
    ) -> None:
        self.expand = expand
        self.table = table
        self.ledger = ledger
        self.report = report
        pages = list(table.pages())
        self.places: Int64Array = np.concatenate(pages) if pages else np.empty(0, np.int64)
        self.games = ComparedGames()

    def run(self) -> Finding:
        """Return the finding."""
        table, count = self.table, len(self.places)
        right = Finding(count, 0)
        starts = np.ascontiguousarray(self.expand.start_words())
        start_places = np.empty(len(starts), np.int64)
        table.places(starts.reshape(-1), len(starts), start_places)
        if (start_places < 0).any():
            return right.with_fault(MISSING_START, int(np.argmin(start_places)))
        fault = self._read_moves()
        right.moves = len(self.children)
        if fault is not None:
            return right.with_fault(*fault)
        unstable = self._unstable()
        if unstable is not None:
            return right.with_fault(UNEVEN, other=self._pass_fault(unstable))
        start_numbers = np.searchsorted(self.places, start_places)
        is_large = count >= _COMPILED_FROM and not is_interpreting()
        if is_large and self._is_right(start_numbers):
            return right
        unreached = self._first_unreached(start_numbers)
        if unreached is not None:
            return right.with_fault(UNREACHED, int(self.places[unreached]))
        circular = self._circular()
        if circular is not None:
            return right.with_fault(BACKWARD, int(self.places[circular]))
        numbers = games_of(table.kind.sections(), self.games)
        codes = table.values(self.places)
        if numbers is None or ((codes < 0) | (codes >= len(numbers))).any():
            return right.with_fault(STRANGE_VALUE)
        wrong = self._first_wrong([numbers[code] for code in codes.tolist()])
        if wrong is None:
            return right
        number, expected = wrong
        return right.with_fault(OTHER_GAME, int(self.places[number]), other=(self.games, expected))

    def _read_moves(self) -> tuple[int, int] | None:
        """Expand all positions; return a fault and its place, or None."""
        expand, table, buffers = (
            self.expand,
            self.table,
            Buffers.for_rules(self.expand, PAGE, _CAPACITY * PAGE),
        )
        ends, children, last = [np.zeros(1, np.int64)], [np.empty(0, np.int64)], [np.empty(0, bool)]
        total = 0
        for begin in range(0, len(self.places), PAGE):
            places = self.places[begin : begin + PAGE]
            keys, owners = table.packed(places), table.owners(places)
            for part in expanded_parts(expand, keys, len(places), buffers):
                packed = np.ascontiguousarray(part.children).reshape(-1)
                found = np.empty(part.moves, np.int64)
                table.places(packed, part.moves, found)
                if (found < 0).any():
                    edge = int(np.argmin(found >= 0))
                    number = part.begin + int(np.searchsorted(part.ends, edge, "right"))
                    return STRANGE_CHILD, int(places[number])
                if len(part.owners):
                    wrong = np.flatnonzero(part.owners != owners[part.begin : part.end])
                    if len(wrong):
                        return WRONG_OWNER, int(places[part.begin + int(wrong[0])])
                ends.append(part.ends.astype(np.int64) + total)
                children.append(np.searchsorted(self.places, found))
                last.append(part.gains != 0)
                total += part.moves
            known = begin + len(places)
            estimate = len(self.places) * _POSITION + total * len(self.places) // known * _MOVE
            self.ledger.reserve(estimate, f"checking {len(self.places):,} positions")
            self.report.advance(known // 2)
        first, edges, is_last = map(np.concatenate, (ends, children, last))
        passes = first[1:] - 1
        moves = np.ones(len(edges), np.bool_)
        moves[passes] = False
        self.first = first - np.arange(len(first))
        self.children = edges[moves]
        self.is_last = is_last[moves] if len(is_last) else is_last
        self.passed = edges[passes]
        return None

    def _is_right(self, starts: Int64Array) -> bool:
        """Return whether compiled code finds no fault; if not, Python says which there is."""
        games = CompiledGames(self.table.kind.sections())
        codes = np.asarray(self.table.values(self.places), np.int64)
        return games.are_values(self.first, self.children, self.is_last, self.passed, starts, codes)

    def _unstable(self) -> int | None:
        """Return the first position that passing the turn twice changes, or None."""
        changed = self.passed[self.passed] != np.arange(len(self.passed))
        return int(np.argmax(changed)) if changed.any() else None

    def _pass_fault(self, number: int) -> str:
        """Return a sentence on a position that passing the turn twice changes."""
        rules = self.expand.rules
        place = self.places[number : number + 1]
        position = rules.layout.unpack(self.table.packed(place).reshape(-1))
        return f"passing the turn twice changes {position!r}; correct {rules.name}.pass_turn()"

    def _first_unreached(self, starts: Int64Array) -> int | None:
        """Return the first position to which no moves and passes lead from the starts, or None."""
        first, children, passed = self.first.tolist(), self.children.tolist(), self.passed.tolist()
        reached = [False] * len(self.places)
        queue = list(dict.fromkeys(starts.tolist()))
        for number in queue:
            reached[number] = True
        for number in queue:  # the loop appends to the list
            for child in (passed[number], *children[first[number] : first[number + 1]]):
                if not reached[child]:
                    reached[child] = True
                    queue.append(child)
        return None if all(reached) else reached.index(False)

    def _circular(self) -> int | None:
        """Return a position from which moves of either player lead to a cycle, or None.

        Two positions that differ in the turn alone are one here. Each is taken away once all that
        its moves lead to are.
        """
        count = len(self.places)
        pair = np.minimum(np.arange(count), self.passed)
        sources, targets = np.repeat(pair, np.diff(self.first)), pair[self.children]
        waiting = np.bincount(sources, minlength=count).tolist()
        parents = sources[np.argsort(targets)].tolist()
        begins = np.concatenate([[0], np.cumsum(np.bincount(targets, minlength=count))]).tolist()
        pairs = np.flatnonzero(pair == np.arange(count)).tolist()
        order = [number for number in pairs if not waiting[number]]
        for number in order:  # the loop appends to the list
            for parent in parents[begins[number] : begins[number + 1]]:
                waiting[parent] -= 1
                if not waiting[parent]:
                    order.append(parent)
        if len(order) == len(pairs):
            return None
        return next(number for number in pairs if waiting[number])

    def _first_wrong(self, values: list[int]) -> tuple[int, int] | None:
        """Return the first position with a wrong value, and the game that its options make.

        Of two positions that differ in the turn alone, the options of one are compared; the other
        must have the negative value. If that holds of all, the options of the other make the
        negative game.
        """
        games, negatives = self.games, self._negatives(values)
        passes = self.passed.tolist()
        negated = [negatives[value] for value in values]
        for number, passed in enumerate(passes):
            if values[passed] != negated[number]:
                return passed, negated[number]
        # The parts of the position after each move, for the player who moves then.
        parts = [values[child] for child in self.children.tolist()]
        turned = [negated[child] for child in self.children.tolist()]
        first = self.first.tolist()
        ends = self.is_last.tolist()
        for number, passed in enumerate(passes):
            if passed >= number:
                own = slice(first[number], first[number + 1])
                replies = slice(first[passed], first[passed + 1])
                left = self._after_moves(turned[own], ends[own])
                right = self._after_moves(parts[replies], ends[replies])
                if not games.is_game_of(values[number], left, right):
                    return number, games.of_options(left, right)
        return None

    def _negatives(self, values: list[int]) -> dict[int, int]:
        """Return the negatives of games, and of all games that moves lead to in them."""
        games, negatives = self.games, dict[int, int]()
        stack = list(set(values))
        while stack:
            number = stack[-1]
            left, right = games.left[number], games.right[number]
            missing = [option for option in (*left, *right) if option not in negatives]
            if missing and number not in negatives:
                stack += missing
                continue
            stack.pop()
            if number not in negatives:
                negatives[number] = games.of_options(
                    [negatives[option] for option in right], [negatives[option] for option in left]
                )
        return negatives

    def _after_moves(self, parts: list[int], ends: list[bool]) -> set[int]:
        """Return the sum after each move of a position.

        Args:
            parts: the values of the components after each move, one move after another.
            ends: whether each is the last of a move; empty if positions are not split.
        """
        if not ends:
            return set(parts)
        sums, known, total = set[int](), self.games.sums, 0
        for part, is_last in zip(parts, ends, strict=True):
            if not total:
                total = part
            elif part:
                pair = (total, part) if total < part else (part, total)
                if pair not in known:
                    self.games.sum(*pair)
                total = known[pair]
            if is_last:
                sums.add(total)
                total = 0
        return sums
