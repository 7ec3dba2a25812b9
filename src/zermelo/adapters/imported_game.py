"""Games of other libraries as games of Zermelo: their positions are first found and numbered."""

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

from zermelo.adapters.finding.exploration import explore_source
from zermelo.adapters.finding.states import StateGraph, StateSource
from zermelo.errors import MissingExtraError, ParameterError, PositionError
from zermelo.game.chance import Face
from zermelo.game.contract import Game
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution

#: The value of ``ends`` for a position in which the game goes on.
_UNDECIDED = 2
#: The finest fraction of a point in which payoffs are counted.
_FINEST = 1000
#: The largest relative error of payoffs, which may have 32 bits.
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


class _ExploredGame:
    """The graph of a game, which is not a field of it: the checksum distinguishes games."""

    _graph: StateGraph


@dataclass(frozen=True)
class ImportedGame(_ExploredGame, Game):
    """A game of another library.

    All its positions were found through that library. A position is its number, in the order in
    which the positions were found, from 0 for the start; a move has the number of its action there.

    Attributes:
        source: the library and the game, such as ``openspiel:tic_tac_toe()``.
        checksum: a checksum of all positions and moves, by which tables recognise the game.
    """

    source: str
    checksum: str
    graph: InitVar[StateGraph]

    def __post_init__(self, graph: StateGraph) -> None:
        """Store the graph of the positions."""
        object.__setattr__(self, "_graph", graph)

    def title(self) -> str:
        """Return the library and the game."""
        return self.source

    # -- the rules --------------------------------------------------------------------------------

    def start(self) -> int:
        """Return the start, which was found first."""
        return 0

    def space(self) -> range:
        """Return all positions."""
        return range(len(self.ends))

    def turn(self, p: int) -> int:
        """Return the player to move; if the game is over, the player who did not move last."""
        return int(self.movers[p])

    def moves(self, p: int) -> Iterator[Move]:
        """Yield the legal actions."""
        for edge in range(self.first[p], self.first[p + 1]):
            yield Move(int(self.actions[edge]), edge)

    def play(self, p: int, move: Move) -> int:  # noqa: ARG002  # an edge has its position
        """Return the position that a move leads to."""
        return int(self.targets[move.edge])

    # -- arrays that the rules read ---------------------------------------------------------------

    @cached_property
    def first(self) -> npt.NDArray[np.int64]:
        """The number of the first move of each position, then the number of all moves."""
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
        """The player to move in each position."""
        return self._graph.players

    @property
    def points(self) -> int:
        """The points of a score for a payoff of 1; it is 1 if all payoffs are whole numbers."""
        return _score_factor(self._graph.payoffs)

    @cached_property
    def ends(self) -> npt.NDArray[np.int64]:
        """The payoff of the player to move in each position in which the game is over."""
        payoffs, is_over = self._graph.payoffs, np.diff(self.first) == 0
        signs = np.where(self.movers == 0, 1, -1)
        ends = np.full(len(payoffs), _UNDECIDED, np.int64)
        ends[is_over] = np.rint(payoffs[is_over] * self.points).astype(np.int64) * signs[is_over]
        return ends

    # -- text for people --------------------------------------------------------------------------

    def show(self, p: int) -> str:
        """Return the state as the library prints it, and the number of the position."""
        text = self._graph.source.state_text(self._graph.state(p)).rstrip()
        return f"{text}\nposition {p}"

    def name(self, move: Move) -> str:
        """Return the library's name of an action."""
        place = int(np.searchsorted(self.first, move.edge, "right")) - 1
        return self._graph.source.move_text(lambda: self._graph.state(place), move.action)

    def parse(self, text: str) -> int:
        """Return the position of a number, or of actions that lead there, such as ``@4,0``.

        Raises:
            PositionError: the text is neither, or an action is not legal.
        """
        text = text.strip()
        if text.startswith("@"):
            place = 0
            for action in parse_actions(text[1:], PositionError):
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

    # -- states of the library --------------------------------------------------------------------

    @property
    def origin(self) -> StateSource:
        """The source through which the positions were found."""
        return self._graph.source

    @property
    def key(self) -> str:
        """The description of the key; two states that agree in it are one position."""
        return self._graph.source.keys[self._graph.key]

    def state(self, position: int) -> Any:
        """Return a state of the library in this position, by its shortest history.

        Raises:
            PositionError: there is no such position.
        """
        if not 0 <= position < len(self.ends):
            message = f"{position!r} is not a position; give one from 0 to {len(self.ends) - 1}"
            raise PositionError(message)
        return self._graph.source.to_library(self._graph.state(position))

    def position(self, state: Any) -> int:
        """Return the position of a state of the library.

        Raises:
            PositionError: the state is of another game, or cannot be reached from the start.
        """
        places = self._graph.places(self._graph.source.from_library(state))
        place = next((place for place in places if place >= 0), -1)
        if place < 0:
            message = f"a state cannot be reached from the start of {self.source}: {state}"
            raise PositionError(message)
        return place


class _Chance:
    """Moves and results of chance of a game in which chance decides at some positions."""

    first: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    _graph: StateGraph

    def moves(self, p: int) -> Iterator[Move]:
        """Yield the legal actions; none if chance decides."""
        for edge in range(self.first[p], self.first[p + 1]):
            if self.weights[edge] == 0:
                yield Move(int(self.actions[edge]), edge)

    def chance(self, p: int) -> Iterator[tuple[int, int]]:
        """Yield the weight and the position of each result of chance."""
        for edge in range(self.first[p], self.first[p + 1]):
            if self.weights[edge] > 0:
                yield int(self.weights[edge]), int(self.targets[edge])

    @cached_property
    def weights(self) -> npt.NDArray[np.int64]:
        """The weight of each result of chance, 0 for a move."""
        return self._graph.weights


@dataclass(frozen=True)
class ImportedOutcomes(ImportedGame):
    """A game of another library that is won, drawn or lost."""

    def outcome(self, p: int) -> int | None:
        """Return the outcome for the player to move; None while the game goes on."""
        return None if self.ends[p] == _UNDECIDED else int(self.ends[p])


@dataclass(frozen=True)
class ImportedScores(ImportedGame):
    """A game of another library that ends with payoffs."""

    def score(self, p: int) -> int:
        """Return the final score of the player to move."""
        return int(self.ends[p])


@dataclass(frozen=True)
class ImportedChanceOutcomes(_Chance, ImportedOutcomes):
    """A game of another library with chance that is won, drawn or lost."""


@dataclass(frozen=True)
class ImportedChanceScores(_Chance, ImportedScores):
    """A game of another library with chance that ends with payoffs."""


def import_game(
    source: StateSource, max_positions: int, progress: Listener | None = None
) -> ImportedGame:
    """Find all positions of a game of another library, and return it as a game.

    Raises:
        ParameterError: its payoffs cannot be counted in whole numbers, ``progress`` cannot be
            called, or ``explored`` refuses the game.
        BudgetError: there are more positions than ``max_positions``.
    """
    if max_positions < 1:
        message = f"max_positions must be at least 1, not {max_positions!r}; give more"
        raise ParameterError(message)
    graph = explore_source(source, max_positions=max_positions, report=Reporter(progress))
    payoffs = set(graph.payoffs[~np.isnan(graph.payoffs)].tolist())
    has_chance = len(graph.weights) > 0
    kind: type[ImportedGame]
    if payoffs <= {-1.0, 0.0, 1.0}:
        kind = ImportedChanceOutcomes if has_chance else ImportedOutcomes
    else:
        _score_factor(graph.payoffs)
        kind = ImportedChanceScores if has_chance else ImportedScores
    return kind(source.name, _checksum(graph), graph)


def _checksum(graph: StateGraph) -> str:
    """Return a checksum of all positions and moves."""
    digest = hashlib.blake2b(digest_size=8)
    arrays = (graph.first, graph.moves, graph.targets, graph.players, graph.payoffs, graph.weights)
    for array in arrays:  # the weights of a game without chance are empty
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _score_factor(payoffs: npt.NDArray[np.float64]) -> int:
    """Return the factor by which payoffs become whole numbers.

    Raises:
        ParameterError: there is no such factor of reasonable size.
    """
    points = 1
    for payoff in np.unique(payoffs[~np.isnan(payoffs)]).tolist():
        exact = Fraction(payoff).limit_denominator(_FINEST)
        points = lcm(points, exact.denominator)
        if points > _FINEST or abs(float(exact) - payoff) > _ROUNDING * max(1, abs(payoff)):
            message = f"the payoff {payoff!r} is not a fraction of a point; use payoffs like 0.5"
            raise ParameterError(message)
    return points


def parse_actions(text: str, error: type[ParameterError | PositionError]) -> list[int]:
    """Return the actions of a text, in which commas separate them.

    Raises:
        ParameterError: or the other error given: the text is something else.
    """
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    if not all(word.isascii() and word.isdigit() for word in words):
        message = f"{text!r} is not a list of actions; give their numbers, such as 4,0"
        raise error(message)
    return [int(word) for word in words]


def best_actions(
    solution: Solution,
    library: str,
    position_of: Callable[[Any], Any] | None,
    action_of: Callable[[Any], int] | None,
) -> Callable[[Any], list[int]]:
    """Return the function that returns the best actions in a state of another library.

    They are none if chance decides.

    Args:
        solution: the solution of an imported game, or of another game if the next two are given.
        library: the library's name, for messages.
        position_of: returns the position of a state; by default the game's method.
        action_of: returns the action of a move; by default its ``action``.

    Raises:
        ParameterError: the game is not imported, and ``position_of`` or ``action_of`` is missing.
    """
    game: Any = getattr(solution.rules, "game", None)
    if not isinstance(game, ImportedGame) and (position_of is None or action_of is None):
        message = (
            f"{solution.rules.description} does not come from {library}; give position_of=, "
            "which returns the position of a state, and action_of=, which returns the action of a "
            "move"
        )
        raise ParameterError(message)
    locate = position_of or game.position
    convert = action_of or _action
    return lambda state: [
        convert(move) for move in solution.best(locate(state)) if not isinstance(move, Face)
    ]


def _action(move: Any) -> int:
    """Return the action of a move of an imported game."""
    action: int = move.action
    return action


def split_parameters(text: str) -> tuple[str, dict[str, Any]]:
    """Return the parts of a name with parameters, such as ``hex(size=4)``.

    Raises:
        ParameterError: the text is something else, or a parameter is not a plain value.
    """
    name, bracket, arguments = text.strip().partition("(")
    if not bracket:
        return name, {}
    try:
        call = ast.parse(f"given({arguments}", mode="eval").body
        if isinstance(call, ast.Call) and not call.args:
            return name, {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    except (SyntaxError, ValueError):
        pass
    message = f"{text!r} does not read as a name with parameters; write it like hex(size=4)"
    raise ParameterError(message)


def check_legal(name: str, move: int, opening: Sequence[int], legal: Sequence[int]) -> None:
    """Check that an action that is played before a game begins is legal.

    Raises:
        ParameterError: it is not.
    """
    if move not in legal:
        message = (
            f"action {move!r} of opening={opening!r} is not legal in {name}; legal are {legal}"
        )
        raise ParameterError(message)


def import_library(module: str, library_name: str, extra: str) -> Any:
    """Import a module of another library.

    Args:
        module: the module's name.
        library_name: the library's name, for messages.
        extra: the extra of Zermelo that installs it.

    Raises:
        MissingExtraError: the library is not installed.
    """
    if find_spec(module.partition(".")[0]) is None:
        message = (
            f"games of {library_name} need {module.partition('.')[0]}, which is not installed; run "
            f"pip install 'zermelo[{extra}]'"
        )
        raise MissingExtraError(message)
    return import_module(module)
