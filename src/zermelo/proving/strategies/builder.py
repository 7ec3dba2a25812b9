"""Building of a strategy: from the root position through all replies, move by move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from zermelo.errors import UnprovedError
from zermelo.proving.strategies.replies import (
    NO_MOVE,
    Claim,
    Expanded,
    Keys,
    NextPositions,
    Numbers,
    Replies,
    WrongStrategyError,
)
from zermelo.proving.strategies.strategy import Strategy
from zermelo.proving.tables import KnownPositions, best_table_moves

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.search.table_positions import TablePositions

#: Less than any value that can be claimed.
_NO_CLAIM = -(1 << 30)
#: Positions that are expanded in one batch, so that most take account of the others' moves: a part
#: of the known ones, as a divisor, and at least _LEAST_BATCH.
_BATCH_DIVISOR, _LEAST_BATCH = 32, 16
#: The most moves of a position that are all compared; the node limit of a test whether one is as
#: good, and a larger limit while there are few positions.
_MOST_COMPARED, _SHORT_TEST, _LONG_TEST, _FEW_POSITIONS = 12, 64, 1 << 14, 1 << 12


class Chooser(Protocol):
    """A search that chooses moves; ``turns`` is arbitrary if the players alternate."""

    def securing_children(self, rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers) -> Keys:
        """Return a child of each position that secures ``least``, up to the first without one."""

    def test_bounds(
        self, rows: Keys, turns: npt.NDArray[np.uint8], least: Numbers, *, node_limit: int
    ) -> npt.NDArray[np.int8]:
        """Return 1 if the value is at least ``least``, -1 if it is not, 0 at the node limit."""


def build_strategy(
    compiled: CompiledRules,
    packed: Keys,
    owner: int,
    claim: Claim,
    chooser: Chooser,
    best: Keys | None,
    advance: Callable[[int], None],
    table_positions: TablePositions | KnownPositions | None = None,
) -> Strategy:
    """Build a strategy.

    Args:
        compiled: the rules, canonicalising as they were searched.
        packed: the words of the root position.
        owner: the player to move there.
        claim: the claim to prove.
        chooser: chooses good moves.
        best: the packed child of the root's move, or None.
        advance: called with the number of positions from time to time.
        table_positions: positions of solved tables, which give the moves there, or None.

    Raises:
        WrongStrategyError: the moves do not secure the claim, or form a cycle.
        RulesError: a rule breaks the contract.
    """
    return _Builder(compiled, owner, claim, chooser, best, table_positions).run(packed, advance)


class _Builder:
    """The positions reached so far, numbered breadth first, with the value claimed in each."""

    def __init__(
        self,
        compiled: CompiledRules,
        owner: int,
        claim: Claim,
        chooser: Chooser,
        best: Keys | None,
        table_positions: TablePositions | KnownPositions | None,
    ) -> None:
        from zermelo._engine.core.ledger import Ledger
        from zermelo._engine.core.memory import Arena
        from zermelo._engine.index.hash_index import HashIndex

        self._replies = Replies(compiled, owner, claim)
        self._compiled, self._claim, self._chooser = compiled, claim, chooser
        self._best, self._tabled = best, table_positions
        self._words = compiled.words
        limit = Ledger.for_budget(None).allowed
        self._index = HashIndex(compiled.words, compiled.used)
        self._keys = Arena(np.uint64, limit)
        self._least = Arena(np.int32, limit)
        self._moves = Arena(np.uint16, limit)
        self._over = Arena(np.uint8, limit)
        self._count = self._head = 0
        #: The first position of each layer; ``_is_layered`` is whether moves lead to later layers
        #: only.
        self._layers = [0]
        self._is_layered = True
        self._raised_positions: list[Numbers] = []

    def run(self, packed: Keys, advance: Callable[[int], None]) -> Strategy:
        """Build the strategy, breadth first from the root position."""
        replies = self._replies
        first = replies.first_positions(packed)
        self._require_values(first.keys, first.required)
        self._layers.append(self._count)
        while self._raised_positions or self._head < self._count:
            if (
                self._raised_positions
            ):  # positions whose required value rose after they were expanded
                numbers = np.unique(np.concatenate(self._raised_positions))
                self._raised_positions = []
            else:
                if self._head == self._layers[-1]:
                    self._layers.append(self._count)
                step = min(max(self._count // _BATCH_DIVISOR, _LEAST_BATCH), replies.batch)
                end = min(self._head + step, self._layers[-1])
                numbers = np.arange(self._head, end)
                self._head = end
            for part in replies.batches(len(numbers)):
                self._expand(numbers[part])
            advance(self._head)
        return self._strategy()

    def _expand(self, numbers: Numbers) -> None:
        """Choose moves in positions, and number the positions that play reaches from there."""
        replies = self._replies
        packed = self._keys.array[: self._count * self._words]  # may end mid-position
        keys = packed.reshape(-1, self._words)[numbers]
        least = self._least.array[numbers].astype(np.int64)
        expanded = replies.expand(keys)
        is_own = replies.is_own_turn(expanded)
        replies.check_over(expanded, is_own, least)
        self._over.array[numbers] = expanded.over
        unfinished = np.flatnonzero(~expanded.over)
        if not len(unfinished):
            return
        if len(unfinished) < len(numbers):
            numbers, least, is_own = numbers[unfinished], least[unfinished], is_own[unfinished]
            expanded = _select_rows(expanded, unfinished)
        if self._best is not None:  # this batch is the root position alone
            moves, as_good = self._move_numbers(expanded, is_own, self._best), np.zeros(0, np.int64)
            self._best = None
        else:
            moves, as_good = self._good_moves(expanded, is_own, least)
        moves, arrivals = self._fewest_new(expanded, moves, as_good, is_own, least)
        if (is_own & (moves >= NO_MOVE)).any():
            message = (
                f"{self._compiled.rules.name} has positions with more than {NO_MOVE:,} moves, so "
                "no strategy can be stored; the value stands, and solve() finds moves everywhere"
            )
            raise UnprovedError(message)
        self._moves.array[numbers] = moves
        self._number_arrivals(numbers, arrivals)

    def _good_moves(
        self, expanded: Expanded, is_own: npt.NDArray[np.bool_], least: Numbers
    ) -> tuple[Numbers, Numbers]:
        """Return the number of a good move in each position, and the equally good moves.

        The equally good moves are of positions of the strategy's player, and may include the chosen
        ones.
        """
        no_moves = np.zeros(0, np.int64)
        if self._tabled is not None:  # tables give the fastest win
            table_moves = best_table_moves(self._tabled, self._replies, expanded)
            by_search = is_own & (table_moves < 0)
            return np.where(
                is_own & ~by_search, table_moves, self._searched_moves(expanded, by_search, least)
            ), no_moves
        counts, origins = expanded.ends - expanded.begins, expanded.origins
        # If the players do not alternate, the number of replies is not known so early.
        is_compared = is_own & (counts > 1) & (counts <= _MOST_COMPARED) & self._compiled.alternate
        edges = np.flatnonzero(is_compared[origins])
        targets = self._replies.targets_and_ends(expanded, edges, is_own, least)
        ends = edges[targets.known > 0]
        ends_game = np.zeros(len(is_own), np.bool_)
        ends_game[origins[ends]] = True
        undecided = np.flatnonzero((targets.known == 0) & ~ends_game[origins[edges]])
        own_turns, required = targets.own[undecided], targets.required[undecided]
        verdicts = self._chooser.test_bounds(
            targets.keys[undecided],
            targets.turns[undecided],
            np.where(own_turns, required, 1 - required),
            node_limit=_LONG_TEST if self._count < _FEW_POSITIONS else _SHORT_TEST,
        )
        as_good = edges[undecided[np.where(own_turns, verdicts, -verdicts) > 0]]
        moves = self._searched_moves(expanded, is_own & ~ends_game, least)
        # A move that ends the game is best.
        moves[origins[ends[::-1]]] = ends[::-1] - expanded.begins[origins[ends[::-1]]]
        return moves, as_good

    def _searched_moves(
        self, expanded: Expanded, is_own: npt.NDArray[np.bool_], least: Numbers
    ) -> Numbers:
        """Return the number of the move that the search finds in some positions."""
        rows = np.flatnonzero(is_own)
        if not len(rows):
            return np.full(len(is_own), NO_MOVE)
        turns = expanded.owners if len(expanded.owners) else np.zeros(len(is_own), np.uint8)
        queries = expanded.keys[rows], turns[rows], least[rows]
        children = self._chooser.securing_children(*queries)
        if len(children) < len(rows):
            position = expanded.keys[rows[len(children)]]
            raise WrongStrategyError(position, "the strategy has no move there")
        return self._move_numbers(expanded, is_own, children)

    def _move_numbers(
        self, expanded: Expanded, is_own: npt.NDArray[np.bool_], targets: Keys
    ) -> Numbers:
        """Return the numbers of the moves from some positions to the children ``targets``."""
        from zermelo._engine.search.move_numbers import number_moves

        numbers, rows = np.full(len(is_own), NO_MOVE), np.flatnonzero(is_own)
        children, gains = expanded.children.reshape(-1), expanded.gains
        illegal_row = number_moves(
            children, expanded.ends, gains, rows, targets.reshape(-1), numbers
        )
        if illegal_row >= 0:
            position = expanded.keys[illegal_row]
            raise WrongStrategyError(position, "the strategy goes where no move leads there")
        return numbers

    def _fewest_new(
        self,
        expanded: Expanded,
        moves: Numbers,
        as_good: Numbers,
        is_own: npt.NDArray[np.bool_],
        least: Numbers,
    ) -> tuple[Numbers, NextPositions]:
        """Return the moves to the fewest new positions, and the positions that play reaches.

        Args:
            expanded: the positions, none of them terminal.
            moves: the number of a good move in each.
            as_good: the equally good moves, as indices into all moves.
            is_own: whether the strategy's player is to move, for each position.
            least: the value claimed in each.
        """
        all_origins, begins = expanded.origins, expanded.begins
        is_considered = ~is_own[all_origins] | (
            np.arange(len(all_origins)) - begins[all_origins] == moves[all_origins]
        )
        is_considered[as_good] = True
        edges = np.flatnonzero(is_considered)
        arrivals = self._replies.after_replies(expanded, edges, is_own, least)
        rows, numbers = all_origins[edges], edges - begins[all_origins[edges]]
        known_numbers = self._numbers_of(arrivals.keys)
        is_new = (known_numbers < 0) | (
            self._least.array[np.maximum(known_numbers, 0)] < arrivals.required
        )
        weights = np.bincount(arrivals.origins[is_new], minlength=len(edges))
        # Ties: first the move that the search found, then the first move.
        order = np.lexsort((numbers, numbers != moves[rows], weights, rows))
        best = order[np.unique(rows[order], return_index=True)[1]]
        is_chosen = ~is_own[rows]
        is_chosen[best] = True
        is_reached = is_chosen[arrivals.origins]
        origins, keys, required = (
            rows[arrivals.origins[is_reached]],
            arrivals.keys[is_reached],
            arrivals.required[is_reached],
        )
        next_positions = NextPositions(origins, keys, required, arrivals.positions, arrivals.moves)
        return np.where(is_own, numbers[best], NO_MOVE), next_positions

    def _numbers_of(self, keys: Keys) -> Numbers:
        """Return the numbers of positions, -1 for those without one."""
        numbers = np.empty(len(keys), np.int64)
        flat = np.ascontiguousarray(keys).reshape(-1)
        self._index.find(flat, len(keys), self._keys.array, numbers)
        return numbers

    def _number_arrivals(self, numbers: Numbers, arrivals: NextPositions) -> None:
        """Number the positions that play reaches, and store the values required there."""
        if arrivals.required.max(initial=0) > self._claim.win_value:
            row = int(arrivals.required.argmax())
            raise WrongStrategyError(arrivals.keys[row], "play can go round for ever there")
        targets = self._require_values(arrivals.keys, arrivals.required)
        if self._is_layered and self._replies.ordered and len(targets):
            layers = np.array(self._layers)
            next_layers = layers[np.searchsorted(layers[:-1], numbers, "right")]
            self._is_layered = not (targets < next_layers[arrivals.origins]).any()

    def _require_values(self, keys: Keys, required: Numbers) -> Numbers:
        """Return the numbers of positions; queue those whose required value rose."""
        from zermelo._engine.index.hash_index import entries_for

        count, words, old_count = len(keys), self._words, self._count
        stored = self._keys.ensure((old_count + count) * words, old_count * words)
        if self._index.is_full(old_count + count):
            self._index.grow(entries_for(old_count + count), stored, old_count, direct=False)
        numbers = np.empty(count, np.uint32)
        flat = np.ascontiguousarray(keys).reshape(-1)
        self._count = self._index.insert(flat, count, stored, old_count, numbers, 0)
        for arena in (self._least, self._moves, self._over):
            arena.ensure(self._count, old_count)
        least = self._least.array
        least[old_count : self._count] = _NO_CLAIM
        places = numbers.astype(np.int64)
        raised = (required > least[places]) & (places < self._head)
        np.maximum.at(least, places, required.astype(np.int32))
        if raised.any():
            self._raised_positions.append(places[raised])
        return places

    def _strategy(self) -> Strategy:
        """Return the strategy, with its positions in ascending order."""
        from zermelo._engine.sort.sorted_keys import ascending

        count, words = self._count, self._words
        unfinished = np.flatnonzero(self._over.array[:count] == 0)
        rows = self._keys.array[: count * words].reshape(-1, words)
        order = unfinished[ascending(rows[unfinished].reshape(-1), words)]
        ranks = np.zeros(0, np.uint32)
        if self._replies.ordered and self._is_layered:
            layers = np.array(self._layers)
            ranks = (len(layers) - np.searchsorted(layers, order, "right")).astype(np.uint32)
        strategy = Strategy(
            self._compiled,
            self._claim,
            rows[order].reshape(-1),
            self._moves.array[order],
            self._least.array[order],
            ranks,
        )
        if self._replies.ordered and not self._is_layered:
            strategy.ranks = self._ranks(strategy)
        return strategy

    def _ranks(self, strategy: Strategy) -> npt.NDArray[np.uint32]:
        """Return numbers that decrease along all play by a strategy.

        Raises:
            WrongStrategyError: play can form a cycle.
        """
        arcs = []
        for part in self._replies.batches(len(strategy.least)):
            expanded = self._replies.expand(strategy.rows[part])
            values = strategy.least[part].astype(np.int64)
            next_positions = self._replies.after_moves(
                expanded, strategy.moves[part].astype(np.int64), values
            )
            targets = strategy.places(next_positions.keys)
            is_inside = targets >= 0
            arcs.append(
                np.stack([next_positions.origins[is_inside] + part.start, targets[is_inside]])
            )
        rounds = _topological_ranks(np.concatenate(arcs, axis=1), len(strategy.least))
        if rounds is None:
            root = self._keys.array[: self._words]
            raise WrongStrategyError(root, "play by the strategy can go round for ever")
        ranks: npt.NDArray[np.uint32] = (rounds.max(initial=0) - rounds).astype(np.uint32)
        return ranks


def _select_rows(expanded: Expanded, rows: Numbers) -> Expanded:
    """Return the expansion of some positions, which are those that are not terminal."""
    owners = expanded.owners[rows] if len(expanded.owners) else expanded.owners
    counts = (expanded.ends - expanded.begins)[rows]
    is_kept = ~np.repeat(expanded.over, expanded.ends - expanded.begins)
    gains = expanded.gains[is_kept] if len(expanded.gains) else expanded.gains
    return Expanded(
        expanded.keys[rows],
        expanded.over[rows],
        expanded.terminal_values[rows],
        owners,
        np.cumsum(counts),
        expanded.children[is_kept],
        gains,
    )


def _topological_ranks(arcs: Numbers, count: int) -> Numbers | None:
    """Return for each position a number that increases along every arc.

    None if arcs form a cycle.
    """
    begins, ends = arcs
    order = np.argsort(begins, kind="stable")
    begins, ends = begins[order], ends[order]
    first = np.searchsorted(begins, np.arange(count + 1))
    in_degrees = np.bincount(ends, minlength=count)
    ready = np.flatnonzero(in_degrees == 0)
    ranks = np.zeros(count, np.int64)
    removed_count = 0
    rank = 0
    while len(ready):
        ranks[ready] = rank
        rank, removed_count = rank + 1, removed_count + len(ready)
        sizes = first[ready + 1] - first[ready]
        offsets = np.repeat(first[ready] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
        targets = ends[np.arange(sizes.sum()) + offsets]
        np.subtract.at(in_degrees, targets, 1)
        targets = np.unique(targets)
        ready = targets[in_degrees[targets] == 0]
    return ranks if removed_count == count else None
