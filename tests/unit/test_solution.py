"""What a solution answers about itself and about what is not in it."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import zermelo
from zermelo import PositionError, Value
from zermelo.games import CatAndMouse, Cram, StoneGame, TakeAway
from zermelo.games.lines.tic_tac_toe import Board
from zermelo.values.results import Option, follow_first_options


def test_the_repr_has_value_and_counts_and_cuts_long_parameters_short() -> None:
    """A graph of many nodes does not flood the screen."""
    ring = tuple(((v - 1) % 50, (v + 1) % 50) for v in range(50))
    text = repr(zermelo.solve(CatAndMouse(graph=ring)))
    assert len(text) < 300
    assert text.startswith("<Solution of CatAndMouse(graph=((49, 1), (0, 2), ")
    assert "; 4,900 positions: " in text


def test_the_html_has_value_and_counts(noughts: Any) -> None:
    """A notebook shows a small table, and the start with its moves."""
    html = noughts._repr_html_()
    for part in ("TicTacToe()", "tie in 9", "5,478", "2,836", "<svg", ">b2</th>"):
        assert part in html


def test_a_position_is_shown_with_its_moves(noughts: Any) -> None:
    """``show`` gives the picture, the value and each move's worth, as text and for notebooks."""
    view = noughts.show(Board(0b000_000_011, 0b000_011_000))
    assert view.svg == noughts.game.svg(view.position)
    assert str(view).splitlines()[:5] == ["X X .", "O O .", ". . .", "win in 1", "  + c3  win in 1"]
    assert '<th scope="row">c3</th><td><b class="win">+</b>win in 1</td>' in view._repr_html_()
    assert view._repr_svg_() == view.svg
    over = noughts.show(Board(0b000_011_000, 0b000_000_111))
    assert "loss in 0, and the game is over" in over._repr_html_()


def test_one_position_is_counted_in_the_singular() -> None:
    """A game that is over at its start has no more."""
    assert "; 1 position: 0 win" in repr(zermelo.solve(TakeAway(stones=0, limit=3)))


@pytest.mark.slow
def test_one_class_is_counted_in_the_singular() -> None:
    """So it is where symmetries count positions as one."""
    assert "; 1 class of positions: 0 win" in repr(zermelo.solve(Cram(rows=1, columns=1)))


@dataclass(frozen=True)
class Bare(zermelo.Game):
    def start(self):
        return Pair(2, (1, 3))

    def moves(self, p):
        for n in range(p.left):
            yield n

    def play(self, p, n):
        return Pair(n, p.row)


class Pair(NamedTuple):
    left: int
    row: tuple[int, int]


def test_a_game_without_pictures_has_its_fields_drawn() -> None:
    """Without svg and show, the picture has the fields by their names and numbers."""
    view = zermelo.solve(Bare()).show()
    assert view.text == "Pair(left=2, row=(1, 3))"
    picture = ET.fromstring(view.svg)  # noqa: S314  # our own picture
    words = [text.text for text in picture.iter() if text.tag.endswith("text")]
    assert words == ["left", "2", "row", "1", "3"]


def test_a_thing_of_another_shape_is_not_a_position(noughts: Any) -> None:
    """The message says what a position looks like."""
    such = "give one such as Board(mine=0, theirs=0), or read the text with game.parse('x')"
    said = re.escape(f"'x' is not a position of TicTacToe; {such}")
    with pytest.raises(PositionError, match=f"^{said}$"):
        noughts["x"]
    with pytest.raises(PositionError, match=r"^7 is not a position of TicTacToe; give one such as"):
        noughts.show(7)
    with pytest.raises(PositionError, match=r"mine must be an integer, not 1.5"):
        noughts[(1.5, 0)]
    assert noughts.get("x") is None
    assert "x" not in noughts


def test_a_position_that_cannot_be_reached_is_told_from_one_of_another_shape(noughts: Any) -> None:
    """The message says that the position is one, but not of this game as it starts."""
    board = noughts.start._replace(mine=0o777)
    with pytest.raises(PositionError, match="cannot be reached from the start of TicTacToe"):
        noughts[board]
    assert noughts.get(board) is None
    default = Value(zermelo.DRAW)
    assert noughts.get(board, default) is default


def test_probing_many_names_the_one_that_is_not_there_and_get_many_marks_it() -> None:
    """One raises and names it, the other goes on."""
    solution = zermelo.solve(TakeAway(stones=10, limit=3))
    with pytest.raises(PositionError, match=r"^11 cannot be reached"):
        solution.probe_many(np.array([3, 11]))
    probes = solution.get_many([3, 11, -1, 4])
    assert probes.found.tolist() == [True, False, False, True]
    assert probes.outcome.tolist() == [1, 0, 0, -1]
    assert probes.remoteness.tolist() == [1, -1, -1, 2]
    with pytest.raises(PositionError, match="expected an array"):
        solution.get_many(np.zeros((2, 3), np.int64))
    with pytest.raises(PositionError, match="array of integers"):
        solution.get_many(np.zeros(3))


def test_scores_are_probed_and_optioned_for_the_player_who_moves() -> None:
    """Each option's score is gain and what follows; the best is the position's own."""
    solution = zermelo.solve(StoneGame(piles=(1, 100, 3)))
    assert solution.value == Value(zermelo.LOSS, score=-96)
    assert [(o.name, o.value.score) for o in solution.options()] == [("left", -96), ("right", -96)]
    probes = solution.probe_many(list(solution))
    assert probes.score is not None
    assert probes.score.tolist() == [v.score for _, v in solution.items()]
    assert solution.counts().by_score[-96] == 1


def test_winning_moves_are_all_that_keep_a_win_the_quickest_first() -> None:
    """Slower wins are wins too; best leaves them out."""
    solution = zermelo.solve(CatAndMouse([[1, 3], [0, 2], [1, 3, 4], [0, 2], [2]], mouse=2, cat=4))
    assert solution.winner == "mouse"
    assert set(solution.best()) <= set(solution.winning_moves())
    won = [o.move for o in solution.options() if o.value.outcome is zermelo.WIN]
    assert solution.winning_moves() == won


def test_a_line_may_be_cut_and_begins_anywhere() -> None:
    """A line from any position ends where it is told to, or where the game does."""
    solution = zermelo.solve(TakeAway(stones=10, limit=3))
    assert solution.line(longest=2).ends == "cut"
    line = solution.line(5)
    assert (line.moves, line.positions, line.ends) == ([1, 1, 3], [4, 3, 0], "terminal")
    assert solution.line(5, longest=3) == line
    assert solution.line(5, longest=2).ends == "cut"


def test_a_long_line_is_followed_to_its_end() -> None:
    """A line stopped after 100,000 moves, whatever the remoteness."""

    def options(left: int) -> list[Option]:
        value = Value(zermelo.WIN, left, None)
        return [Option(1, "1", left - 1, value)] if left else []

    line = follow_first_options(120_000, options, None)
    assert (len(line), line.ends) == (120_000, "terminal")
    assert inspect.signature(zermelo.Solution.line).parameters["longest"].default is None
