"""``check``: one look after another, the compiled rules last."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from random import Random
from time import monotonic
from typing import Any

import numpy as np

from zermelo.conformance.asked import Asked, Place, ask, described, listed
from zermelo.conformance.compiled import check_compiled, without_name
from zermelo.conformance.declared import check_declared
from zermelo.conformance.images import check_symmetries
from zermelo.conformance.played import (
    check_circles,
    check_ends,
    check_levels,
    check_moves,
    check_start,
    check_turns,
)
from zermelo.conformance.report import Fault, Findings, Kind, Report
from zermelo.conformance.shape import Shape
from zermelo.conformance.spaces import check_legal, check_space
from zermelo.conformance.steady import check_steady
from zermelo.conformance.symmetry import check_canonical
from zermelo.conformance.text import check_text
from zermelo.conformance.walk import Limits, Walk, play_through
from zermelo.conformance.watch import OverdueError, Watch
from zermelo.errors import ParameterError, RulesError
from zermelo.game.contract import Game
from zermelo.rules.hooks import Rules, hooks_of

#: Starting positions that are looked at, where there are more.
_STARTS = 500
#: Positions at which everything is asked a second time, and at which canonical is.
_SAMPLE = 500
#: Positions that are shown.
_SHOWN = 50
#: The share of the seconds that one call of a rule may take, and its bounds.
_SHARE, _SHORTEST, _LONGEST = 0.5, 0.5, 5.0


def check(
    game: Game | type[Game], *, positions: int = 10_000, seconds: float = 10.0, seed: int = 0
) -> Report:
    """Test whether a game's class keeps the contract; report how and where it does not.

    The rules run as plain Python on positions found breadth first, then at random. If there is no
    error, they are also compiled and compared with Python on the same positions.

    Args:
        game: a game, or a class that can be made without parameters.
        positions: the most positions to look at.
        seconds: the most wall seconds to take, not counting compilation.
        seed: the seed of the random games.

    Returns:
        The report, which is true if there is no error. Mistakes in the rules are reported, never
        raised.

    Raises:
        RulesError: it is not a game, nor a class that can be made without parameters.
        ParameterError: ``positions`` is not a number of them.
    """
    given: Any = positions  # whatever a caller without types gave
    if not isinstance(given, int) or given < 1:
        message = f"positions={positions!r} is not a number of positions; use 1 or more"
        raise ParameterError(message)
    begun = monotonic()
    findings = Findings()
    made = _made(game, findings)
    name = type(made).__name__ if made is not None else getattr(game, "__name__", str(game))
    looked, compiled = Walk([]), False
    if made is not None and check_declared(made, findings):
        with Watch(min(max(_SHARE * seconds, _SHORTEST), _LONGEST)) as watch:
            looker = _Looker(made, watch, findings, Random(seed))  # noqa: S311  # not for secrets
            try:
                looker.look(Limits(positions, seconds))
            except Fault as fault:
                findings.add(fault)
            looked = looker.walk
            patience = watch.patience
        if not findings.broken and looked.places:
            places = list(looked.places.values())
            compiled = check_compiled(made, places, patience, findings)
    taken = monotonic() - begun
    return Report(name, findings.problems, len(looked), looked.complete, compiled, taken)


def _made(game: Any, findings: Findings) -> Game | None:
    """Return the game, made if need be, or None where that shows a problem."""
    if isinstance(game, Game):
        return game
    if not (isinstance(game, type) and issubclass(game, Game)) or game is Game:
        message = f"expected a game or its class, not {game!r}; derive the class from zermelo.Game"
        raise RulesError(message)
    try:
        signature(game.__init__).bind(game)
    except TypeError as error:
        message = (
            f"{game.__name__} cannot be made without parameters: {error}; give check() a game, "
            f"such as {game.__name__}(...)"
        )
        raise RulesError(message) from None
    try:
        return game()
    except RulesError as error:
        name = game.__name__
        findings.error(Kind.DATACLASS, f"the class {str(error).removeprefix(f'{name} ')}")
    except Exception as error:  # noqa: BLE001  # whatever an author's validate() raises
        what = described(error, game, "validate")
        findings.error(Kind.CONTRACT, f"making the game raised {what}; correct it")
    return None


class _Looker:
    """Runs the looks at one game that need no compiling.

    Attributes:
        walk: the positions that were looked at.
    """

    def __init__(self, game: Game, watch: Watch, findings: Findings, random: Random) -> None:
        self.game = game
        self.watch = watch
        self.findings = findings
        self.random = random
        self.walk = Walk([])

    def look(self, limits: Limits) -> None:
        """Look at everything.

        Raises:
            Fault: something without which there is no point in looking on.
        """
        asked = self._asked()
        self.walk = self._starts(asked)
        play_through(asked, self.walk, limits, self.random, self.findings)
        if self.walk.stuck or not self.walk.places:
            return
        sample = self.walk.sample(self.random, _SAMPLE)
        check_steady(asked, self.walk, sample, limits, self.findings)
        if self.findings.has(Kind.CHANGES):
            return
        check_start(asked, self.walk, self.findings)
        check_moves(asked, self.walk, self.findings)
        check_turns(asked, self.walk, self.findings)
        check_ends(asked, self.walk, self.findings)
        check_circles(asked, self.walk, self.findings)
        self._look_closer(asked, sample, limits)

    def _look_closer(self, asked: Asked, sample: list[Place], limits: Limits) -> None:
        """Look at the hooks that a game can do without."""
        looks: tuple[Callable[[], None], ...] = (
            lambda: check_space(asked, self.walk),
            lambda: check_legal(asked, self.walk),
            lambda: check_levels(asked, self.walk),
            lambda: check_canonical(asked, self.walk, sample, limits),
            lambda: check_symmetries(asked, sample, limits, self.random),
            lambda: check_text(asked, self.walk.sample(self.random, _SHOWN), self.findings),
        )
        for look in looks:
            try:
                look()
            except Fault as fault:
                self.findings.add(fault)
                if fault.problem.kind == Kind.ENDLESS:
                    return

    def _asked(self) -> Asked:
        """Return the hooks, ready to be asked."""
        if "start" in hooks_of(type(self.game)):
            ask(self.watch, self.game, "start")
        elif not len(self._declared_starts()):
            raise _no_starts()
        try:
            rules = self.watch.call(Rules, self.game)
        except RulesError as error:
            message = without_name(str(error), self.game)
            kind = Kind.CONTRACT
            if message.startswith(("start()", "space()")):
                kind = Kind(message[:5])
            raise Fault(kind, message) from None
        except OverdueError:
            message = (
                f"start() or space() has not returned after {self.watch.patience:g} seconds; see "
                "that its loops end"
            )
            raise Fault(Kind.ENDLESS, message) from None
        except Exception as error:  # noqa: BLE001  # whatever an author's hook raises
            message = f"space() raised {described(error, self.game, 'space')}; correct it"
            raise Fault(Kind.RAISES, message, subject="space") from None
        space = ask(self.watch, self.game, "space") if rules.has("space") else None
        return Asked(rules, Shape(rules.layout, space), self.watch)

    def _declared_starts(self) -> Any:
        """Return what ``starts`` gives: an array, or a list."""
        if isinstance(found := ask(self.watch, self.game, "starts"), np.ndarray):
            return found
        return listed(self.watch, self.game, "starts", "position")

    def _starts(self, asked: Asked) -> Walk:
        """Return a walk that has only its starts."""
        start = asked.shape.read(asked.ask("start"), ("start",))
        if not asked.rules.has("starts"):
            return Walk([start])
        declared = self._declared_starts()
        if not len(declared):
            raise _no_starts()
        chosen = self._chosen(len(declared))
        if isinstance(declared, np.ndarray):
            starts = [self._row(asked, declared[i].tolist()) for i in chosen]
        else:
            starts = [asked.shape.read(declared[i], ("starts",)) for i in chosen]
        if starts[0] != start:
            message = (
                f"start() returned {start!r}, but starts() begins with {starts[0]!r}; let starts() "
                "give the start first"
            )
            raise Fault(Kind.START, message, start)
        return Walk(list(dict.fromkeys(starts)), all_starts=len(declared) <= _STARTS)

    def _row(self, asked: Asked, row: Any) -> Any:
        """Return the position that a row of an array is."""
        flat = row if isinstance(row, list) else [row]
        layout = asked.rules.layout
        if len(flat) != len(layout.slots):
            message = (
                f"starts() returned an array with {len(flat)} numbers a row; give "
                f"{len(layout.slots)}, one for each number of {layout.describe()}"
            )
            raise Fault(Kind.START, message)
        return asked.shape.read(layout.build(flat), ("starts",))

    def _chosen(self, count: int) -> list[int]:
        """Return which starts to check, always including the first."""
        if count <= _STARTS:
            return list(range(count))
        return [0, *sorted(self.random.sample(range(1, count), _STARTS - 1))]


def _no_starts() -> Fault:
    return Fault(Kind.START, "starts() returned no position; return at least one")
