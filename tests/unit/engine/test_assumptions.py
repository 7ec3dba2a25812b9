"""Hooks that methods rely on, overridden in every way: solved as the rules say, or refused.

Each class changes one hook of a game of two heaps. Whatever the method, the values are those of an
oracle that runs the rules in Python, or the game is refused in a sentence that names what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import zermelo
from support.oracles import oracle
from support.sizes import some
from zermelo import DRAW, LOSS, NOBODY, WIN, Game, ZermeloError


class Heaps(NamedTuple):
    a: int
    b: int


@dataclass(frozen=True)
class TwoHeaps(Game):
    """One or two are taken from a heap; who cannot move has lost."""

    size: int = 4

    def start(self):
        return Heaps(self.size, self.size - 1)

    def moves(self, heaps):
        for taken in range(1, 3):
            if heaps.a >= taken:
                yield taken
            if heaps.b >= taken:
                yield -taken

    def play(self, heaps, taken):
        if taken > 0:
            return Heaps(heaps.a - taken, heaps.b)
        return Heaps(heaps.a, heaps.b + taken)

    def space(self):
        return Heaps(range(6), range(6))


def changed(name: str, **members: Any) -> Any:
    """Return the game with some members of its class replaced."""
    return pytest.param(type(name, (TwoHeaps,), members)(), id=name)


GAMES = [
    # Ranges of the fields.
    changed("space without zeros", space=lambda self: Heaps(range(1, 6), range(6))),
    changed("space below zero", space=lambda self: Heaps(range(-2, 6), range(-9, 6))),
    changed("space in steps", space=lambda self: Heaps(range(0, 8, 2), range(6))),
    changed("space without the start", space=lambda self: Heaps(range(4), range(6))),
    # Levels.
    changed("level falls", level=lambda self, heaps: heaps.a + heaps.b),
    changed("level rises", level=lambda self, heaps: 20 - heaps.a - heaps.b),
    changed("level stays", level=lambda self, heaps: 0),
    changed("level of one heap", level=lambda self, heaps: 10 - heaps.a),
    changed("level below zero", level=lambda self, heaps: -heaps.a - heaps.b),
    changed("level of 62 bits", level=lambda self, heaps: (1 << 62) - heaps.a - heaps.b),
    changed("level falls at last", level=lambda self, heaps: 5 if heaps.a + heaps.b == 0 else 20),
    changed("level is a truth", level=lambda self, heaps: heaps.a < 3),
    # Legal positions.
    changed("legal everywhere", legal=lambda self, heaps: True),
    changed("legal as reached", legal=lambda self, heaps: heaps.a <= 4 and heaps.b <= 3),
    changed("legal leaves out an end", legal=lambda self, heaps: heaps.a != 0),
    changed("legal leaves out the start", legal=lambda self, heaps: heaps.a < 4),
    # Turns and ends.
    changed("turn of one player", turn=lambda self, heaps: 0),
    changed("turn of a heap", turn=lambda self, heaps: heaps.a % 2),
    changed("turn is a truth", turn=lambda self, heaps: heaps.a % 2 == 1),
    changed("turn of three", turn=lambda self, heaps: heaps.a % 3),
    changed("no_moves wins", no_moves=WIN),
    changed("no_moves draws", no_moves=DRAW),
    changed("no_moves is a truth", no_moves=True),
    changed("no_moves is a property", no_moves=property(lambda self: WIN)),
    changed("outcome loses early", outcome=lambda self, heaps: LOSS if heaps.a == 1 else None),
    changed("outcome draws", outcome=lambda self, heaps: DRAW if heaps.a == 0 else None),
    changed("outcome is two", outcome=lambda self, heaps: 2 if heaps.a == 0 else None),
    changed("outcome is static", outcome=staticmethod(lambda heaps: WIN if heaps.a == 0 else None)),
    changed(
        "winner",
        turn=lambda self, heaps: (heaps.a + heaps.b) % 2,
        winner=lambda self, heaps: 0 if heaps.a == 0 else None,
    ),
    changed(
        "winner is a third",
        turn=lambda self, heaps: (heaps.a + heaps.b) % 2,
        winner=lambda self, heaps: 2 if heaps.a == 0 else None,
    ),
    changed(
        "winner is nobody",
        turn=lambda self, heaps: (heaps.a + heaps.b) % 2,
        winner=lambda self, heaps: NOBODY if heaps.a == 0 else None,
    ),
    # Moves.
    changed("moves twice", moves=lambda self, heaps: [1, 1] if heaps.a else []),
    changed("moves of a range", moves=lambda self, heaps: range(1, min(heaps.a, 2) + 1)),
    changed("play stays", play=lambda self, heaps, taken: heaps),
    changed("play returns a tuple", play=lambda self, heaps, taken: (heaps.a - 1, heaps.b)),
    # Starts.
    changed("starts", starts=lambda self: [Heaps(4, 3), Heaps(5, 5)]),
    changed("starts without the start", starts=lambda self: [Heaps(5, 5), Heaps(1, 1)]),
    changed("starts past the space", starts=lambda self: [Heaps(4, 3), Heaps(9, 5)]),
    changed("no starts", starts=lambda self: []),
    # Points.
    changed("score", score=lambda self, heaps: 3),
    changed("score is none", score=lambda self, heaps: 3 if heaps.a else None),
    changed("gain", gain=lambda self, heaps, taken: taken),
    changed("gain is a truth", gain=lambda self, heaps, taken: taken > 0),
    changed("gain is none", gain=lambda self, heaps, taken: 1 if taken > 0 else None),
    # What counts as one.
    changed("canonical", canonical=lambda self, h: Heaps(max(h.a, h.b), min(h.a, h.b))),
    changed("canonical too wide", canonical=lambda self, h: Heaps(max(h.a, h.b), 0)),
    changed("canonical in cycles", canonical=lambda self, heaps: Heaps(heaps.b, heaps.a)),
    changed("split", split=lambda self, heaps: [Heaps(heaps.a, 0), Heaps(0, heaps.b)]),
    changed("split loses a heap", split=lambda self, heaps: [Heaps(heaps.a, 0), Heaps(0, 0)]),
]


def values(game: Any, method: str) -> Any:
    """Return what the oracle says of every position, and how a solution says that."""
    if method == "nimber":
        graph = oracle.explore(game)
        rows = {p: [edge.child for edge in graph.edges.get(p, [])] for p in graph}
        return oracle.nimbers(
            rows
        ), lambda value: value.nimber if value.infinity is None else frozenset(value.infinity)
    if hasattr(game, "score") or hasattr(game, "gain"):
        return oracle.solve_scores(game), lambda value: value.score
    return oracle.solve(game), lambda value: (value.outcome, value.remoteness)


METHODS = ("default", "retrograde", "levels", "dense", "horizon", "nimber")


@pytest.mark.parametrize("game", some(GAMES, 48, slow=8))
@pytest.mark.parametrize("method", METHODS)
def test_a_changed_hook_gives_the_rules_values_or_a_refusal(method, game):
    """No method returns what the rules in Python do not."""
    given = {} if method == "default" else {"method": method}
    solution, refusal = None, ""
    try:
        solution = zermelo.solve(game, **given)
    except ZermeloError as error:
        refusal = str(error)
    if solution is None:
        assert type(game).__name__ in refusal
        assert ";" in refusal  # and then what to do
        return
    expected, read = values(game, method)
    assert {position: read(solution[position]) for position in expected} == expected
    assert solution.verify(), solution.verify()
