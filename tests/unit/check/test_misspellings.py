"""Names that are nearly those of hooks: what uses the rules says so, before they are solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import zermelo
from support.games.small_games import Heap, hint
from zermelo import RulesError, RulesWarning, Symmetry
from zermelo.games import TicTacToe, zoo
from zermelo.rules.hooks import Rules, hooks_of
from zermelo.rules.misspellings import misspellings_of


class Outcomes(TicTacToe):
    """The outcome is misspelt in a class that inherits another."""

    def outcomes(self, board: Any) -> Any:
        """Return nothing that anybody asks for."""


class Camel(Heap):
    """A hook in camel case, with a capital letter."""

    def Outcome(self, left: Any) -> Any:  # noqa: N802  # as its author writes it
        return left


class Winer(Heap):
    """The same of the winner, where there is a turn."""

    def turn(self, left: Any) -> int:
        return left % 2

    def winer(self, left: Any) -> Any:
        return 0 if left == 0 else None


class Levels(Heap):
    """A hook that is asked for speed alone."""

    def levels(self, left: Any) -> Any:
        return -left


class Chances(Heap):
    """A heap from which nature takes, too."""

    def chances(self, left: Any) -> Any:
        return [(1, 0.5), (2, 0.5)]


class NoMove(Heap):
    """An attribute without its last letter."""

    no_move = 0


class Player(Heap):
    """Likewise."""

    player = ("Ann", "Bob")


class OneSymmetry(Heap):
    """A symmetry that is no method, under another name."""

    symmetry = Symmetry(relabel=())


class Property(Heap):
    """A hook that is a property."""

    @property
    def level(self) -> int:
        return 1


class Constant(Heap):
    """A hook that is a number."""

    turn = 0


class Renamed(zermelo.Game):
    """A game whose play is called otherwise."""

    start, moves, apply_move = Heap.start, Heap.moves, Heap.play


_REFUSED = {
    Outcomes: "Outcomes: nothing calls outcomes(); if you mean outcome(), rename it; otherwise",
    Camel: "Camel: nothing calls Outcome(); if you mean outcome(), rename it; otherwise call",
    Winer: "Winer: nothing calls winer(); if you mean winner(), rename it; otherwise call it _win",
    Levels: "Levels: nothing calls levels(); if you mean level(), rename it; otherwise",
    Chances: "Chances: nothing calls chances(); if you mean chance(), rename it; otherwise call",
    NoMove: "NoMove: nothing reads the attribute no_move; if you mean no_moves, rename it; other",
    Player: "Player: nothing reads the attribute player; if you mean players, rename it; otherw",
    OneSymmetry: "nothing reads the attribute symmetry; if you mean symmetries(self), write it as",
    Property: "Property.level is a property; write it as a method, level(self, position)",
    Constant: "Constant.turn is 0, not a method; write it as a method, turn(self, position)",
    Renamed: "Renamed has no play(); rename apply_move(), if that is it, or write a method that",
}


@pytest.mark.parametrize("kind", _REFUSED, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(
    "use", [zermelo.solve, zermelo.prove, Rules], ids=["solve", "prove", "rules"]
)
def test_misspelt_names_are_refused(kind: Any, use: Any) -> None:
    """A name that can be meant for nothing else stops whatever would use the rules."""
    with pytest.raises(RulesError) as caught:
        use(kind())
    assert _REFUSED[kind] in str(caught.value)
    assert not zermelo.check(kind())


class Terminal(Heap):
    """The end of the game has the name that another library gives it."""

    def is_terminal(self, left: Any) -> bool:
        return left == 1


class CamelTerminal(Heap):
    """The same in camel case."""

    def isTerminal(self, left: Any) -> bool:  # noqa: N802  # as its author writes it
        return left == 1


@dataclass(frozen=True)
class Parameter(Heap):
    """A parameter that nothing reads, with a name that is nearly an attribute's."""

    no_move: int = 1


_WARNED = {
    Terminal: "nothing calls is_terminal(); if you mean outcome(), rename it; otherwise call",
    CamelTerminal: "nothing calls isTerminal(); if you mean outcome(), rename it; otherwise",
    Parameter: "nothing reads the parameter no_move; if you mean no_moves, rename it; otherwise",
}


@pytest.mark.parametrize("kind", _WARNED, ids=lambda kind: kind.__name__)
def test_names_that_may_be_meant_otherwise_give_a_warning(kind: Any) -> None:
    """Such a name may be a helper, so the rules are used, and the caller's line is named."""
    with pytest.warns(RulesWarning) as told:
        Rules(kind())
    assert str(told[0].message).startswith(f"{kind.__name__}: {_WARNED[kind]}")
    assert told[0].filename == __file__


def test_check_reports_such_names_as_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report has what others warn of."""
    assert "if you mean outcome()" in hint(Terminal, "misspelt", monkeypatch).message


class Helped(Heap):
    """A heap with a helper that the module calls."""

    def scored(self, left: Any) -> int:
        return -left


def scores(game: Helped) -> list[int]:
    """Use the helper."""
    return [game.scored(left) for left in range(3)]


class Moved(TicTacToe):
    """A helper with another form of a hook's word, in a class that inherits the hook."""

    def moved(self, board: Any) -> Any:
        """Return what nobody asks for here."""


class Underscored(Heap):
    """What the messages recommend."""

    _no_move = 0
    canonical = None

    def _outcomes(self, left: Any) -> Any:
        return left

    def outcome(self, left: Any) -> Any:
        return None


@pytest.mark.parametrize("kind", [Helped, Underscored])
def test_helpers_are_no_slips(kind: Any) -> None:
    """What a class or its module uses, or what begins with an underscore, is no hook."""
    assert misspellings_of(kind, hooks_of(kind)) == ()


def test_another_form_of_a_word_is_no_more_than_a_hint() -> None:
    """Its author may call it from elsewhere."""
    (found,) = misspellings_of(Moved, hooks_of(Moved))
    assert (found.meant, str(found.doubt)) == ("moves", "possible")


def test_the_zoo_has_no_slips() -> None:
    """No game of the zoo has a name that is taken for a misspelt one."""
    assert [slip for kind in zoo().values() for slip in misspellings_of(kind, hooks_of(kind))] == []
