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


def best_line(
    search: ProofSearch, value: int, *, with_distance: bool, longest: int | None = None
) -> Line:
    """Return a line in which each move keeps the value.

    Args:
        search: the search and its position.
        value: the value of this position.
        with_distance: whether ``value`` includes the distance to a win or a loss.
        longest: the number of moves after which the line is cut; None for no limit.

    Raises:
        UnprovedError: the search is wrong.
    """
    compiled = search.compiled
    rules, kind = compiled.rules, compiled.kind
    position, current_value = search.position, value
    line, visited = Line(position, [], [], "terminal", rules=rules), {search.position}
    final = with_distance or search.scored or search.expects_cycles
    while moves := rules.moves(position):
        if longest is not None and len(line.moves) >= longest:
            line.ends = "cut"
            break
        owner, move = rules.owner(position), moves[0]
        if with_distance or search.scored or current_value >= 0:  # every move keeps a loss
            child = search.securing_child(
                canonical_words(compiled, position),
                owner,
                current_value,
                with_distance=with_distance,
            )
            if child is None:
                message = f"the search is wrong about {position!r}; run zermelo check"
                raise UnprovedError(message)
            move = move_reaching(compiled, position, child)
        current_value -= rules.gain(position, move) if kind.gains else 0
        position = rules.play(position, move)
        same_owner = not rules.alternate and rules.owner(position) == owner
        if with_distance:
            current_value += (current_value > 0) - (current_value < 0)
        current_value = current_value if same_owner else -current_value
        _append_move(line, move, position)
        if position in visited:
            if current_value and not final:  # a win has no cycle
                search.expect_cycles()
                return best_line(search, value, with_distance=with_distance, longest=longest)
            line.ends = "repeats"
            break
        visited.add(position)
    return line


def line_so_far(search: ProofSearch, longest: int | None = None) -> Line:
    """Return the line that looks best by the results of an unfinished search; it proves nothing.

    The line follows the table from the root as long as there are entries, and the path of the
    search if the entries do not decide. A search by components gives no moves: it examines
    components, not play.

    Args:
        search: the search and its position.
        longest: the most moves in the line; None for no limit.
    """
    rules = search.compiled.rules
    line, guide = Line(search.position, [], [], "unproved", rules=rules), _Guide(search)
    position, packed, visited = search.position, search.packed, {search.position}
    while search.parts is None and (longest is None or len(line.moves) < longest):
        child = guide.best_child(packed)
        if child is None:
            break
        move = move_reaching(search.compiled, position, child)
        position, packed = rules.play(position, move), child
        _append_move(line, move, position)
        if position in visited:
            break
        visited.add(position)
    return line


class _Guide:
    """A choice of the moves of a line, from the table of an unfinished search."""

    def __init__(self, search: ProofSearch) -> None:
        self._compiled, self._numbers = search.compiled, search.numbers
        self._walk = search.searcher.walk if self._numbers is None else self._numbers
        claim = Claim(mover=True, least=0, with_distance=False, win_value=1)
        self._replies = Replies(search.compiled, search.owner, claim)
        path = self._walk.current_path
        #: The child that the search chose for each position on its path.
        self._path_children: dict[bytes, Keys] = {}
        if np.array_equal(path[0], search.packed):
            pairs = itertools.pairwise(path)
            self._path_children = {parent.tobytes(): child for parent, child in pairs}
        self._attacks = self._numbers is not None and self._numbers.attacks

    def best_child(self, packed: Keys) -> Keys | None:
        """Return the packed child of the best move, or None if nothing is known."""
        expanded = self._replies.expand(packed.reshape(1, -1))
        children = expanded.children
        if expanded.over[0]:
            return None
        parts = [self._replies.expand(children[p]) for p in self._replies.batches(len(children))]
        is_over = np.concatenate([part.over for part in parts])
        values = np.concatenate([part.terminal_values for part in parts])
        owners = np.concatenate([part.owners for part in parts])
        on_path = np.zeros(len(is_over), np.bool_)
        if packed.tobytes() in self._path_children:
            on_path = (children == self._path_children[packed.tobytes()]).all(axis=1)
        if self._numbers is None:
            best = self._best_by_bounds(expanded, is_over, values, owners, on_path)
        else:
            best = self._best_by_numbers(self._numbers, expanded, is_over, values, owners, on_path)
        return None if best < 0 else children[best]

    def _best_by_bounds(
        self,
        expanded: Expanded,
        is_over: npt.NDArray[np.bool_],
        values: Numbers,
        owners: npt.NDArray[np.uint8],
        on_path: npt.NDArray[np.bool_],
    ) -> int:
        """Return the number of the move with the best bounds; -1 if its bounds are unknown."""
        entries, win_value = self._walk.look_up(expanded.children), self._walk.win_value
        low, high = (
            np.where(is_over, values, entries[:, 0]),
            np.where(is_over, values, entries[:, 1]),
        )
        has_bounds = on_path | is_over | (low > -win_value) | (high < win_value)
        same_owner = np.zeros(len(is_over), np.bool_)
        if not self._compiled.alternate:
            same_owner = owners == expanded.owners[0]
        low, high = np.where(same_owner, low, -high), np.where(same_owner, high, -low)
        if len(expanded.gains):
            low, high = low + expanded.gains, high + expanded.gains
        number = np.arange(len(is_over))
        is_stored = number == self._stored_move(expanded.keys)
        best = int(np.lexsort((-number, on_path, is_stored, high, low))[-1])
        return best if has_bounds[best] or is_stored[best] else -1

    def _stored_move(self, keys: Keys) -> int:
        """Return the number of the good move of a position's table entry, or -1.

        The table numbers the moves that were searched, which ``enough`` may have chosen.
        """
        number, rules = int(self._walk.look_up(keys)[0, 2]), self._compiled.rules
        if not rules.has_hook("enough"):
            return number
        position = rules.layout.unpack(keys[0])
        searched = list(rules.written.enough(position))
        if not searched:
            return number
        return rules.moves(position).index(searched[number]) if number < len(searched) else -1

    def _best_by_numbers(
        self,
        arrays: NumberArrays,
        expanded: Expanded,
        is_over: npt.NDArray[np.bool_],
        values: Numbers,
        owners: npt.NDArray[np.uint8],
        on_path: npt.NDArray[np.bool_],
    ) -> int:
        """Return the number of the move with the least work left; -1 if its work is unknown."""
        by_attacker = np.full(len(is_over), int(not self._attacks))
        if not self._compiled.alternate:
            by_attacker = (owners == arrays.attacker).astype(np.int64)
        entries = arrays.look_up_numbers(expanded.children, by_attacker)
        has_entry = on_path | is_over | entries.any(axis=1)
        work_left = np.where(has_entry, entries[:, 0 if self._attacks else 1], 1)
        is_won = np.where(by_attacker == 1, values, -values) > 0
        work_left[is_over] = np.where(is_won == self._attacks, 0, np.iinfo(np.int64).max)[is_over]
        number = np.arange(len(is_over))
        best = int(np.lexsort((-number, has_entry, -work_left, on_path))[-1])
        self._attacks = bool(by_attacker[best])
        return best if has_entry[best] else -1
