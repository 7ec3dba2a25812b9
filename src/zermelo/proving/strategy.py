"""Strategies: a move in every position that can arise against any reply, and the check of them.

A strategy vouches for one bound of a value. Its player is to get at least so much, and in every
position where that player is to move, it says which position to go to. The check follows it through
all replies by the rules, and needs nothing of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import PositionError
from zermelo.values.outcomes import Outcome

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules

#: Positions that are followed at once.
_BATCH = 1 << 12


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


class Strategy:
    """A move for one player in every position that can arise against any reply.

    ``strategy[position]`` is the move. ``len`` counts the positions in which there is one, and
    positions that symmetries make equal count as one.

    Attributes:
        player: ``"mover"`` for the player to move in the position of the proof, else ``"other"``.
    """

    def __init__(
        self, compiled: CompiledRules, claim: Claim, moves: dict[bytes, tuple[int, bytes]]
    ) -> None:
        """Take what was found.

        Args:
            compiled: the rules, folded as they were searched.
            claim: what the strategy vouches for.
            moves: for each packed position of the player, what the player gets from there at least,
                and the packed position to go to.
        """
        self._compiled, self.claim, self.moves = compiled, claim, moves
        self.player = "mover" if claim.mover else "other"

    def __len__(self) -> int:
        """Return how many positions have a move."""
        return len(self.moves)

    def __repr__(self) -> str:
        """Return whose it is and how long."""
        return f"<strategy of the {self.player} in {len(self):,} positions>"

    def __contains__(self, position: Any) -> bool:
        """Whether it has a move in a position."""
        return self.get(position) is not None

    def __getitem__(self, position: Any) -> Any:
        """Return the move in a position.

        Raises:
            PositionError: no reply leads there, or it is the opponent's turn.
        """
        found = self.get(position)
        if found is None:
            message = (
                f"{position!r} is not in the strategy, which has positions that arise when its "
                "player follows it, and in which that player is to move; ask for one of those"
            )
            raise PositionError(message)
        return found[0]

    def get(self, position: Any) -> tuple[Any] | None:
        """Return the move in a position, alone in a tuple; None where there is none."""
        rules = self._compiled.rules
        canonical = folded(self._compiled, position)
        found = self.moves.get(canonical.tobytes())
        if found is None:
            return None
        for move in rules.moves(position):
            if folded(self._compiled, rules.play(position, move)).tobytes() == found[1]:
                return (move,)
        return None

    def __iter__(self) -> Iterator[Any]:
        """Go through the positions, the canonical one of each class where there are symmetries."""
        layout = self._compiled.rules.layout
        return (layout.unpack(np.frombuffer(packed, np.uint64)) for packed in self.moves)


def folded(compiled: CompiledRules, position: Any) -> npt.NDArray[np.uint64]:
    """Return the words of the canonical one of a position.

    Raises:
        PositionError: it is not a position of the game.
    """
    from zermelo.rules.layout import MisfitError

    layout = compiled.rules.layout
    try:
        packed = np.array(layout.pack(position), np.uint64)
    except MisfitError as error:
        such = compiled.rules.game.start()
        what = f"{position!r} is not a position of {compiled.rules.name}"
        message = f"{what}: {error}; give one such as {such!r}"
        raise PositionError(message) from None
    return compiled.canonical(packed, 1)


#: Returns, for a packed position, whose turn it is there and what its player is to get, the packed
#: position to go to; None where there is none.
Choose = Callable[[npt.NDArray[np.uint64], int, int], bytes | None]


@dataclass
class Followed:
    """What was seen when a strategy was followed through all replies.

    Attributes:
        moves: for each packed position of the player, the claim there and where it goes.
        positions: how many positions were looked at.
        edges: how many moves were followed.
        problem: a sentence on the first thing that is wrong, or empty.
        place: the packed position where that is.
    """

    moves: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    positions: int = 0
    edges: int = 0
    problem: str = ""
    place: bytes = b""


def follow(
    compiled: CompiledRules,
    packed: npt.NDArray[np.uint64],
    owner: int,
    claim: Claim,
    choose: Choose,
    told: Callable[[int], None],
) -> Followed:
    """Follow a strategy through all replies, by the rules alone.

    What its player gets at least is carried along each move, and compared with what the rules say
    where the game ends. Where endless play would not do, no position may come again on any way.

    Args:
        compiled: the rules, folded as they were searched.
        packed: the words of the first position.
        owner: whose turn it is there.
        claim: what the strategy vouches for.
        choose: the strategy.
        told: is called with the number of positions now and then.

    Returns:
        What was seen, up to the first problem.

    Raises:
        RulesError: a rule breaks the contract.
    """
    return _Following(compiled, owner, claim, choose).run(packed.tobytes(), told)


#: A packed position, and, where that does not tell whose turn it is, whether it is the player's.
_Place = tuple[bytes, bool]


class _Following:
    """A strategy on its way through all replies."""

    def __init__(self, compiled: CompiledRules, owner: int, claim: Claim, choose: Choose) -> None:
        """Begin; see ``follow``."""
        from zermelo._engine.expand.expander import Buffers

        self._compiled, self._claim, self._choose = compiled, claim, choose
        self._player = owner if claim.mover else 1 - owner
        self._turns = not compiled.alternate
        self._scored = compiled.kind.gains
        self._buffers = Buffers.for_rules(compiled, _BATCH, 12 * _BATCH)
        self.seen = Followed()
        # What is claimed somewhere of what the player gets is the greatest of what ways there ask.
        self._numbers: dict[_Place, int] = {}
        self._claims: list[int] = []
        self._arcs: list[tuple[int, int]] = []
        self._waiting: list[tuple[_Place, int]] = []

    def run(self, packed: bytes, told: Callable[[int], None]) -> Followed:
        """Follow it from a packed position."""
        from zermelo._engine.expand.expander import run_expand

        claim, seen = self._claim, self.seen
        self._arrive((packed, self._turns or claim.mover), claim.least)
        while self._waiting and not seen.problem:
            some = self._waiting[:_BATCH]
            keys = np.frombuffer(b"".join(place[0] for place, _ in some), np.uint64)
            done, _ = run_expand(self._compiled, keys, 0, len(some), self._buffers)
            self._waiting = self._waiting[done:]
            self._look(some[:done])
            told(seen.positions)
        # Where values tell how far away ends are, claims grow along every move.
        ends = claim.far or (claim.least <= 0 and not self._scored)
        if not seen.problem and not ends and _has_circle(self._arcs, len(self._claims)):
            seen.problem, seen.place = "play by the strategy can go round for ever", packed
        return seen

    def _look(self, some: list[tuple[_Place, int]]) -> None:
        """Look at positions whose moves are in the buffers."""
        buffers, kind, seen = self._buffers, self._compiled.kind, self.seen
        codes = buffers.values[: len(some)]
        goes_on = codes == kind.unknown
        worths = codes if self._scored else kind.outcomes(codes) * np.int64(self._claim.great)
        begin = 0
        for i, (place, least) in enumerate(some):
            first, begin = begin, int(buffers.ends[i])
            turn = int(buffers.owners[i]) if self._turns else 0
            own = turn == self._player if self._turns else place[1]
            if self._claims[self._numbers[place]] > least:
                continue  # it came again, and more is asked of it now
            seen.positions += 1
            if goes_on[i]:
                self._go_on(place, own, turn, least, range(first, begin))
            elif (worths[i] if own else -worths[i]) < least:
                said = _said(int(worths[i] if own else -worths[i]), self._claim, self._scored)
                wanted = _said(least, self._claim, self._scored)
                seen.problem = f"the game ends with {said} there, not with {wanted} as claimed"
                seen.place = place[0]
            if seen.problem:
                return

    def _go_on(self, place: _Place, own: bool, turn: int, least: int, moves: range) -> None:  # noqa: FBT001  # of one caller
        """Follow the strategy's move, or all moves of the opponent.

        Args:
            place: a position.
            own: whether the strategy's player is to move there.
            turn: whose turn it is.
            least: what the player is to get.
            moves: the numbers of the moves in the buffers.
        """
        size, seen = 8 * self._compiled.words, self.seen
        first = moves.start * self._compiled.words
        rows = self._buffers.children[first : moves.stop * self._compiled.words].tobytes()
        children = [rows[at : at + size] for at in range(0, len(rows), size)]
        wanted: bytes | None = None
        if own:
            wanted = self._choose(np.frombuffer(place[0], np.uint64), turn, least)
            if wanted is None or wanted not in children:
                what = "has no move" if wanted is None else "goes where no move leads"
                seen.problem, seen.place = f"the strategy {what} there", place[0]
                return
            seen.moves[place[0]] = least, wanted
        best: dict[bytes, int] = {}
        for n, child in zip(moves, children, strict=True):
            if own and child != wanted:
                continue
            gain = int(self._buffers.gains[n]) if self._scored else 0
            asked = _later(least - gain if own else least + gain, far=self._claim.far)
            # Of moves to one position, its player chooses the best, and its opponent any.
            known = best.get(child, asked)
            best[child] = min(known, asked) if own else max(known, asked)
        for child, asked in best.items():
            seen.edges += 1
            if asked <= -self._claim.great and not self._scored:
                continue  # whatever happens, it is no worse
            there = self._arrive((child, self._turns or not place[1]), asked)
            self._arcs.append((self._numbers[place], there))

    def _arrive(self, place: _Place, asked: int) -> int:
        """Note what is asked of a position, and return its number."""
        found = self._numbers.get(place)
        if found is None:
            found = self._numbers[place] = len(self._claims)
            self._claims.append(asked)
            self._waiting.append((place, asked))
        elif asked > self._claims[found]:
            self._claims[found] = asked
            self._waiting.append((place, asked))
            if asked > self._claim.great:
                self.seen.problem, self.seen.place = "play can go round for ever there", place[0]
        return found


def _later(least: int, *, far: bool) -> int:
    """Return what must be claimed a ply later."""
    return least + (least > 0) - (least < 0) if far else least


def _has_circle(arcs: list[tuple[int, int]], count: int) -> bool:
    """Whether some moves lead in a circle."""
    if not arcs:
        return False
    begins, ends = np.array(arcs, np.int64).T
    order = np.argsort(begins, kind="stable")
    begins, ends = begins[order], ends[order]
    first = np.searchsorted(begins, np.arange(count + 1))
    left = np.bincount(ends, minlength=count)
    ready = np.flatnonzero(left == 0)
    removed = 0
    while len(ready):
        removed += len(ready)
        sizes = first[ready + 1] - first[ready]
        offsets = np.repeat(first[ready] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
        targets = ends[np.arange(sizes.sum()) + offsets]
        np.subtract.at(left, targets, 1)
        targets = np.unique(targets)
        ready = targets[left[targets] == 0]
    return removed < count


def _said(worth: int, claim: Claim, scored: bool) -> str:  # noqa: FBT001  # of one caller
    """Return a value in words, as the strategy's player sees it."""
    if scored:
        return f"a score of {worth:+d}"
    if claim.far and 0 < worth < claim.great:
        return f"a win within {claim.great - worth} plies"
    return f"a {Outcome((worth > 0) - (worth < 0))}"
