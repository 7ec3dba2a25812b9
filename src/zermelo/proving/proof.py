"""Proofs: what is known of the value of one position, and the strategies that prove it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import MoveError, ParameterError, UnprovedError
from zermelo.game.parameters import plain
from zermelo.progress import Listener, Reporter
from zermelo.proving.search import (
    FAR,
    MOST_SCORE,
    Bounds,
    RepeatedError,
    Searcher,
    SearchLimits,
    nearest,
    phase_of,
    targets,
)
from zermelo.proving.strategy import Claim, Strategy, folded, follow
from zermelo.values.answers import Line, Verification
from zermelo.values.outcomes import DRAW, OUTCOMES

if TYPE_CHECKING:
    import os

    from zermelo._compile.rules import CompiledRules
    from zermelo.game.contract import Game

#: Moves after which a line is cut.
_LONGEST = 10_000


@dataclass(frozen=True)
class Question:
    """What is asked of a position.

    Attributes:
        ask: "value", "win" or "draw".
        remoteness: whether it is asked, too, how far away a win or a loss is.
    """

    ask: str
    remoteness: bool


class Proof:
    """What a search has found of one position's value; ``verify`` checks it by the rules alone.

    Attributes:
        game: the game.
        position: the position.
        ask: what was asked: "value", "win" or "draw".
        nodes: positions that the search visited.
        seconds: wall seconds that it took, but for those that Numba took to compile.
        reason: how it was searched and why so, and what stopped it if something did.
    """

    def __init__(
        self,
        compiled: CompiledRules,
        position: Any,
        question: Question,
        *,
        searcher: Searcher | None = None,
    ) -> None:
        """Begin with nothing known; see ``zermelo.prove``."""
        self._compiled = compiled
        self._searcher = searcher
        self._distant: Searcher | None = None
        self._question = question
        self._scored = compiled.kind.gains
        self._strategies: dict[str, Strategy] = {}
        self.game: Game = compiled.rules.game
        self.position = position
        self.ask = question.ask
        self._packed = folded(compiled, position)
        self._owner = compiled.rules.owner(position)
        most = MOST_SCORE if self._scored else 1
        self._bounds = Bounds(-most, most)
        self._far: Bounds | None = None
        self._best: npt.NDArray[np.uint64] | None = None
        self.nodes = 0
        self.seconds = 0.0
        self.reason = ""

    # -- what was found -----------------------------------------------------------------------

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the most that the position can be worth to the player to move.

        They are LOSS, DRAW or WIN, or scores; in a score game of which nothing is known, numbers
        greater than any score.
        """
        low, high = self._bounds.low, self._bounds.high
        return (low, high) if self._scored else (OUTCOMES[low], OUTCOMES[high])

    @property
    def value(self) -> Any:
        """WIN, DRAW or LOSS for the player to move, or the score; None while it is not known."""
        low, high = self.bounds
        return low if low == high else None

    @property
    def answer(self) -> bool | None:
        """Whether the player to move gets what was asked for; None while that is not known.

        Of ``ask="value"`` it is whether that player wins.
        """
        wanted = 0 if self.ask == "draw" else 1
        if self._bounds.low >= wanted:
            return True
        return False if self._bounds.high < wanted else None

    @property
    def remoteness(self) -> int | None:
        """Plies to the end of a win or a loss, the winner hurrying and the loser delaying.

        None where it was not asked for, is not known yet, or the position is drawn.
        """
        far = self._far
        if far is None or far.low != far.high or not self.value:
            return None
        return FAR - abs(far.low)

    @property
    def done(self) -> bool:
        """Whether what was asked is answered."""
        if self.ask != "value":
            return self.answer is not None
        asked = self._question.remoteness and bool(self.value)
        return self.value is not None and not (asked and self.remoteness is None)

    @property
    def best(self) -> Any:
        """The move that proves what the player to move gets; None where every move loses."""
        if self._best is None:
            return None
        return self._move_to(self.position, self._best)

    @property
    def scored(self) -> bool:
        """Whether values are scores."""
        return self._scored

    @property
    def strategies_known(self) -> tuple[str, ...]:
        """The players whose strategies there are, of ``mover`` and ``other``."""
        if self._searcher is None:
            return tuple(self._strategies)
        return tuple("mover" if claim.mover else "other" for claim in self._claims())

    def __repr__(self) -> str:
        """Return the game and what is known."""
        return f"<proof of {self._compiled.rules.described}: {self}>"

    def __str__(self) -> str:
        """Return a phrase such as ``win in 41``, ``draw`` or ``at least a draw``."""
        low, high = self.bounds
        if self._scored:
            if low == high:
                return f"score {low:+d}" if low else "score 0"
            said = [f"at least {low:+d}"] if low > -MOST_SCORE else []
            said += [f"at most {high:+d}"] if high < MOST_SCORE else []
            return f"score {' and '.join(said)}" if said else "nothing is known"
        if low == high:
            return f"{low!s}" if self.remoteness is None else f"{low!s} in {self.remoteness}"
        if low == DRAW:
            return "draw or win"
        if high == DRAW:
            return "loss or draw"
        return "nothing is known"

    def _move_to(self, position: Any, child: npt.NDArray[np.uint64]) -> Any:
        rules = self._compiled.rules
        for move in rules.moves(position):
            if np.array_equal(folded(self._compiled, rules.play(position, move)), child):
                return move
        message = f"no move leads from {position!r} to where the search went; run zermelo check"
        raise MoveError(message)

    @property
    def line(self) -> Line:
        """A line of best play, in which each move keeps the value as far as it is known.

        Raises:
            UnprovedError: the value is not known, or the proof was read from a file.
        """
        value = self._far.low if self.remoteness is not None and self._far else self.value
        if value is None:
            message = f"the value is not known yet: {self}; go on with resume()"
            raise UnprovedError(message)
        searcher = self._of(distant=self.remoteness is not None)
        rules, kind = self._compiled.rules, self._compiled.kind
        here, line = self.position, Line(self.position, [], [], "terminal")
        seen = {here}
        while rules.moves(here):
            if len(line.moves) >= _LONGEST:
                line.ends = "cut"
                break
            owner = rules.owner(here)
            searcher.test(folded(self._compiled, here), owner, value, SearchLimits())
            move = self._move_to(here, searcher.chosen())
            gain = rules.gain(here, move) if kind.gains else 0
            here = rules.play(here, move)
            same = not rules.alternate and rules.owner(here) == owner
            value = value - gain
            if searcher.far:
                value += (value > 0) - (value < 0)
            value = value if same else -value
            line.moves.append(move)
            line.positions.append(here)
            if here in seen:
                line.ends = "repeats"
                break
            seen.add(here)
        return line

    def learn(self, strategies: list[Strategy], best: Any) -> None:
        """Take over what strategies from a file vouch for.

        Args:
            strategies: the strategies.
            best: the best move as JSON has it, or None.
        """
        for strategy in strategies:
            claim = strategy.claim
            self._strategies[strategy.player] = strategy
            worth = claim.least if claim.mover else -claim.least
            if claim.far:
                sign = (worth > 0) - (worth < 0)
                known = self._far or Bounds(1, FAR) if sign > 0 else self._far or Bounds(-FAR, -1)
                self._far = known
                self._bounds = Bounds(sign, sign)
                known.narrow(worth if claim.mover else worth + 1, worth)
            else:
                self._bounds.narrow(worth if claim.mover else worth + 1, worth)
        for move in self._compiled.rules.moves(self.position) if best is not None else ():
            if plain(move) == best:
                after = self._compiled.rules.play(self.position, move)
                self._best = folded(self._compiled, after)

    # -- the search ---------------------------------------------------------------------------

    def resume(
        self,
        *,
        time: float | None = None,
        nodes: int | None = None,
        progress: Listener | None = None,
    ) -> Proof:
        """Go on with a search that met a limit, with all that it has found so far.

        Args:
            time: seconds that it may take from now on; by default as many as it needs.
            nodes: positions that it may visit from now on; likewise.
            progress: a function that is called with an ``Event`` now and then, in this thread.

        Returns:
            This proof.

        Raises:
            UnprovedError: the proof was read from a file, which does not hold the search.
        """
        searcher = self._of(distant=False)
        searcher.report = Reporter(progress)
        self._search(time, nodes)
        return self

    def _search(self, seconds: float | None, nodes: int | None) -> None:
        """Search until the question is answered or a limit is met."""
        from zermelo._engine.core.jit import compile_seconds

        began, compiling = time.perf_counter(), compile_seconds()
        tally = self._of(distant=False).tally
        before = tally.visited
        limits = SearchLimits.of(seconds, None if nodes is None else before + nodes)
        try:
            self._answer(limits)
        except KeyboardInterrupt:
            limits.reason = "it was interrupted"
        self.nodes += tally.visited - before
        self.seconds += time.perf_counter() - began - (compile_seconds() - compiling)
        self.reason = self._how
        if not self.done:
            self.reason += f"; stopped as {limits.reason}"

    _how = "alpha-beta with a table"

    def _answer(self, limits: SearchLimits) -> None:
        searcher = self._of(distant=False)
        rules = self._compiled.rules
        if not rules.moves(self.position):
            self._settle()
            return
        try:
            for target in targets(self._bounds, self.ask, scored=self._scored):
                with searcher.report.phase(phase_of(target, scored=self._scored)):
                    found = searcher.test(self._packed, self._owner, target, limits)
                if found is None:
                    return
                self._narrow(self._bounds, target, found, searcher)
        except RepeatedError:
            self._deepen(limits)
            return
        if self._question.remoteness and self.value:
            self._approach(limits)

    def _narrow(self, bounds: Bounds, target: int, found: int, searcher: Searcher) -> None:
        bounds.narrow(target, found)
        if found >= target:
            self._best = searcher.chosen()

    def _settle(self) -> None:
        """Note the value of a position in which the game is over."""
        rules = self._compiled.rules
        outcome = rules.terminal(self.position)
        if self._scored:
            worth = rules.final_score(self.position)
        else:
            worth = int(rules.no_moves if outcome is None else outcome)
        self._bounds = Bounds(worth, worth)
        self._how = "the game is over there"
        if worth and self._question.remoteness:
            self._far = Bounds(worth * FAR, worth * FAR)

    def _approach(self, limits: SearchLimits) -> None:
        """Find how far away a win or a loss is."""
        searcher = self._of(distant=True)
        if self._far is None:
            low, high = self._bounds.low, self._bounds.high
            self._far = Bounds(1 if low > 0 else -FAR, FAR if high > 0 else -1)
        for target in nearest(self._far):
            plies = FAR - abs(target if target > 0 else target - 1)
            with searcher.report.phase(f"within {plies} plies"):
                found = searcher.test(self._packed, self._owner, target, limits)
            if found is None:
                return
            self._narrow(self._far, target, found, searcher)

    def _deepen(self, limits: SearchLimits) -> None:
        """Look for a win or a loss within 1 ply, 2 plies and so on, which no circle can disturb.

        Raises:
            ParameterError: a draw would be searched for ever.
        """
        if limits.until is None and limits.nodes is None:
            message = (
                f"positions of {self._compiled.rules.name} can come again, so a win or a loss is "
                "looked for within ever more plies, and a draw would never be found; give time= "
                "or nodes="
            )
            raise ParameterError(message)
        if self._scored:
            message = (
                f"positions of {self._compiled.rules.name} can come again, and prove() does not "
                "know what points are worth then; solve the game instead"
            )
            raise ParameterError(message)
        self._how = "alpha-beta with a table, ply by ply, as positions can come again"
        self._of(distant=False).forget()
        searcher = self._of(distant=True)
        for plies in range(1, FAR // 2):
            for won in (True, False):
                if won and self.ask == "draw":
                    continue
                target = FAR - plies if won else plies - FAR + 1
                which = "win" if won else "loss"
                with searcher.report.phase(f"a {which} within {plies} plies?"):
                    found = searcher.test(self._packed, self._owner, target, limits)
                if found is None:
                    return
                if won == (found >= target):
                    self._bounds = Bounds(1, 1) if won else Bounds(-1, -1)
                    self._far = Bounds(found, found)
                    if won:
                        self._best = searcher.chosen()
                    return

    def _of(self, *, distant: bool) -> Searcher:
        """Return what searches, with values that tell how far away ends are or without."""
        first = self._searcher
        if first is None:
            message = "this proof was read from a file, which holds no search; call zermelo.prove"
            raise UnprovedError(message)
        if not distant:
            return first
        if self._distant is None:
            self._distant = Searcher(
                first.compiled,
                far=True,
                memory=first.memory,
                report=first.report,
                tally=first.tally,
            )
        self._distant.report = first.report
        return self._distant

    # -- the strategies -----------------------------------------------------------------------

    def _claims(self) -> list[Claim]:
        """Return what is to be vouched for: a bound each, for the player whom it favours."""
        bounds, far = self._bounds, False
        if self.remoteness is not None and self._far is not None:
            bounds, far = self._far, True
        great = self._of(distant=far).great
        claims = []
        if bounds.low > -great:
            claims.append(Claim(mover=True, least=bounds.low, far=far, great=great))
        if bounds.high < great:
            claims.append(Claim(mover=False, least=-bounds.high, far=far, great=great))
        return claims

    def strategy(self, player: str | None = None, *, progress: Listener | None = None) -> Strategy:
        """Return a move in every position that can arise against any reply.

        A win is proved by a strategy of the player to move, a loss by one of the other player, and
        a draw by one of each. Strategies are put together when they are first asked for, from the
        table of the search, and what is no longer there is searched again.

        Args:
            player: ``"mover"`` for the player to move, or ``"other"``; by default whoever has the
                better of it, and of a draw the mover.
            progress: a function that is called with an ``Event`` now and then, in this thread.

        Returns:
            The strategy.

        Raises:
            UnprovedError: nothing is known yet that it could prove.
            ParameterError: ``player`` is neither of the two.
        """
        if player not in (None, "mover", "other"):
            message = f"player={player!r} is not known; use 'mover' or 'other'"
            raise ParameterError(message)
        if self._searcher is not None:
            for claim in self._claims():
                name = "mover" if claim.mover else "other"
                known = name in self._strategies and self._strategies[name].claim == claim
                if not known and player in (None, name):
                    self._strategies[name] = self._put_together(claim, progress)
        wanted = player
        if wanted is None:
            wins = self._bounds.low > 0 or self._bounds.high >= 0
            wanted = "mover" if wins and "mover" in self._strategies else "other"
        found = self._strategies.get(wanted)
        if found is None:
            message = f"no strategy of the {wanted} is known, as the value is: {self}"
            raise UnprovedError(message)
        return found

    def _put_together(self, claim: Claim, progress: Listener | None) -> Strategy:
        searcher = self._of(distant=claim.far)
        kept, searcher.report = searcher.report, Reporter(None)
        report = Reporter(progress)

        def choose(packed: npt.NDArray[np.uint64], turn: int, least: int) -> bytes | None:
            found = searcher.test(packed, turn, least, SearchLimits())
            return searcher.chosen().tobytes() if found is not None and found >= least else None

        try:
            with report.phase("strategy"):
                seen = follow(
                    self._compiled, self._packed, self._owner, claim, choose, report.advance
                )
        finally:
            searcher.report = kept
        if seen.problem:
            position = self._compiled.rules.layout.unpack(np.frombuffer(seen.place, np.uint64))
            message = (
                f"the search is wrong about {position!r}: {seen.problem}; if the game has "
                "bounds(), see that it never says more than is true"
            )
            raise UnprovedError(message)
        return Strategy(self._compiled, claim, seen.moves)

    def verify(self, *, progress: Listener | None = None) -> Verification:
        """Check the proof by the rules, without the search.

        Every strategy is followed through all replies to the ends of the game, and what the rules
        say there is compared with what was claimed. It takes time and memory for every position of
        a strategy; ``strategy`` says how many there are.

        Args:
            progress: a function that is called with an ``Event`` now and then, in this thread.

        Returns:
            What was found; true where the bounds are right.

        Raises:
            UnprovedError: nothing is known yet that could be checked.
        """
        began = time.perf_counter()
        if self._searcher is not None:
            for claim in self._claims():
                self.strategy("mover" if claim.mover else "other", progress=progress)
        if not self._strategies:
            message = f"nothing is proved that could be verified: {self}; go on with resume()"
            raise UnprovedError(message)
        report = Reporter(progress)
        positions = moves = 0
        for strategy in self._strategies.values():
            known = strategy.moves

            def choose(
                packed: npt.NDArray[np.uint64],
                turn: int,  # noqa: ARG001  # a strategy knows it
                least: int,
                known: dict[bytes, tuple[int, bytes]] = known,
            ) -> bytes | None:
                said = known.get(packed.tobytes())
                return None if said is None or said[0] < least else said[1]

            with report.phase("verify"):
                seen = follow(
                    self._compiled,
                    self._packed,
                    self._owner,
                    strategy.claim,
                    choose,
                    report.advance,
                )
            positions, moves = positions + seen.positions, moves + seen.edges
            if seen.problem:
                place = self._compiled.rules.layout.unpack(np.frombuffer(seen.place, np.uint64))
                problem = f"at {place!r}: {seen.problem}"
                took = time.perf_counter() - began
                return Verification(
                    ok=False,
                    positions=positions,
                    moves=moves,
                    problem=problem,
                    seconds=took,
                    position=place,
                )
        return Verification(
            ok=True,
            positions=positions,
            moves=moves,
            problem=None,
            seconds=time.perf_counter() - began,
        )

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        progress: Listener | None = None,
    ) -> Path:
        """Save the proof with its strategies; ``zermelo.open`` reads it, and it can be verified.

        Args:
            path: where the file is to be.
            overwrite: whether a file that is there may be replaced.
            progress: a function that is called with an ``Event`` now and then, in this thread.

        Returns:
            The path.

        Raises:
            UnprovedError: nothing is known yet that could be saved.
            TableExistsError: there is a file, and ``overwrite`` is False.
            TableWriteError: it cannot be written.
        """
        from zermelo._engine.file.writer import Writer
        from zermelo.proving.file import described, write

        target = Path(path)
        with Writer(target, overwrite=overwrite) as writer:
            if self._searcher is not None:
                for claim in self._claims():
                    self.strategy("mover" if claim.mover else "other", progress=progress)
            if not self._strategies:
                message = f"nothing is proved that could be saved: {self}; go on with resume()"
                raise UnprovedError(message)
            strategies = list(self._strategies.values())
            facts = {
                "choice": self.reason,
                "ask": self.ask,
                "position": plain(self.position),
                "best": plain(self.best),
                "nodes": self.nodes,
                "seconds": self.seconds,
            }
            header = described(self._compiled, facts)
            write(writer, header, strategies, self._compiled.words)
        return target
