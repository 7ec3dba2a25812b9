"""The board of notebooks: Python's side of it, and the one module that its front end is."""

from __future__ import annotations

import json
import sys

import pytest

import zermelo
from support.games.dice_games import Snails
from zermelo import MoveError, ParameterError, PositionError
from zermelo.errors import MissingExtraError
from zermelo.games import StoneGame, TicTacToe
from zermelo.notebook.bundle import bundle_module


def test_the_board_and_python_share_a_match(noughts):
    """A move made on one side is there on the other."""
    board = zermelo.board(noughts)
    assert board.position == noughts.start
    assert board.play("b2").option.name == "b2"
    assert board.moves == ["b2"]
    board.moves = ["b2", "b3"]  # as the browser does
    assert [each.option.name for each in board.match.mistakes()] == ["b3"]
    document = board._document
    assert document["plies"][1]["lost"] == "outcome"
    assert document["player"] == 0
    json.dumps(document)
    board.undo()
    assert board.moves == ["b2"]
    board.restart()
    assert board.position == noughts.start
    with pytest.raises(MoveError, match="there is no move to take back"):
        board.undo()


def test_an_opponent_answers(noughts):
    """Each move, and never twice; what is taken back is its answer too."""
    board = zermelo.board(noughts, skill=100)
    board.play("b2")
    assert len(board.moves) == 2
    board.undo()
    assert board.moves == []
    while not board.match.is_over:
        board.play(noughts.best(board.position)[0])
    assert board.match.winner is None
    assert board.match.mistakes() == []
    first = zermelo.board(noughts, skill=100, player="X")
    assert len(first.moves) == len(first._document["plies"]) == 1


def test_chance_decides_on_the_board():
    """By a button, by Python or by a chosen result; an opponent rolls in its own turn only."""
    board = zermelo.board(zermelo.solve(Snails(8)))
    board.roll(seed=1)
    board.roll()  # nothing, as it is a player's turn
    assert len(board.moves) == 1
    assert board.match.played[0].option.odds is not None
    board.play("crawl")
    board._rolls += 1  # as the browser does
    assert len(board.moves) == 3
    board.undo()
    board.play("2 (1/4)")
    assert board.moves[1:] == ["crawl", "2 (1/4)"]
    answering = zermelo.board(zermelo.solve(Snails(8)), skill=100, player="first")
    assert len(answering.moves) == 2
    assert answering._document["position"]["chance"]
    answering.roll(seed=2)
    answering.play("crawl")
    assert len(answering.moves) == 6
    assert answering.match.player == 1


def test_what_the_browser_asks_in_vain(noughts):
    """A move that is none is taken back, with a sentence."""
    board = zermelo.board(noughts)
    board.moves = ["b2"]
    board.moves = ["b2", "b2"]
    assert board.moves == ["b2"]
    assert "'b2' is not a move here" in board._problem
    board.moves = ["b2", "a1"]
    assert board._problem == ""


def test_it_begins_anywhere(noughts):
    """Also at scores, whose moves have names that are no places."""
    position = TicTacToe().parse("X../O../...")
    board = zermelo.board(noughts, position)
    board.play("b3")
    assert board.match.start == position
    stones = zermelo.board(zermelo.solve(StoneGame(piles=(5, 3, 4, 5))), show_values=False)
    assert stones.play("left").option.value.score == 1
    assert stones.show_values is False


def test_mistakes(noughts, monkeypatch):
    """Each with what to do."""
    with pytest.raises(ParameterError, match="skill=101 is not a whole number from 0 to 100"):
        zermelo.board(noughts, skill=101)
    for player in ("Y", 2, True):
        with pytest.raises(ParameterError, match="is not a player; give 'X' or 'O'"):
            zermelo.board(noughts, player=player)
    with pytest.raises(PositionError):
        zermelo.board(noughts, (1, 1))
    with pytest.raises(ParameterError, match=r"not TicTacToe\(\); give zermelo.solve\(game\)"):
        zermelo.board(TicTacToe())
    with pytest.raises(MoveError):
        zermelo.board(noughts).play("z9")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'zermelo\[notebook\]'"):
        zermelo.board(noughts)


def test_modules_become_one(tmp_path):
    """Each name stays in its own."""
    (tmp_path / "in").mkdir()
    (tmp_path / "a.js").write_text('import { b as c } from "./in/b.js";\nexport const a = c + 1;\n')
    (tmp_path / "in" / "b.js").write_text('import { d } from "../d.js";\nexport const b = d;\n')
    (tmp_path / "d.js").write_text("export function d() {}\n")
    made = bundle_module("m.js", 'import { a } from "./a.js";\nexport default { a };\n', tmp_path)
    assert made.index('modules["d.js"] =') < made.index('modules["in/b.js"] =')
    assert "const { b: c } = modules[" in made
    assert "import" not in made
    assert made.endswith('export default modules["m.js"].default;\n')


def test_modules_that_are_not_understood(tmp_path):
    """They are named, rather than shipped broken."""
    (tmp_path / "a.js").write_text('import * as b from "./b.js";\n')
    with pytest.raises(ValueError, match=r"a\.js imports or exports in another way"):
        bundle_module("m.js", 'import { a } from "./a.js";\n', tmp_path)
    (tmp_path / "a.js").write_text('import { a } from "./a.js";\n')
    with pytest.raises(ValueError, match="imports itself"):
        bundle_module("m.js", 'import { a } from "./a.js";\n', tmp_path)
