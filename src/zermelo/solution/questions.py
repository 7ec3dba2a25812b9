"""What a solved game answers about one position, or about many at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.column import codes
from zermelo.errors import PositionError
from zermelo.rules.layout import MisfitError
from zermelo.solution.quick import Quick
from zermelo.values.answers import Line, Option, Probes, followed
from zermelo.values.outcomes import DRAW, OUTCOMES, WIN, Value

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo.game.contract import Game
    from zermelo.solution.explain import Explanation
    from zermelo.solution.view import View

#: A line of play is cut after so many moves.
_LONGEST_LINE = 100_000


@dataclass(repr=False)
class Questions:
    """The questions about positions: what ``Solution`` answers by its rules and its table."""

    _compiled: CompiledRules
    _table: Table
    _quick: Quick = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Prepare for questions about one position."""
        self._quick = Quick(self._compiled, self._table, self._decoded)

    # -- the game -----------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game that was solved."""
        return self._compiled.rules.game

    @property
    def start(self) -> Any:
        """The position the game begins in (the first, where it has several)."""
        return self._position(int(self._table.starts[0])) if not self._folded else self.game.start()

    @property
    def starts(self) -> tuple[Any, ...]:
        """The positions the game may begin in, each once, in the order the game gives them."""
        if self._folded:
            return self._compiled.rules.starts()
        return tuple(self._position(place) for place in self._table.starts.tolist())

    @property
    def value(self) -> Value:
        """The value of the start, for the player who moves first."""
        return self._value(int(self._table.starts[0]))

    @property
    def winner(self) -> str | None:
        """The name of the player who wins from the start under perfect play, or None."""
        return self.winner_at(self.start)

    def winner_at(self, position: Any) -> str | None:
        """Return the name of the player who wins from a position, or None for a draw.

        Where the players strictly alternate, the player to move is taken for the first.

        Raises:
            PositionError: see ``solution[position]``.
        """
        outcome = self[position].outcome
        if outcome is DRAW:
            return None
        mover = self._compiled.rules.owner(position)
        return self.game.players[mover if outcome is WIN else 1 - mover]

    # -- asking about positions -----------------------------------------------------------------

    def __getitem__(self, position: Any) -> Value:
        """Return the value of a position for the player to move.

        Raises:
            PositionError: it is not a position of this game, or cannot be reached from the
                start. ``get`` returns a default instead.
        """
        value = self._quick(position)
        return self._value(self._place(position)) if value is None else value

    def get(self, position: Any, default: Value | None = None) -> Value | None:
        """Return the value of a position, or ``default`` where ``solution[position]`` raises."""
        try:
            return self[position]
        except PositionError:
            return default

    def __contains__(self, position: Any) -> bool:
        """Whether a position can be reached from the start."""
        return self.get(position) is not None

    def probe_many(self, positions: Any) -> Probes:
        """Return the values of many positions at once.

        Args:
            positions: an integer array of shape (n, numbers in a position), fields in their
                order and tuple fields item by item, or any sequence of positions.

        Raises:
            PositionError: one is not a position of this game, or cannot be reached; it is named.
                ``get_many`` marks it instead.
        """
        probes = self.get_many(positions)
        if not probes.found.all():
            strange = positions[int(np.argmin(probes.found))]
            if isinstance(strange, np.ndarray):
                strange = tuple(strange.tolist())
            elif isinstance(strange, np.integer):
                strange = int(strange)
            raise self._unreachable(strange)
        return probes

    def get_many(self, positions: Any) -> Probes:
        """Return the values of many positions, with those that cannot be reached marked.

        Raises:
            PositionError: the argument is not positions of this game at all.
        """
        if not isinstance(positions, Iterable):
            message = f"expected many positions of {self._name}, not {positions!r}; give a list"
            raise PositionError(message)
        try:
            packed, fits = self._compiled.rules.layout.pack_many(positions)
        except MisfitError as error:
            message = f"not positions of {self._name}: {error}; give {self._expected}"
            raise PositionError(message) from None
        places = np.empty(len(packed), np.int64)
        keys = self._compiled.canonical(packed.reshape(-1), len(packed))
        self._table.places(keys, len(packed), places)
        found = (places >= 0) & fits
        values = self._table.values(np.where(found, places, self._table.starts[0]))
        if self._compiled.scored:
            scores = np.where(found, values, 0)
            outcome = np.sign(scores).astype(np.int8)
            return Probes(found, outcome, np.full(len(found), -1, np.int64), scores)
        stored = np.where(found, values, codes.ENDLESS).astype(np.int32)
        return Probes(found, codes.outcomes(stored), codes.remotenesses(stored), None)

    def options(self, position: Any = None) -> list[Option]:
        """Return every move in a position with what it is worth to the mover, best first.

        Moves of equal worth stay in the order the game gives them.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        rules = self._compiled.rules
        position = self._checked(position)
        mover = rules.owner(position)
        options = []
        for move in rules.moves(position):
            child = rules.play(position, move)
            same = not rules.alternate and rules.owner(child) == mover
            place = self._place(child)
            value, rank = self._seen(position, move, place, same_mover=same)
            options.append((rank, Option(move, rules.move_name(move), child, value)))
        options.sort(key=lambda option: -option[0])
        return [option for _, option in options]

    def best(self, position: Any = None) -> list[Any]:
        """Return the best moves in a position: all that keep its value and its remoteness.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        options = self.options(position)
        return [option.move for option in options if option.value == options[0].value]

    def winning_moves(self, position: Any = None) -> list[Any]:
        """Return every move that keeps a win, the quickest first, and none where none wins.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        return [o.move for o in self.options(position) if o.value.outcome is WIN]

    def line(self, position: Any = None, *, longest: int = _LONGEST_LINE) -> Line:
        """Return a line of perfect play: the first of the best moves each time.

        Args:
            position: where to begin; by default the start.
            longest: moves after which the line is cut.

        Raises:
            PositionError: see ``solution[position]``.
        """
        return followed(self._checked(position), self.options, longest)

    def explain(self, position: Any = None) -> Explanation:
        """Explain in sentences why a position is worth what it is.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        from zermelo.solution.explain import explain

        return explain(self, position)

    def show(self, position: Any = None) -> View:
        """Return a position to be looked at: its picture, its value and its moves.

        A notebook draws it, and ``str`` makes text of it.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        from zermelo.solution.view import View

        rules, position = self._compiled.rules, self._checked(position)
        text, picture = rules.shown(position), rules.pictured(position)
        return View(position, text, picture, self[position], tuple(self.options(position)))

    def __len__(self) -> int:
        """Return how many positions are held: those that symmetries make one count as one."""
        return len(self._table)

    # -- numbers and values -----------------------------------------------------------------------

    @property
    def _folded(self) -> bool:
        return self._compiled.is_folded

    @property
    def _name(self) -> str:
        return self._compiled.rules.name

    @property
    def _all_legal(self) -> bool:
        return self._table.reach == "legal"

    @property
    def _expected(self) -> str:
        return self._compiled.rules.layout.describe()

    def _checked(self, position: Any) -> Any:
        if position is None:
            return self.start
        place = self._place(position)
        layout = self._compiled.rules.layout
        return layout.build(layout.flatten(position)) if self._folded else self._position(place)

    def _place(self, position: Any) -> int:
        try:
            packed = self._compiled.rules.layout.pack(position)
        except MisfitError as error:
            if "outside" in str(error):
                raise self._unreachable(position) from None
            message = (
                f"{position!r} is not a position of {self._name}: {error}; give {self._expected}"
            )
            raise PositionError(message) from None
        place = np.empty(1, np.int64)
        key = self._compiled.canonical(np.array(packed, np.uint64), 1)
        if not self._table.places(key, 1, place):
            raise self._unreachable(position)
        return int(place[0])

    def _unreachable(self, position: Any) -> PositionError:
        what = f"cannot be reached from the start of {self._name}"
        which = "that can, or one alike" if self._folded else "that can"
        if self._all_legal:
            what, which = f"is not a legal position of {self._name}", "that are"
        message = f"{position!r} {what}; give one of the {len(self):,} positions {which}"
        return PositionError(message)

    def _position(self, place: int) -> Any:
        packed = self._table.packed(np.array([place]))
        return self._compiled.rules.layout.unpack(packed)

    def _value(self, place: int) -> Value:
        return self._quick.value(place)

    def _stored(self, place: int) -> int:
        return int(self._table.values(np.array([place]))[0])

    def _decoded(self, stored: int) -> Value:
        if self._compiled.scored:
            return Value(OUTCOMES[(stored > 0) - (stored < 0)], None, stored)
        outcome, remoteness = codes.decode(stored)
        return Value(OUTCOMES[outcome], remoteness)

    def _seen(self, position: Any, move: Any, place: int, *, same_mover: bool) -> tuple[Value, int]:
        """Return what a move to the position at ``place`` is worth to the mover, and a sort key."""
        stored = self._stored(place)
        if self._compiled.scored:
            score = self._compiled.rules.gain(position, move) + (stored if same_mover else -stored)
            return self._decoded(score), score
        code = codes.encode(*codes.seen_before(*codes.decode(stored), same_mover=same_mover))
        return self._decoded(code), code
