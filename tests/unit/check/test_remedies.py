"""What a report recommends mends what it is about: the class after it has no problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from support.games.small_games import Heap, Ring, Spot, uncompiled
from support.sizes import but
from zermelo import DRAW, LOSS, WIN, Game, check


class Left(NamedTuple):
    """A heap, and who takes next."""

    left: int
    turn: int


class Taken(NamedTuple):
    """A heap, with a number that every move raises."""

    left: int
    moves: int


class Turned(Heap):
    """A heap whose positions hold the turn."""

    def start(self) -> Any:
        return Left(7, 0)

    def moves(self, at: Any) -> Any:
        return range(1, min(2, at.left) + 1)

    def play(self, at: Any, taken: Any) -> Any:
        return Left(at.left - taken, 1 - at.turn)

    def show(self, at: Any) -> str:
        return f"{at.left} left, {at.turn} to move"


class Counted(Heap):
    """A heap whose positions hold how many moves were made, of which there is no end."""

    def start(self) -> Any:
        return Taken(1, 0)

    def moves(self, at: Any) -> Any:
        return (1, 2)

    def play(self, at: Any, taken: Any) -> Any:
        return Taken((at.left + taken) % 3, at.moves + 1)

    def show(self, at: Any) -> str:
        return f"{at.left}, {at.moves}"


class Steady(Counted):
    """The same without that number."""

    def start(self) -> Any:
        return 1

    def play(self, at: Any, taken: Any) -> Any:
        return (at + taken) % 3

    def outcome(self, at: Any) -> Any:
        return LOSS if at == 0 else None

    def show(self, at: Any) -> str:
        return str(at)


@dataclass(frozen=True)
class Sized(Heap):
    """A heap of a size."""

    size: int = 7

    def start(self) -> Any:
        return self.size


def _with(kind: type[Game], **body: Any) -> type[Game]:
    """Return a class with more in it."""
    return type("Mended", (kind,), {"__module__": __name__, "__doc__": "It is mended.", **body})


def _as_sized(kind: type[Game], **settings: Any) -> type[Game]:
    body = {
        "__module__": __name__,
        "__doc__": "A heap.",
        "__annotations__": {"size": int},
        "size": 7,
    }
    return dataclass(**settings)(type("Mended", (kind,), body))


#: What is wrong, what the sentence ends with, and what is right.
_MENDED: dict[str, tuple[Any, str, Any]] = {
    "dead end": (
        _with(Heap, outcome=lambda self, left: DRAW if left == 1 else None),
        "write no_moves = LOSS in the class if you mean that",
        _with(Heap, outcome=lambda self, left: DRAW if left == 1 else None, no_moves=LOSS),
    ),
    "dead end decided": (
        _with(Heap, outcome=lambda self, left: DRAW if left == 1 else None),
        "let outcome() decide it",
        _with(Heap, outcome=lambda self, left: {0: LOSS, 1: DRAW}.get(left)),
    ),
    "always a win": (
        _with(Heap, outcome=lambda self, left: WIN if left == 0 else None),
        "write no_moves = WIN in the class",
        _with(Heap, outcome=lambda self, left: WIN if left == 0 else None, no_moves=WIN),
    ),
    "winner without turn": (
        _with(Turned, winner=lambda self, at: 1 - at.turn if at.left == 0 else None),
        "write turn(), which returns 0 or 1",
        _with(
            Turned,
            winner=lambda self, at: 1 - at.turn if at.left == 0 else None,
            turn=lambda self, at: at.turn,
        ),
    ),
    "a turn that stays": (
        _with(Turned, play=lambda self, at, taken: Left(at.left - taken, at.turn)),
        "write turn(), which says whose turn it is",
        _with(
            Turned,
            play=lambda self, at, taken: Left(at.left - taken, (at.turn + taken) % 2),
            turn=lambda self, at: at.turn,
        ),
    ),
    "one player": (
        _with(
            Ring,
            play=lambda self, at, steps: Spot((at.place + steps) % 6, 0),
            winner=None,
            outcome=lambda self, at: LOSS if at.place == 5 else None,
        ),
        "let turn() return 0 alone if you mean that",
        _with(
            Ring,
            play=lambda self, at, steps: Spot((at.place + steps) % 6, 0),
            winner=None,
            outcome=lambda self, at: LOSS if at.place == 5 else None,
            turn=lambda self, at: 0,
        ),
    ),
    "by hand": (
        _with(Heap, __init__=lambda self: None),
        "declare parameters as fields under @dataclass(frozen=True)",
        Sized,
    ),
    "mutable": (_as_sized(Heap), "write @dataclass(frozen=True)", _as_sized(Heap, frozen=True)),
    "a level that falls": (
        _with(Heap, level=lambda self, left: left),
        "return a number that no move lowers",
        _with(Heap, level=lambda self, left: -left),
    ),
    "a narrow space": (
        _with(Heap, space=lambda self: range(7)),
        "widen that range",
        _with(Heap, space=lambda self: range(8)),
    ),
    "growing": (Counted, "check that games end", Steady),
    "a misspelt hook": (
        _with(Heap, outcomes=lambda self, left: LOSS if left == 0 else None),
        "if you mean outcome(), rename it",
        _with(Heap, outcome=lambda self, left: LOSS if left == 0 else None),
    ),
    "a helper": (
        _with(Heap, outcomes=lambda self, left: LOSS if left == 0 else None),
        "otherwise call it _outcomes()",
        _with(Heap, _outcomes=lambda self, left: LOSS if left == 0 else None),
    ),
    "an attribute": (
        _with(Heap, no_move=WIN),
        "otherwise call it _no_move",
        _with(Heap, _no_move=WIN),
    ),
    "a property": (
        _with(Heap, level=property(lambda self: 1)),
        "write it as a method, level(self, position)",
        _with(Heap, level=lambda self, position: 1),
    ),
    "a repeated move": (
        _with(Heap, moves=lambda self, left: [1, 1] if left else []),
        "yield each move once",
        _with(Heap, moves=lambda self, left: [1, 2] if left > 1 else [1] if left else []),
    ),
    "a text for a move": (
        _with(Heap, moves=lambda self, left: ["one"] if left else []),
        "make each move a whole number, or a tuple of them",
        _with(
            Heap,
            moves=lambda self, left: [(1, 0), (2, 0)][:left],
            play=lambda self, left, move: left - move[0],
        ),
    ),
    "an outcome that is a truth value": (
        _with(Heap, outcome=lambda self, left: True if left == 0 else None),
        "return WIN, DRAW or LOSS for the player to move",
        _with(Heap, outcome=lambda self, left: LOSS if left == 0 else None),
    ),
    "an outcome of a score game": (
        _with(
            Heap, outcome=lambda self, left: LOSS if left == 0 else None, score=lambda self, left: 3
        ),
        "return the margin from score()",
        _with(
            Heap,
            outcome=lambda self, left: LOSS if left == 0 else None,
            score=lambda self, left: -3,
        ),
    ),
}


@pytest.mark.parametrize("name", but(_MENDED, "growing"))
def test_a_remedy_of_a_report_mends_the_class(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken class is told the remedy, and the class that follows it has no problem left."""
    uncompiled(monkeypatch)
    broken, remedy, mended = _MENDED[name]
    report = check(broken)
    assert any(remedy in problem.message for problem in report.problems), str(report)
    assert check(mended).problems == ()
