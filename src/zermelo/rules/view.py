"""What everybody who looks at a solved game may ask of its rules, whatever they are written as.

A class of an author, a pursuit on graphs and a graph that is given as it is all answer this. So
playing, explaining, drawing and asking are written once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from zermelo.values.kind import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo.values.outcomes import Outcome, Value
    from zermelo.values.results import Line, Option


class RulesView(Protocol):
    """The rules of what was solved, position by position."""

    @property
    def name(self) -> str:
        """The name of the game's class, ``graph`` or ``pursuit``."""

    @property
    def parameters(self) -> dict[str, Any]:
        """What tells it from others of its name, as JSON can hold it."""

    @property
    def described(self) -> str:
        """The same in a few words for people."""

    @property
    def about(self) -> str:
        """A sentence on it."""

    @property
    def title(self) -> str:
        """The name of the game in words, with its size, such as ``Connect Four 5×4``."""

    @property
    def instructions(self) -> list[str]:
        """What there is to say of the rules, a paragraph each."""

    @property
    def players(self) -> tuple[str, str]:
        """The names of the players, the first one first."""

    @property
    def plies_per_move(self) -> int:
        """How many plies its players call one move, as in chess, or 1."""

    @property
    def alternate(self) -> bool:
        """Whether players strictly alternate, so that positions do not say whose turn it is."""

    @property
    def kind(self) -> Kind:
        """The kind of value that positions have, unless another is asked for."""

    def owner(self, position: Any) -> int:
        """Return whose turn it is, 0 or 1; always 0 where the players strictly alternate."""

    def terminal(self, position: Any) -> Outcome | None:
        """Return the outcome that the rules give a position, or None while the game goes on."""

    def moves(self, position: Any) -> Sequence[Any]:
        """Return the moves in a position, none where the game is over."""

    def play(self, position: Any, move: Any) -> Any:
        """Return the position after a move."""

    def pass_turn(self, position: Any) -> Any:
        """Return the same position with the other player to move.

        Raises:
            RulesError: the rules do not say which that is.
        """

    def canonical(self, position: Any) -> Any:
        """Return the position that stands for all that symmetries make the same as this one."""

    def gain(self, position: Any, move: Any) -> int:
        """Return the points that the mover gets by a move."""

    def final_score(self, position: Any) -> int:
        """Return the margin for the player to move where the game is over."""

    def endless_worth(self, position: Any) -> int:
        """Return the points that the player to move makes by endless play, in a score game."""

    def move_name(self, move: Any) -> str:
        """Return what a move is called."""

    def shown(self, position: Any) -> str:
        """Return a position as text."""

    def sketched(self, position: Any) -> str:
        """Return a position as a terminal shows it: a picture in text, or as ``shown``."""

    def pictured(self, position: Any) -> str:
        """Return a position as one ``<svg>`` element."""

    def parse(self, text: str) -> Any:
        """Return the position that a text stands for.

        Raises:
            PositionError: it stands for none.
        """


class Answering(Protocol):
    """A solution, as those see it who explain, analyse and play what was solved."""

    @property
    def rules(self) -> RulesView:
        """The rules."""

    @property
    def kind(self) -> Kind:
        """The kind of value that positions have."""

    @property
    def start(self) -> Any:
        """The position it begins in."""

    @property
    def value(self) -> Value:
        """The value of the start."""

    @property
    def winner(self) -> str | None:
        """Who wins from the start, or None."""

    def __len__(self) -> int:
        """Return how many positions there are."""

    def __getitem__(self, position: Any) -> Value:
        """Return the value of a position."""

    def settle(self, position: Any = None, *, time: float | None = None) -> Value:
        """Return the value of a position, and search for it where it is not known yet."""

    def options(self, position: Any = None) -> list[Option]:
        """Return every move with what it is worth, best first."""

    def line(self, position: Any = None, *, longest: int | None = ...) -> Line:
        """Return a line of perfect play."""
