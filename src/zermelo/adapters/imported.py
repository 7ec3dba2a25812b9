"""Games of other libraries as games of Zermelo: their positions are found first, and numbered."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import InitVar, dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo.adapters.finding.exploration import explored
from zermelo.adapters.finding.states import StateGraph, StateSource
from zermelo.errors import MissingExtraError, ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution

#: Stands for a position where the game goes on.
_GOES_ON = 2
#: The finest fraction of a point that payoffs are counted in.
_FINEST = 1000
#: How far off payoffs of 32 bits may be.
_ROUNDING = 1e-7
_NUMBER = re.compile(r"(?:.*\bposition )?(\d+)", re.DOTALL)


class Move(NamedTuple):
    """A move of an imported game.

    Attributes:
        action: the number of the action in the library that the game comes from.
        edge: the number of the move among all moves of all positions.
    """

    action: int
    edge: int


class _Explored:
    """What was found of a game. No field of it: the checksum tells games apart."""

    _graph: StateGraph


@dataclass(frozen=True)
class ImportedGame(_Explored, Game):
    """A game of another library.

    All its positions were found through that library. A position is its number, in the order in
    which they were found from the start, which is 0; a move has the number of its action there.

    Attributes:
        source: the library and the game, such as ``openspiel:tic_tac_toe()``.
        checksum: of all positions and moves, by which tables know the game again.
    """

    source: str
    checksum: str
    graph: InitVar[StateGraph]

    def __post_init__(self, graph: StateGraph) -> None:
        """Keep the positions."""
        object.__setattr__(self, "_graph", graph)

    def title(self) -> str:
        """Return the library and the game."""
        return self.source

    # -- the rules --------------------------------------------------------------------------------

    def start(self) -> int:
        """Return the position that was found first."""
        return 0

    def space(self) -> range:
        """Return all positions."""
        return range(len(self.ends))

    def turn(self, p: int) -> int:
        """Return whose turn it is; where the game is over, the player who did not move last."""
        return int(self.movers[p])

    def moves(self, p: int) -> Iterator[Move]:
        """Yield the legal actions."""
        for edge in range(self.first[p], self.first[p + 1]):
            yield Move(int(self.actions[edge]), edge)

    def play(self, p: int, move: Move) -> int:  # noqa: ARG002  # an edge says where it comes from
        """Return the position that a move leads to."""
        return int(self.targets[move.edge])

    # -- what the rules read ----------------------------------------------------------------------

    @cached_property
    def first(self) -> npt.NDArray[np.int64]:
        """The number of the first move of each position, and of all moves."""
        return self._graph.first

    @cached_property
    def actions(self) -> npt.NDArray[np.int64]:
        """The action of each move."""
        return self._graph.moves

    @cached_property
    def targets(self) -> npt.NDArray[np.int64]:
        """The position that each move leads to."""
        return self._graph.targets

    @cached_property
    def movers(self) -> npt.NDArray[np.int64]:
        """Whose turn it is in each position."""
        return self._graph.players

    @property
    def points(self) -> int:
        """How many points of a score are a payoff of 1; 1, where all payoffs are whole numbers."""
        return _points(self._graph.payoffs)

    @cached_property
    def ends(self) -> npt.NDArray[np.int64]:
        """What the player to move gets in each position where the game is over."""
        payoffs, over = self._graph.payoffs, np.diff(self.first) == 0
        signs = np.where(self.movers == 0, 1, -1)
        ends = np.full(len(payoffs), _GOES_ON, np.int64)
        ends[over] = np.rint(payoffs[over] * self.points).astype(np.int64) * signs[over]
        return ends

    # -- what people see --------------------------------------------------------------------------

    def show(self, p: int) -> str:
        """Return the state as the library prints it, and the number of the position."""
        text = self._graph.source.shown(self._graph.state(p)).rstrip()
        return f"{text}\nposition {p}"

    def name(self, move: Move) -> str:
        """Return what the library calls an action."""
        place = int(np.searchsorted(self.first, move.edge, "right")) - 1
        return self._graph.source.moved(lambda: self._graph.state(place), move.action)

    def parse(self, text: str) -> int:
        """Read the number of a position, or the actions that lead there, such as ``@4,0``.

        Raises:
            PositionError: it is none of these, or an action is not legal.
        """
        text = text.strip()
        if text.startswith("@"):
            place = 0
            for action in actions_of(text[1:], PositionError):
                place = self._after(place, action, text)
            return place
        number = _NUMBER.fullmatch(text)
        if number is None or int(number[1]) >= len(self.ends):
            message = (
                f"{text!r} is not a position; give its number, from 0 to {len(self.ends) - 1}, or "
                "the actions that lead there, such as @4,0"
            )
            raise PositionError(message)
        return int(number[1])

    def _after(self, place: int, action: int, text: str) -> int:
        edges = range(int(self.first[place]), int(self.first[place + 1]))
        for edge in edges:
            if self.actions[edge] == action:
                return int(self.targets[edge])
        legal = ", ".join(str(self.actions[edge]) for edge in edges) or "none, the game is over"
        message = f"{text!r} has the action {action}, which is not legal there; legal: {legal}"
        raise PositionError(message)

    # -- there and back ---------------------------------------------------------------------------

    @property
    def origin(self) -> StateSource:
        """What the positions were found through."""
        return self._graph.source

    @property
    def key(self) -> str:
        """What tells positions apart; two states that agree in it are one position."""
        return self._graph.source.keys[self._graph.key]

    def state(self, position: int) -> Any:
        """Return a position as the library has it: a state that its shortest history leads to.

        Raises:
            PositionError: there is no such position.
        """
        if not 0 <= position < len(self.ends):
            message = f"{position!r} is not a position; give one from 0 to {len(self.ends) - 1}"
            raise PositionError(message)
        return self._graph.source.outside(self._graph.state(position))

    def position(self, state: Any) -> int:
        """Return the position that a state of the library is.

        Raises:
            PositionError: it is of another game, or cannot be reached from the start.
        """
        places = self._graph.places(self._graph.source.inside(state))
        place = next((place for place in places if place >= 0), -1)
        if place < 0:
            message = f"a state cannot be reached from the start of {self.source}: {state}"
            raise PositionError(message)
        return place


@dataclass(frozen=True)
class ImportedOutcomes(ImportedGame):
    """A game of another library, won, drawn or lost."""

    def outcome(self, p: int) -> int | None:
        """Return who has won for the player to move; None while the game goes on."""
        return None if self.ends[p] == _GOES_ON else int(self.ends[p])


@dataclass(frozen=True)
class ImportedScores(ImportedGame):
    """A game of another library that ends with payoffs."""

    def score(self, p: int) -> int:
        """Return what the player to move has got in the end."""
        return int(self.ends[p])


def imported(source: StateSource, limit: int, progress: Listener | None = None) -> ImportedGame:
    """Find all positions of a game of another library, and return it as a game.

    Raises:
        ParameterError: its payoffs cannot be counted in whole numbers, or ``progress`` cannot be
            called; or see ``explored``.
        BudgetError: see ``explored``.
    """
    if limit < 1:
        message = f"limit must be at least 1, not {limit!r}; it is the most positions to find"
        raise ParameterError(message)
    graph = explored(source, limit=limit, report=Reporter(progress))
    payoffs = set(graph.payoffs[~np.isnan(graph.payoffs)].tolist())
    if payoffs <= {-1.0, 0.0, 1.0}:
        return ImportedOutcomes(source.name, _checksum(graph), graph)
    _points(graph.payoffs)
    return ImportedScores(source.name, _checksum(graph), graph)


def _checksum(graph: StateGraph) -> str:
    """Return a checksum of all positions and moves."""
    digest = hashlib.blake2b(digest_size=8)
    for array in (graph.first, graph.moves, graph.targets, graph.players, graph.payoffs):
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _points(payoffs: npt.NDArray[np.float64]) -> int:
    """Return by what payoffs have to be multiplied to be whole numbers.

    Raises:
        ParameterError: by nothing of reasonable size.
    """
    points = 1
    for payoff in np.unique(payoffs[~np.isnan(payoffs)]).tolist():
        exact = Fraction(payoff).limit_denominator(_FINEST)
        points = lcm(points, exact.denominator)
        if points > _FINEST or abs(float(exact) - payoff) > _ROUNDING * max(1, abs(payoff)):
            message = f"the payoff {payoff!r} is not a fraction of a point; use payoffs like 0.5"
            raise ParameterError(message)
    return points


def actions_of(text: str, error: type[ParameterError | PositionError]) -> list[int]:
    """Read actions with commas between them.

    Raises:
        ParameterError: or the other error that is given: it is something else.
    """
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    if not all(word.isascii() and word.isdigit() for word in words):
        message = f"{text!r} is not a list of actions; give their numbers, such as 4,0"
        raise error(message)
    return [int(word) for word in words]


def best_actions(
    solution: Solution,
    library: str,
    position: Callable[[Any], Any] | None,
    action: Callable[[Any], int] | None,
) -> Callable[[Any], list[int]]:
    """Return what tells the best actions in a state of another library.

    Args:
        solution: of an imported game, or of another one together with the next two.
        library: what people call the library.
        position: returns the position that a state is; by default that of the game.
        action: returns the action that a move is; by default its ``action``.

    Raises:
        ParameterError: it is not known which position a state is, or which action a move is.
    """
    game: Any = getattr(solution.rules, "game", None)
    if not isinstance(game, ImportedGame) and (position is None or action is None):
        message = (
            f"{solution.rules.described} does not come from {library}; give position=, which "
            "returns the position of a state, and action=, which returns the action of a move"
        )
        raise ParameterError(message)
    place = position or game.position
    taken = action or _action
    return lambda state: [taken(move) for move in solution.best(place(state))]


def _action(move: Any) -> int:
    """Return the action of a move of an imported game."""
    action: int = move.action
    return action


def with_parameters(text: str) -> tuple[str, dict[str, Any]]:
    """Read a name with parameters, such as ``hex(size=4)``.

    Raises:
        ParameterError: it is something else, or a parameter is not a plain value.
    """
    name, bracket, rest = text.strip().partition("(")
    if not bracket:
        return name, {}
    try:
        called = ast.parse(f"given({rest}", mode="eval").body
        if isinstance(called, ast.Call) and not called.args:
            return name, {str(word.arg): ast.literal_eval(word.value) for word in called.keywords}
    except (SyntaxError, ValueError):
        pass
    message = f"{text!r} does not read as a name with parameters; write it like hex(size=4)"
    raise ParameterError(message)


def check_legal(name: str, move: int, moves: Sequence[int], legal: Sequence[int]) -> None:
    """See that one of the actions that are played before a game begins is legal.

    Raises:
        ParameterError: it is not.
    """
    if move not in legal:
        message = f"action {move!r} of moves={moves!r} is not legal in {name}; legal are {legal}"
        raise ParameterError(message)


def needed(module: str, called: str, extra: str) -> Any:
    """Import a module of another library.

    Args:
        module: its name.
        called: what people call the library.
        extra: the extra of Zermelo that installs it.

    Raises:
        MissingExtraError: it is not installed.
    """
    if find_spec(module.partition(".")[0]) is None:
        message = (
            f"games of {called} need {module.partition('.')[0]}, which is not installed; run "
            f"pip install 'zermelo[{extra}]'"
        )
        raise MissingExtraError(message)
    return import_module(module)
