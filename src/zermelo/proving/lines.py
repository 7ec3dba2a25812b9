"""Lines of play: the best line, and the best line of an unfinished search."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import UnprovedError
from zermelo.proving.search_status import move_reaching
from zermelo.proving.strategies.replies import Claim, Keys, Numbers, Replies
from zermelo.proving.strategies.strategy import canonical_words
from zermelo.values.results import Line

if TYPE_CHECKING:
    from zermelo._engine.search.arrays import NumberArrays
    from zermelo.proving.proof_search import ProofSearch
    from zermelo.proving.strategies.replies import Expanded


def _append_move(line: Line, move: Any, position: Any) -> None:
    """Append a move, and the position after it, to a line."""
    line.moves.append(move)
    line.names.append(line.rules.move_name(move))
    line.positions.append(position)


def best_line(inquiry: ProofSearch, value: int, *, far: bool, longest: int | None = None) -> Line:
    """Return a line in which each move keeps the value.

    Args:
        inquiry: the search and its position.
        value: the value of this position.
        far: whether it includes the distance to a win or a loss.
        longest: the number of moves after which it is cut; None for no limit.

    Raises:
        UnprovedError: the search is wrong.
    """
    compiled = inquiry.compiled
    rules, kind = compiled.rules, compiled.kind
    here, worth = inquiry.position, value
    line, seen = Line(here, [], [], "terminal", rules=rules), {inquiry.position}
    while moves := rules.moves(here):
        if longest is not None and len(line.moves) >= longest:
            line.ends = "cut"
            break
        owner, move = rules.owner(here), moves[0]
        if far or inquiry.scored or worth >= 0:  # every move keeps a loss
            child = inquiry.securing_child(canonical_words(compiled, here), owner, worth, far=far)
            if child is None:
                message = f"the search is wrong about {here!r}; run zermelo check"
                raise UnprovedError(message)
            move = move_reaching(compiled, here, child)
        worth -= rules.gain(here, move) if kind.gains else 0
        here = rules.play(here, move)
        same = not rules.alternate and rules.owner(here) == owner
        if far:
            worth += (worth > 0) - (worth < 0)
        worth = worth if same else -worth
        _append_move(line, move, here)
        if here in seen:
            if not far and worth and inquiry.expect_cycles():
                return best_line(inquiry, value, far=far, longest=longest)  # a win has no cycle
            line.ends = "repeats"
            break
        seen.add(here)
    return line


def line_so_far(inquiry: ProofSearch, longest: int | None = None) -> Line:
    """Return the line that looks best by the results of an unfinished search; it proves nothing.

    It follows the table from the root as long as there are entries, and the path of the search if
    these do not decide. A search by components has none: it examines components, not play.

    Args:
        inquiry: the search and its position.
        longest: the most moves in the line; None for no limit.
    """
    rules = inquiry.compiled.rules
    line, guide = Line(inquiry.position, [], [], "unproved", rules=rules), _Guide(inquiry)
    here, packed, seen = inquiry.position, inquiry.packed, {inquiry.position}
    while inquiry.parts is None and (longest is None or len(line.moves) < longest):
        child = guide.best_child(packed)
        if child is None:
            break
        move = move_reaching(inquiry.compiled, here, child)
        here, packed = rules.play(here, move), child
        _append_move(line, move, here)
        if here in seen:
            break
        seen.add(here)
    return line


class _Guide:
    """Chooses the moves of a line, from the table of an unfinished search."""

    def __init__(self, inquiry: ProofSearch) -> None:
        self._compiled, self._numbers = inquiry.compiled, inquiry.numbers
        self._walk = inquiry.searcher.walk if self._numbers is None else self._numbers
        claim = Claim(mover=True, least=0, far=False, great=1)
        self._replies = Replies(inquiry.compiled, inquiry.owner, claim)
        way = self._walk.current_path
        #: The child that the search chose for each position on its path.
        self._way: dict[bytes, Keys] = {}
        if np.array_equal(way[0], inquiry.packed):
            pairs = itertools.pairwise(way)
            self._way = {before.tobytes(): after for before, after in pairs}
        self._attacks = self._numbers is not None and self._numbers.attacks

    def best_child(self, packed: Keys) -> Keys | None:
        """Return the packed child of the best move, or None if nothing is known."""
        expanded = self._replies.expand(packed.reshape(1, -1))
        children = expanded.children
        if expanded.over[0]:
            return None
        parts = [self._replies.expand(children[p]) for p in self._replies.batches(len(children))]
        over = np.concatenate([part.over for part in parts])
        worths = np.concatenate([part.worths for part in parts])
        owners = np.concatenate([part.owners for part in parts])
        gone = np.zeros(len(over), np.bool_)
        if packed.tobytes() in self._way:
            gone = (children == self._way[packed.tobytes()]).all(axis=1)
        if self._numbers is None:
            best = self._by_bounds(expanded, over, worths, owners, gone)
        else:
            best = self._by_numbers(self._numbers, expanded, over, worths, owners, gone)
        return None if best < 0 else children[best]

    def _by_bounds(
        self,
        expanded: Expanded,
        over: npt.NDArray[np.bool_],
        worths: Numbers,
        owners: npt.NDArray[np.uint8],
        gone: npt.NDArray[np.bool_],
    ) -> int:
        """Return the move with the best bounds; -1 if nothing is known about it."""
        found, great = self._walk.look_up(expanded.children), self._walk.great
        low, high = np.where(over, worths, found[:, 0]), np.where(over, worths, found[:, 1])
        known = gone | over | (low > -great) | (high < great)
        same = np.zeros(len(over), np.bool_)
        if not self._compiled.alternate:
            same = owners == expanded.owners[0]
        low, high = np.where(same, low, -high), np.where(same, high, -low)
        if len(expanded.gains):
            low, high = low + expanded.gains, high + expanded.gains
        number = np.arange(len(over))
        good = number == self._stored_move(expanded.keys)
        best = int(np.lexsort((-number, gone, good, high, low))[-1])
        return best if known[best] or good[best] else -1

    def _stored_move(self, keys: Keys) -> int:
        """Return the number of the good move of a position's table entry, or -1.

        The table numbers the moves that were searched, which ``enough`` may have chosen.
        """
        number, rules = int(self._walk.look_up(keys)[0, 2]), self._compiled.rules
        if not rules.has_hook("enough"):
            return number
        position = rules.layout.unpack(keys[0])
        some = list(rules.written.enough(position))
        if not some:
            return number
        return rules.moves(position).index(some[number]) if number < len(some) else -1

    def _by_numbers(
        self,
        arrays: NumberArrays,
        expanded: Expanded,
        over: npt.NDArray[np.bool_],
        worths: Numbers,
        owners: npt.NDArray[np.uint8],
        gone: npt.NDArray[np.bool_],
    ) -> int:
        """Return the move with the least work left; -1 if nothing is known about it."""
        theirs = np.full(len(over), int(not self._attacks))
        if not self._compiled.alternate:
            theirs = (owners == arrays.attacker).astype(np.int64)
        found = arrays.look_up_numbers(expanded.children, theirs)
        known = gone | over | found.any(axis=1)
        left = np.where(known, found[:, 0 if self._attacks else 1], 1)
        won = np.where(theirs == 1, worths, -worths) > 0
        left[over] = np.where(won == self._attacks, 0, np.iinfo(np.int64).max)[over]
        number = np.arange(len(over))
        best = int(np.lexsort((-number, known, -left, gone))[-1])
        self._attacks = bool(theirs[best])
        return best if known[best] else -1
