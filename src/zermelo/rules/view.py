"""The interface of the rules of a solved game, independent of their form.

A game's class, a pursuit on graphs and an explicit graph all provide it. So playing, explaining and
drawing are written once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from zermelo.values.kind import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo.values.outcomes import Outcome, Value
    from zermelo.values.results import Line, Options


class RulesView(Protocol):
    """The rules of what was solved, position by position."""

    @property
    def name(self) -> str:
        """The name of the game's class, ``graph`` or ``pursuit``."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters, in JSON's types."""

    @property
    def description(self) -> str:
        """The name and the parameters, in a few words."""

    @property
    def summary(self) -> str:
        """A sentence about it."""

    @property
    def title(self) -> str:
        """The name of the game in words, with its size, such as ``Connect Four 5×4``."""

    @property
    def instructions(self) -> list[str]:
        """The rules in words, a paragraph each."""

    @property
    def players(self) -> tuple[str, str]:
        """The names of the players, the first one first."""

    @property
    def plies_per_move(self) -> int:
        """How many plies the players count as one move, as in chess, or 1."""

    @property
    def alternate(self) -> bool:
        """Whether players strictly alternate, so that positions do not show whose turn it is."""

    @property
    def kind(self) -> Kind:
        """The kind of value of positions, unless another is requested."""

    def owner(self, position: Any) -> int:
        """Return the player to move, 0 or 1; always 0 if the players strictly alternate."""

    def is_chance(self, position: Any) -> bool:
        """Return whether chance decides in a position, so that its moves are ``Face`` objects."""

    def keeps_turn(self, position: Any, move: Any, child: Any) -> bool:
        """Return whether the same player is to move after a move, or a result of chance.

        Args:
            position: the position before the move.
            move: the move.
            child: the position after the move.
        """

    def terminal(self, position: Any) -> Outcome | None:
        """Return the outcome that the rules give a position, or None while the game goes on."""

    def moves(self, position: Any) -> Sequence[Any]:
        """Return the moves in a position, [] if the game is over."""

    def play(self, position: Any, move: Any) -> Any:
        """Return the position after a move."""

    def pass_turn(self, position: Any) -> Any:
        """Return the same position with the other player to move.

        Raises:
            RulesError: the rules cannot pass the turn.
        """

    def canonical(self, position: Any) -> Any:
        """Return the canonical position among those equivalent to this one."""

    def gain(self, position: Any, move: Any) -> int:
        """Return the points that the mover gets by a move."""

    def final_score(self, position: Any) -> int:
        """Return the margin for the player to move in a terminal position."""

    def endless_worth(self, position: Any) -> int:
        """Return the points that the player to move makes by endless play, in a score game."""

    def move_name(self, move: Any) -> str:
        """Return the name of a move."""

    def position_text(self, position: Any) -> str:
        """Return a position as text."""

    def terminal_text(self, position: Any) -> str:
        """Return a position for a terminal: as a picture in text, or as ``position_text``."""

    def position_svg(self, position: Any) -> str:
        """Return a position as one ``<svg>`` element."""

    def parse(self, text: str) -> Any:
        """Return the position that a text stands for.

        Raises:
            PositionError: it does not stand for a position.
        """


class Answering(Protocol):
    """The part of a solution that explanations, analyses and matches use."""

    @property
    def rules(self) -> RulesView:
        """The rules."""

    @property
    def kind(self) -> Kind:
        """The kind of value that positions have."""

    @property
    def start(self) -> Any:
        """The start."""

    @property
    def value(self) -> Value:
        """The value of the start."""

    @property
    def winner(self) -> str | None:
        """The winner from the start, or None."""

    def __len__(self) -> int:
        """Return the number of positions."""

    def __getitem__(self, position: Any) -> Value:
        """Return the value of a position."""

    def settle(self, position: Any = None, *, time: float | None = None) -> Value:
        """Return the value of a position, after a search if it is not known yet."""

    def options(self, position: Any = None) -> Options:
        """Return every move with its value, best first."""

    def line(
        self, position: Any = None, *, longest: int | None = ..., seed: int | None = ...
    ) -> Line:
        """Return a line of perfect play."""
