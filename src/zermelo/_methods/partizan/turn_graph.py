"""Positions with either player to move: rules in which a player may also pass, as the last move.

In a sum, a player may make several moves in a row in one part, as the other player moves elsewhere.
So the positions of a part are closed under moves, and under passing the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.expand.discovery import explore
from zermelo._engine.expand.expander import Buffers
from zermelo.errors import RulesError, ZermeloError

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo._engine.index.hash_index import HashIndex
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Kind

#: The most positions in which ``pass_turn`` is called in Python, and those in which compiled code
#: is compared with Python.
_PASSED_IN_PYTHON, _COMPARED = 1 << 9, 16
#: The outcome of a position to which the rules give none.
NONE = 2

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


class Passing:
    """Rules in which a player may pass, as the last move: an ``Expand``.

    Attributes:
        expand: the rules without passes: ``CompiledRules``, ``PlainRules`` or ``Components``.
        rules: the hooks.
        words: 64-bit words of a packed position.
        used: the bits of a one-word packed position that may differ from 0.
        alternate: whether the turn is not stored; see ``CompiledRules``.
        kind: the kind of values. If it has gains, the gain of a child is 1 for the last component
            of a move.
    """

    def __init__(self, expand: Any) -> None:
        """Store the rules without passes.

        Raises:
            RulesError: the rules cannot pass the turn.
        """
        self.expand = expand
        self.rules: Rules = expand.rules
        self._pass_all = _pass_function(self.rules, expand)
        self.words, self.used = expand.words, expand.used
        self.alternate: bool = expand.alternate
        self.kind: Kind = expand.kind
        self.explain, self.endless = expand.explain, expand.endless
        self.start_words = expand.start_words

    def __call__(self, keys: Words, begin: int, end: int, out: Buffers) -> tuple[int, int, int]:
        """Expand positions; arguments and result as for ``Expand``."""
        words, capacity = self.words, len(out.children) // self.words
        end = min(end, begin + max(1, capacity // 2))
        room = max(0, capacity - (end - begin))
        moves, gains = np.empty(room * words, np.uint64), np.empty(0, np.int64)
        if self.kind.gains:
            gains = np.empty(room, np.int64)
        buffers = replace(out, children=moves, gains=gains)
        count, move_count, status = self.expand(keys, begin, end, buffers)
        if count:
            ends = out.ends[:count]
            origins = np.repeat(np.arange(count), np.diff(ends, prepend=0))
            ends += np.arange(1, count + 1, dtype=np.int32)
            places = np.arange(move_count) + origins
            rows = out.children[: capacity * words].reshape(-1, words)
            rows[places] = moves[: move_count * words].reshape(-1, words)
            rows[ends - 1] = self.after_pass(keys[begin * words : (begin + count) * words])
            if self.kind.gains:
                out.gains[places] = gains[:move_count]
                out.gains[ends - 1] = 1
        return count, move_count + count, status

    def after_pass(self, packed: Words) -> Words:
        """Return packed positions with the other player to move, shape (n, words)."""
        turned = self._pass_all(np.ascontiguousarray(packed).reshape(-1, self.words))
        flat = np.ascontiguousarray(turned).reshape(-1)
        canonical: Words = self.expand.canonical(flat, len(turned))
        return canonical.reshape(-1, self.words)


@dataclass
class TurnGraph:
    """All positions that follow from the starts by moves of either player in any order.

    Attributes:
        rules: the rules.
        keys: packed positions, shape (n, words), the starts first.
        starts: the number of starts.
        first: the beginning of each position's moves in ``children``, and the end of the last.
        children: the number of the successor by each move; if positions are split, those of all
            components of the successor, one after another.
        is_last: whether each child is the last component of a move; empty if positions are not
            split.
        after_pass: the number of the same position with the other player to move.
        outcome: WIN, DRAW or LOSS for the player to move if the rules say that the game is over, or
            if there are no moves; otherwise NONE.
        owner: the player to move, or None if the game has no ``turn``.
        index: finds a packed position in ``keys``.
    """

    rules: Rules
    keys: Words
    starts: int
    first: Numbers
    children: Numbers
    is_last: npt.NDArray[np.bool_]
    after_pass: Numbers
    outcome: npt.NDArray[np.int8]
    owner: npt.NDArray[np.uint8] | None
    index: HashIndex | Any

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.after_pass)

    def find(self, keys: Words) -> Numbers:
        """Return the numbers of packed positions, shape (n, words), or -1 for other positions."""
        numbers = np.empty(len(keys), np.int64)
        flat = np.ascontiguousarray(keys).reshape(-1)
        self.index.find(flat, len(keys), self.keys.reshape(-1), numbers)
        return numbers

    def position(self, number: int) -> Any:
        """Return the position with a number."""
        return self.rules.layout.unpack(self.keys[number])


def explore_turns(
    expand: Any,
    budget: GraphMemory,
    threads: int,
    report: Reporter,
    abandon: Callable[[Sequence[int]], bool] | None = None,
) -> TurnGraph:
    """Return all positions that follow by moves of either player in any order.

    Args:
        expand: the rules: ``CompiledRules``, ``PlainRules`` or ``Components``.
        budget: the memory of the graph.
        threads: threads to use.
        report: receives the number of positions found.
        abandon: ends the exploration; see ``explore``.

    Raises:
        RulesError: a player may move twice in a row, or the rules cannot pass the turn.
        BudgetError: there are too many positions.
    """
    passing = Passing(expand)
    graph = explore(
        passing, passing.start_words(), budget, threads, report, may_drop=False, abandon=abandon
    )
    turns = _without_passes(passing, graph)
    _check_passing(turns)
    return turns


def _without_passes(passing: Passing, graph: Graph) -> TurnGraph:
    """Return a graph whose last move of each position is a pass, with passes apart."""
    last = graph.first[1:] - 1  # the indices of the passes
    moves = np.ones(len(graph.edges), np.bool_)
    moves[last] = False
    is_over = graph.values != passing.kind.unknown
    outcome = np.full(graph.positions, NONE, np.int8)
    outcome[is_over] = passing.kind.outcomes(graph.values[is_over])
    return TurnGraph(
        passing.rules,
        graph.keys.reshape(-1, graph.words),
        graph.starts,
        graph.first - np.arange(graph.positions + 1),
        graph.edges[moves].astype(np.int64),
        graph.gains[moves] != 0 if len(graph.gains) else np.empty(0, np.bool_),
        graph.edges[last].astype(np.int64),
        outcome,
        None if passing.alternate else graph.owners,
        graph.table,
    )


def _check_passing(graph: TurnGraph) -> None:
    """Check that the turn passes with each move, and that passing it twice changes nothing.

    Raises:
        RulesError: it does not.
    """
    rules, numbers = graph.rules, np.arange(len(graph))
    unstable = np.flatnonzero(graph.after_pass[graph.after_pass] != numbers)
    if len(unstable):
        position = graph.position(int(unstable[0]))
        turned = rules.pass_turn(position)
        message = (
            f"{rules.name}.pass_turn() turns {position!r} into {turned!r}, but not {turned!r} back "
            f"into {position!r}; correct it, and run zermelo check"
        )
        raise RulesError(message)
    if graph.owner is None:
        return
    same_owner = np.flatnonzero(graph.owner[graph.after_pass] == graph.owner)
    if len(same_owner):
        position = graph.position(int(same_owner[0]))
        message = (
            f"{rules.name}.pass_turn({position!r}) leaves the turn where it is; return the "
            "position with the other player to move"
        )
        raise RulesError(message)
    mover = np.repeat(graph.owner, np.diff(graph.first))
    double_turns = np.flatnonzero(graph.owner[graph.children] == mover)
    if len(double_turns):
        child = int(double_turns[0])
        number = int(np.searchsorted(graph.first, child, side="right")) - 1
        position, moves_before = graph.position(number), child - int(graph.first[number])
        if len(graph.is_last):  # a move has a child for each component
            moves_before = int(np.count_nonzero(graph.is_last[graph.first[number] : child]))
        move = rules.moves(position)[moves_before]
        message = (
            f"{rules.name}: after the move {move!r} from {position!r}, it is the same player's "
            "turn; in a sum, the turn has to pass with each move"
        )
        raise RulesError(message)


def _pass_function(rules: Rules, expand: Any) -> Callable[[Words], Words]:
    """Return a function that passes the turn in packed positions, shape (n, words).

    Args:
        rules: the hooks.
        expand: the rules, which may have been compiled.

    Raises:
        RulesError: the rules cannot do that.
    """
    layout, place = rules.layout, rules.turn_index
    if not rules.passes:
        if rules.alternate:  # assumed to be impartial, so that a position is the same for both
            return lambda keys: keys
        rules.pass_turn(rules.game.start())  # raises
    if rules.has_hook("pass_turn"):
        return _AskedPasses(rules, expand)

    def flip(keys: Words) -> Words:
        rows = layout.unpack_many(keys)
        rows[:, place] = 1 - rows[:, place]
        return layout.pack_many(rows)[0]

    return flip


class _AskedPasses:
    """Calls of ``pass_turn``, compiled if there are many and the hook can be compiled."""

    def __init__(self, rules: Rules, expand: Any) -> None:
        self._rules = rules
        self._expand = expand
        self._asked = 0
        self._compiled: Any = None

    def __call__(self, keys: Words) -> Words:
        """Return packed positions with the other player to move, shape (n, words)."""
        self._asked += len(keys)
        if self._compiled is None and self._asked > _PASSED_IN_PYTHON:
            self._compiled = self._expand.with_passed_turns() or False
            # Compiled rules may differ from Python's, in the width of numbers.
            first = keys[:_COMPARED]
            passed = self._fast(first) if self._compiled else None
            if passed is None or not np.array_equal(passed, self._slow(first)):
                self._compiled = False
        fast = self._fast(keys) if self._compiled else None
        return self._slow(keys) if fast is None else fast

    def _fast(self, keys: Words) -> Words | None:
        passed: Words | None = self._compiled.passed(keys.reshape(-1), len(keys))
        return None if passed is None else passed.reshape(keys.shape)

    def _slow(self, keys: Words) -> Words:
        layout = self._rules.layout
        positions = [_position_after_pass(self._rules, layout.unpack(key)) for key in keys]
        return np.array([layout.pack(position) for position in positions], np.uint64)


def _position_after_pass(rules: Rules, position: Any) -> Any:
    try:
        return rules.pass_turn(position)
    except ZermeloError:
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        message = f"{rules.name}.pass_turn({position!r}) raised {problem}; run zermelo check"
        raise RulesError(message) from error
