"""Broken classes whose fault shows before they are played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from support.games.small_games import Heap, Ring, fault, hint, uncompiled
from zermelo import LOSS, Game, PlacementGame, RulesError, check


def test_something_else_is_no_game():
    """What is neither a game nor a class of games is refused."""
    with pytest.raises(RulesError, match="expected a game or its class, not 7; derive the class"):
        check(7)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="expected a game or its class, not <class 'int'>"):
        check(int)  # type: ignore[arg-type]


def test_class_that_needs_parameters():
    """A class that needs parameters has to be checked as an instance."""

    @dataclass(frozen=True)
    class Sized(Heap):
        size: int

    with pytest.raises(RulesError, match=r"missing a required argument: 'size'; give check\(\) a"):
        check(Sized)


def test_class_whose_parameters_are_refused():
    """The message quotes the error of a class that refuses its own default parameters."""

    class Refusing(Heap):
        def validate(self):
            raise ValueError("no heap so small")

    problem = fault(Refusing, "contract")
    assert problem.message.startswith("making the game raised ValueError: no heap so small (line ")


def test_missing_hook():
    """The message names the missing hook, and a method that may be meant as it."""

    class Unplayed(Game):
        """A heap nobody can take from."""

        def start(self):
            return 7

        def moves(self, left):
            yield from range(1, min(2, left) + 1)

        def make_move(self, left, taken):
            return left - taken

        def show(self, left):
            return str(left)

    assert fault(Unplayed, "missing").message == (
        "there is no play(); rename make_move(), if that is it, or write a method that returns the "
        "position after a move"
    )


def test_hook_that_is_no_method():
    """A rule that is a property is not taken for a method."""

    class Lasting(Heap):
        @property
        def moves(self):
            return (1, 2)

    assert fault(Lasting, "signature").message == (
        "moves is a property; write it as a method, moves(self, position), that yields the moves "
        "in a position"
    )


def test_wrong_arguments():
    """The message shows the arguments that a hook with too few should take."""

    class Short(Heap):
        def play(self, left):
            return left - 1

    assert fault(Short, "signature").message == (
        "play(self, left) does not take what it is given; write play(self, position, move)"
    )


def test_no_arguments_at_all():
    """The message shows a missing self, which only a static method can do without."""

    class Selfless(Heap):
        def start():
            return 3

    class Static(Heap):
        @staticmethod
        def play(left, move, how):
            return left - move

    assert fault(Selfless, "signature").message == (
        "start() does not take what it is given; write start(self)"
    )
    assert fault(Static, "signature").message == (
        "play(left, move, how) does not take what it is given; write play(position, move)"
    )


def test_outcome_and_winner():
    """Only one of outcome and winner may say how a game ends."""

    class Doubled(Ring):
        def outcome(self, spot):
            return None

    message = "there are both outcome() and winner(); keep one of them"
    assert fault(Doubled, "clash").message == message


def test_winner_without_turn():
    """A winner's number means nothing in a game that does not say whose turn it is."""

    class Turnless(Heap):
        def winner(self, left):
            return 0 if left == 0 else None

    assert fault(Turnless, "clash").message == (
        "winner() needs turn(); write turn(), which returns 0 or 1, or use outcome()"
    )


def test_parameters_without_dataclass():
    """A class with parameters has to be a dataclass."""

    class Bare(Heap):
        size: int = 7

    assert fault(Bare, "dataclass").message == (
        "the class declares the parameter 'size' but is not a dataclass; write "
        "@dataclass(frozen=True) above the class"
    )


def test_init_by_hand():
    """What an __init__ written by hand sets is not seen."""

    class Handmade(Heap):
        def __init__(self):
            self.size = 7

    assert fault(Handmade(), "dataclass").message == (
        "__init__() is written by hand, and Zermelo cannot see what it sets; declare parameters as "
        "fields under @dataclass(frozen=True)"
    )


def test_dataclass_that_can_be_changed():
    """A dataclass that is not frozen could change while it is solved."""

    @dataclass
    class Loose(Heap):
        """A heap whose size anybody may change."""

        size: int = 7

    assert fault(Loose, "frozen").message == (
        "the class is a mutable dataclass; write @dataclass(frozen=True)"
    )


def test_mutable_parameter():
    """A parameter that can change is refused, by its name and class."""

    class Box:
        def __repr__(self):
            return "Box()"

    @dataclass(frozen=True)
    class Boxed(Heap):
        """A heap in a box."""

        box: Any = field(default_factory=Box)

    assert fault(Boxed, "parameter").message == (
        "parameter 'box' is Box(), a Box; use whole numbers, strings, tuples or arrays, which "
        "nobody can change"
    )


def test_players():
    """Players are two different names."""

    class Crowded(Heap):
        players = ("red", "green", "blue")  # type: ignore[assignment]

    assert fault(Crowded, "players").message == (
        "players is ('red', 'green', 'blue'); only games of two players are solved, so give the "
        "names of the two players, that of the first player first, such as ('X', 'O')"
    )


class Grid(PlacementGame):
    """Three in a row on a small board."""

    width = height = 3

    def lines(self):
        return self.straight(3)


_HIDING = {
    "full_board": (
        lambda self, board: False,
        "full_board() is a method, and PlacementGame.full_board an attribute that rules read; ",
    ),
    "bit": (
        lambda self, cell: 1 << cell,
        "bit(self, cell) is called as PlacementGame.bit(self, column, row); take these arguments",
    ),
    "has_line": (True, "has_line is not a method, and PlacementGame.has_line() is called; make it"),
    "players": (lambda self: ("A", "B"), "players() is a method, and PlacementGame.players an att"),
    "_rows": (lambda self: [1, 2], "_rows(self) is called as PlacementGame._rows(self, crosses, "),
    "validate": (lambda self, board: None, "validate(self, board) is called as PlacementGame.va"),
}


@pytest.mark.parametrize("name", _HIDING)
def test_a_helper_that_hides_a_base_attribute_is_refused(name):
    """The message names the attribute of the base class that a helper hides."""
    value, expected = _HIDING[name]
    with pytest.raises(RulesError) as caught:
        type("Hiding", (Grid,), {name: value, "__module__": __name__})()
    assert str(caught.value).startswith(f"Hiding.{expected}")


def test_a_board_without_a_size_is_refused():
    """A placement game has to have a width and a height."""

    class Sizeless(PlacementGame):
        height = 3

    with pytest.raises(RulesError, match=r"^Sizeless has no width; write it as a field, as in wid"):
        Sizeless()


def test_base_attributes_may_be_overridden():
    """A property may replace an attribute, and a method one with the same arguments."""

    class Fitting(Grid):
        @property
        def full_board(self):
            return LOSS

        def has_line(self, stones):
            return super().has_line(stones)

        def lines(self):
            return self.straight(2)

    assert Fitting().full_board is LOSS


def test_strange_no_moves():
    """The outcome of a position without moves is one of three."""

    class Strange(Heap):
        no_moves = 2  # type: ignore[assignment]

    message = "no_moves is 2; use WIN, DRAW, LOSS, or None while it goes on"
    assert fault(Strange, "contract").message == message


def test_misspelt_hook(monkeypatch):
    """A method that nothing calls and that is nearly called like a hook gets a hint."""

    class Misspelt(Heap):
        def is_terminal(self, left):
            return left == 0

    assert hint(Misspelt, "misspelt", monkeypatch).message == (
        "nothing calls is_terminal(); if you mean outcome(), rename it; otherwise call it "
        "_is_terminal()"
    )


def test_helper_is_not_misspelt(monkeypatch):
    """A method that the rules call is a helper, whatever it is called."""

    class Helped(Heap):
        def moves(self, left):
            return self.options(left)

        def options(self, left):
            return [taken for taken in (1, 2) if taken <= left]

    uncompiled(monkeypatch)
    assert check(Helped).problems == ()


def test_misspelt_attribute():
    """An attribute that nothing reads and that is nearly called like a known one is an error."""

    class Misspelt(Heap):
        """One or two are taken from a heap; the player who takes the last one loses."""

        no_move = 1

    assert fault(Misspelt, "misspelt").message == (
        "nothing reads the attribute no_move; if you mean no_moves, rename it; otherwise call it "
        "_no_move"
    )


def test_no_docstring(monkeypatch):
    """A dataclass without a docstring has only the one that dataclass writes, and gets a hint."""

    @dataclass(frozen=True)
    class Silent(Game):
        size: int = 7

        start, moves, play, show = Heap.start, Heap.moves, Heap.play, Heap.show

    assert hint(Silent, "docstring", monkeypatch).message == (
        "the class has no docstring; describe the game in it"
    )


def test_no_show(monkeypatch):
    """A class without show gets a hint."""

    class Unseen(Game):
        """One is taken from a heap until none is left."""

        def start(self):
            return 2

        def moves(self, left):
            return [1] if left else []

        def play(self, left, taken):
            return left - taken

    assert hint(Unseen, "no-show", monkeypatch).message == (
        "there is no show(); write one that returns a position as text people can read"
    )
