"""Pursuit on a graph: who wins, and in how many plies, for every placement and either to move.

Rounds: what is decided in round r has remoteness r, and follows from what round r - 1 decided.
A round that decides much goes by rows of bits (``pursuit_bits``), one that decides little goes
placement by placement (``pursuit_lists``), so that a long chase does not cost its length times
the size of the board. Threads share rows, and no row depends on another of its round: the
answer is the same for any number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine import pursuit_bits, pursuit_lists
from zermelo._engine.budget import readable
from zermelo._engine.jit import kernel
from zermelo._engine.memory import zeros
from zermelo._engine.pursuit_board import Board, Moves
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.uint8]

#: The greatest mark that 16 bits hold.
NARROW = (1 << 15) - 1
#: Words handled in a step that are worth waking another thread for.
_WORTH_SHARING = 1 << 20
#: What going by lists costs, by the placement and edge, in words of a row handled.
_LIST_COST = 4
_SHARES = 8  # a thread: rows differ in what they cost


@dataclass
class Turn:
    """What is known of the placements in which one side, or one pursuer, is to move.

    Attributes:
        marks: remoteness + 1 where the mover wins, minus that where it loses, 0 where nobody can
            force an end; shape (rows, columns), rows being the evader's nodes in its turn, and
            teams of pursuers in theirs (the first pursuer's node counts most).
    """

    moves: Moves
    stride: int
    rows: int
    bits: int
    live: Words
    dead: Flags
    closed: Flags
    changed: Flags
    touched: Flags
    win: Words
    lose: Words
    fresh_win: Words
    fresh_lose: Words
    narrow: npt.NDArray[np.int16]
    wide: npt.NDArray[np.int32]
    good: Words = field(default_factory=lambda: np.empty((0, 0), np.uint64))
    bad: Words = field(default_factory=lambda: np.empty((0, 0), np.uint64))
    stages: list[_Stage] = field(default_factory=list)
    back: Moves | None = None
    listed: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def marks(self) -> npt.NDArray[Any]:
        """The marks; see the class."""
        flat: npt.NDArray[Any] = self.wide if self.wide.size else self.narrow
        return flat.reshape(self.rows, self.bits)

    @property
    def words(self) -> int:
        """Words of a row."""
        return self.win.shape[1]


@dataclass
class _Stage:
    """One pursuer's part of a move of several together, kept from round to round."""

    moves: Moves
    stride: int
    good: Words
    bad: Words
    touched: Flags


def needed(board: Board) -> int:
    """Return the bytes that solving takes at the most, if no chase is longer than 16 bits."""
    n, teams = board.size, board.teams
    a_mark = 2 * board.turns * n * teams
    evaders, pursuers = n * _words(teams), teams * _words(n)
    staged = 2 * (len(board.pursuers) - 1) if board.together else 0
    own = board.turns - 1
    words = 6 * evaders + (4 * own + 2 + staged) * pursuers
    return a_mark + 8 * words + 8 * (n + teams)


def solve(
    board: Board, allowed: int, threads: int, report: Reporter
) -> tuple[list[Turn], int, int]:
    """Decide every placement.

    Args:
        board: the pursuit.
        allowed: bytes that may be taken.
        threads: threads to use at the most.
        report: is told how many placements are decided.

    Returns:
        The turns, the evader's first and then the pursuers' in the order they move; how many
        rounds it took; and the most bytes that were taken.

    Raises:
        BudgetError: more bytes are needed than are allowed.
    """
    need = needed(board)
    _check(need, allowed, board)
    with report.phase("pursuit", board.turns * board.size * board.teams):
        turns, decided = _begin(board)
        with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-pursuit") as pool:
            solver = _Solver(turns, board.together, pool, threads)
            fresh, rounds = decided, 0
            while fresh:
                report.advance(decided)
                if rounds + 2 == NARROW + 1:
                    need += 2 * sum(turn.narrow.nbytes for turn in turns)
                    _check(need, allowed, board)
                    for turn in turns:
                        turn.wide = turn.narrow.astype(np.int32)
                        turn.narrow = np.empty(0, np.int16)
                fresh = solver.round(rounds + 2, fresh)
                decided += fresh
                rounds += bool(fresh)
        report.advance(decided)
    return turns, rounds, need


def _check(need: int, allowed: int, board: Board) -> None:
    if need > allowed:
        placements = board.turns * board.size * board.teams
        message = (
            f"a pursuit of {placements:,} placements needs {readable(need)}, and "
            f"{readable(allowed)} are allowed; allow more memory, or take a smaller graph or "
            "fewer pursuers"
        )
        raise BudgetError(message, need, allowed)


def _words(bits: int) -> int:
    return (bits + 63) >> 6


def _matrix(rows: int, bits: int) -> Words:
    words = _words(bits)
    return zeros(rows * words, np.uint64).reshape(rows, words)


def _as_bits(flags: npt.NDArray[np.bool_]) -> Words:
    padded = np.zeros(_words(len(flags)) * 64, np.bool_)
    padded[: len(flags)] = flags
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)


def _any_of(flags: npt.NDArray[np.bool_], pursuers: int) -> npt.NDArray[np.bool_]:
    """Return, by team, whether a flag is set for any of its members."""
    return _any_member([flags] * pursuers)


def _any_member(flags: Sequence[npt.NDArray[np.bool_]]) -> npt.NDArray[np.bool_]:
    team = np.zeros(1, np.bool_)
    for of_one in flags:
        team = (team[:, np.newaxis] | of_one).reshape(-1)
    return team


def _begin(board: Board) -> tuple[list[Turn], int]:
    """Make the turns, with what the rules decide decided; return also how much that is."""
    n, k, teams = board.size, len(board.pursuers), board.teams
    dead = _any_of(board.forbidden, k)
    stuck = [np.diff(moves.indptr) == 0 for moves in board.pursuers]
    strides = [n ** (k - 1 - i) for i in range(k)]
    nowhere = np.zeros(n, np.bool_)
    everywhere = np.ones(n, np.bool_)

    kinds = np.where(board.safe, 1, np.where(np.diff(board.evader.indptr) == 0, 2, 0))
    turns = [_turn(board.evader, 1, n, ~dead, nowhere)]
    decided = _terminals(turns[0], kinds, nowhere, board, own=0)
    movers = [(0, _any_member(stuck))] if board.together else []
    for i in range(0 if board.together else k):
        alone = [stuck[j] if j == i else nowhere for j in range(k)]
        movers.append((i, _any_member(alone)))
    for i, helpless in movers:
        turn = _turn(board.pursuers[i], strides[i], teams, everywhere, dead)
        kinds = np.where(dead, 3, np.where(helpless, 4, 0))
        decided += _terminals(turn, kinds, board.safe, board, own=1)
        if board.together:
            turn.stages = [
                _Stage(
                    board.pursuers[j],
                    strides[j],
                    _matrix(teams, n),
                    _matrix(teams, n),
                    np.zeros(teams, np.uint8),
                )
                for j in range(k - 1, 0, -1)
            ]
        turns.append(turn)
    for u, turn in enumerate(turns):
        after = turns[(u + 1) % len(turns)]
        if _turned(u, len(turns)):
            turn.good, turn.bad = _matrix(turn.rows, turn.bits), _matrix(turn.rows, turn.bits)
        else:
            turn.good, turn.bad = after.win, after.lose
    return turns, decided


def _turned(u: int, turns: int) -> bool:
    """Whether the turn after the u-th belongs to the other side."""
    return u in (0, turns - 1)


def _turn(
    moves: Moves,
    stride: int,
    rows: int,
    live: npt.NDArray[np.bool_],
    dead: npt.NDArray[np.bool_],
) -> Turn:
    bits = len(live)
    return Turn(
        moves,
        stride,
        rows,
        bits,
        _as_bits(live),
        dead.astype(np.uint8),
        *(np.zeros(rows, np.uint8) for _ in range(3)),
        *(_matrix(rows, bits) for _ in range(4)),
        zeros(rows * bits, np.int16),
        np.empty(0, np.int32),
    )


def _terminals(
    turn: Turn, kinds: npt.NDArray[Any], columns: npt.NDArray[np.bool_], board: Board, own: int
) -> int:
    lost = columns if own else np.zeros(turn.bits, np.bool_)
    return int(
        pursuit_bits.terminals(
            kinds.astype(np.uint8),
            _as_bits(lost),
            len(board.pursuers),
            board.size,
            own,
            turn.live,
            turn.win,
            turn.lose,
            turn.fresh_win,
            turn.fresh_lose,
            turn.changed,
            turn.closed,
            turn.narrow,
            turn.bits,
        )
    )


class _Solver:
    """Does the rounds."""

    def __init__(
        self, turns: list[Turn], together: bool, pool: ThreadPoolExecutor, threads: int
    ) -> None:
        self.turns = turns
        self.pool = pool
        self.threads = threads
        self.by_lists = False
        #: A move of several at once has too many ways back to follow one by one.
        self.listable = not (together and turns[-1].stages)
        self.words = sum(turn.rows * turn.words for turn in turns)
        degree = max(turn.moves.degree for turn in turns)
        self.row_cost = self.words * (1 + degree / 8)
        self.list_cost = _LIST_COST * max(1.0, degree) * (1 + min(degree, 8))
        self._carry()

    def round(self, mark: int, fresh: int) -> int:
        """Decide what has this mark; return how many placements that is."""
        lists = self.listable and fresh * self.list_cost < self.row_cost
        if lists and not self.by_lists:
            self._list()
        elif self.by_lists and not lists:
            self._unlist()
        self.by_lists = lists
        return self._round_by_lists(mark) if lists else self._round_by_rows(mark)

    # -- by rows ------------------------------------------------------------------------------

    def _round_by_rows(self, mark: int) -> int:
        decided = 0
        for u in [*range(1, len(self.turns)), 0]:
            decided += self._step(self.turns[u], mark)
        self._carry()
        return decided

    def _step(self, turn: Turn, mark: int) -> int:
        good, bad, touched = turn.good, turn.bad, turn.touched
        for stage in turn.stages:
            into = (good, bad, touched, stage.good, stage.bad, stage.touched)
            head = (stage.moves.indptr, stage.moves.indices, stage.stride)
            self._share(pursuit_bits.gather, head, into, turn.rows, turn.words, stage.moves.degree)
            good, bad, touched = stage.good, stage.bad, stage.touched
        tail = (
            *(good, bad, touched, turn.live, turn.win, turn.lose),
            *(turn.fresh_win, turn.fresh_lose, turn.changed, turn.closed),
            *(turn.narrow, turn.wide, mark, turn.bits),
        )
        head = (turn.moves.indptr, turn.moves.indices, turn.stride)
        degree = turn.moves.degree
        return self._share(pursuit_bits.step, head, tail, turn.rows, turn.words, degree)

    def _carry(self) -> None:
        """Show each turn what has become of the next."""
        for u, turn in enumerate(self.turns):
            after = self.turns[(u + 1) % len(self.turns)]
            if not _turned(u, len(self.turns)):
                np.copyto(turn.touched, after.changed)
                continue
            head = (after.fresh_lose, after.fresh_win, after.changed)
            head = (*head, turn.good, turn.bad, turn.touched)
            self._share(pursuit_bits.turn_over, head, (), after.words, after.rows, 1.0)

    def _share(
        self,
        work: Callable[..., Any],
        head: tuple[Any, ...],
        tail: tuple[Any, ...],
        count: int,
        words: int,
        degree: float,
    ) -> int:
        """Do items 0 to ``count`` of a kernel's work, on several threads where it is worth it."""
        whole = not tail  # a kernel that takes its range last
        if self.threads == 1 or count * words * degree < _WORTH_SHARING:
            done = work(*head, 0, count) if whole else work(*head, 0, count, *tail)
            return int(done or 0)
        size = -(-count // (_SHARES * self.threads))
        size = -(-size // 8) * 8
        ranges = [(low, min(low + size, count)) for low in range(0, count, size)]
        jobs = [self.pool.submit(work, *head, low, high, *tail) for low, high in ranges]
        return sum(int(job.result() or 0) for job in jobs)

    # -- by lists -----------------------------------------------------------------------------

    def _list(self) -> None:
        """List what the last round decided."""
        for turn in self.turns:
            turn.back = turn.back or _reversed(turn.moves)
            found = pursuit_bits.count_fresh(turn.fresh_win, turn.fresh_lose, turn.changed)
            turn.listed = np.empty(found, np.int64)
            fresh = (turn.fresh_win, turn.fresh_lose, turn.changed)
            pursuit_lists.collect(*fresh, turn.bits, turn.listed)

    def _unlist(self) -> None:
        """Mark the rows that the last round changed."""
        for u, turn in enumerate(self.turns):
            after = self.turns[(u + 1) % len(self.turns)]
            turned = int(_turned(u, len(self.turns)))
            listed = (after.listed, len(after.listed), after.bits)
            pursuit_lists.touch(*listed, turned, turn.touched)

    def _round_by_lists(self, mark: int) -> int:
        made = [self._follow(u, mark) for u in range(len(self.turns))]
        for turn, listed in zip(self.turns, made, strict=True):
            turn.listed = listed
        return sum(map(len, made))

    def _follow(self, u: int, mark: int) -> npt.NDArray[np.int64]:
        turn, after = self.turns[u], self.turns[(u + 1) % len(self.turns)]
        turned = _turned(u, len(self.turns))
        before = self.turns[u - 1]
        viewed = _turned((u - 1) % len(self.turns), len(self.turns))
        none = np.empty((0, 0), np.uint64)
        back = turn.back or _reversed(turn.moves)
        n = len(turn.moves.indptr) - 1
        out = np.empty(n + max(64, 2 * len(after.listed)), np.int64)
        head = made = 0
        while True:
            head, made = pursuit_lists.follow(
                *(after.listed, head, len(after.listed), after.bits, int(turned), int(not turned)),
                *(after.narrow, after.wide, turn.moves.indptr, turn.moves.indices),
                *(back.indptr, back.indices, turn.stride, turn.dead, turn.win, turn.lose),
                *(turn.narrow, turn.wide, turn.bits),
                *((before.good, before.bad) if viewed else (none, none)),
                *(mark, out, made),
            )
            if head == len(after.listed):
                return out[:made]
            out = np.concatenate([out, np.empty(len(out), np.int64)])


@kernel
def _transpose(ptr: Any, adj: Any, into: Any, parents: Any) -> None:
    """Fill the CSR arrays of the reversed graph; ``into`` comes with 0 in it."""
    for e in range(adj.size):
        into[adj[e] + 1] += 1
    for v in range(into.size - 1):
        into[v + 1] += into[v]
    place = into[:-1].copy()
    for v in range(ptr.size - 1):
        for e in range(ptr[v], ptr[v + 1]):
            parents[place[adj[e]]] = v
            place[adj[e]] += 1


def _reversed(moves: Moves) -> Moves:
    into = np.zeros(len(moves.indptr), np.int64)
    parents = np.empty(len(moves.indices), np.int32)
    _transpose(moves.indptr, moves.indices, into, parents)
    return Moves(into, parents)
