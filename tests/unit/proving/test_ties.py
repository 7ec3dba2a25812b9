"""How far a tie is: the same number as a table says, along the proof and in the shell as well."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import zermelo
from support.games.strategies import RING, OwnedGame
from zermelo import DRAW, Value
from zermelo.cli import main
from zermelo.games import CatAndMouse, TakeAway, TicTacToe

CHASE = CatAndMouse([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]])


def proved(game, **how):
    """Prove with little memory how far the end is."""
    return zermelo.prove(game, remoteness=True, memory="50MB", threads=1, **how)


def test_tic_tac_toe_is_a_tie_in_nine():
    """The proof says so of itself, and of every position on the way."""
    proof = proved(TicTacToe())
    assert (proof.value.outcome, proof.value.remoteness, proof.is_complete, str(proof)) == (
        DRAW,
        9,
        True,
        "tie in 9",
    )
    table = zermelo.solve(TicTacToe())
    solution = proof.solution
    for plies, position in enumerate(proof.line().positions, 1):
        assert table[position] == Value(DRAW, 9 - plies)
        assert (solution[position].remoteness, solution[position].is_tie) == (9 - plies, True)
    best = solution.options()[0]
    assert str(best.value) == "tie in 9"
    assert proof.best_move == proof.line().moves[0] == proof.strategy()[proof.position]
    assert "a tie in 9 plies" in str(solution.explain())
    assert json.loads(json.dumps(solution.value.to_json()))["remoteness"] == 9
    assert solution.kind.decode(solution.kind.encode(solution.value)) == solution.value
    assert proof.verify()


def test_a_file_says_what_its_strategies_vouch_for(tmp_path):
    """That is a draw. The line that both strategies play is as short as the proof said."""
    proof = proved(TicTacToe())
    assert (proof.value.remoteness, len(proof.line())) == (9, 9)
    opened = zermelo.open(proof.save(tmp_path / "tie.proof"))
    assert (opened.value.outcome, opened.value.remoteness, str(opened)) == (DRAW, None, "draw")
    assert len(opened.line()) == 9


def test_an_endless_draw_has_no_remoteness():
    """Then no way leads to a tie, which is known, and said."""
    proof = proved(RING)
    assert (proof.value.outcome, proof.value.remoteness, proof.is_complete) == (DRAW, None, True)
    assert str(proof) == str(proof.solution.value) == "endless draw"
    assert proof.solution.value.is_endless
    assert "this is an endless draw" in str(proof.solution.explain())


def test_a_position_that_is_a_tie():
    """It takes no plies to the end."""
    game = TicTacToe()
    board = game.start()
    for cell in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        board = game.play(board, cell)
    assert str(proved(game, position=board)) == "tie in 0"


def test_a_limit_while_a_tie_is_measured(tmp_path):
    """The draw is known by then; the search goes on, in another process as well."""
    game, folder = TicTacToe(), tmp_path / "search"
    nodes = zermelo.prove(game, memory="50MB", threads=1).nodes
    proof = proved(game, nodes=nodes + 20, checkpoint=folder)
    assert (proof.value.outcome, proof.value.remoteness, proof.is_complete, str(proof)) == (
        DRAW,
        None,
        False,
        "draw",
    )
    assert "the nodes are used up" in proof.choice
    assert proof.resume().value.remoteness == 9
    again = proved(game, checkpoint=folder)
    assert (again.value.remoteness, again.nodes, len(again.line())) == (9, proof.nodes, 9)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["tic-tac-toe"], "With perfect play it is a tie in 9 plies."),
        (["cat-and-mouse", "--graph", json.dumps(CHASE.graph)], "as neither side can force an end"),
    ],
)
def test_the_command(given, said):
    """It says how far a tie is where that is asked for, and calls an endless draw one."""
    assert said in CliRunner().invoke(main, ["prove", *given, "--remoteness"]).stdout
    assert "it is a draw" in CliRunner().invoke(main, ["prove", *given]).stdout


def test_wins_and_losses_have_the_same_remoteness_as_before():
    """A tie is looked for only where there is one."""
    assert str(proved(TakeAway(stones=21))) == "win in 11"


@pytest.mark.slow
def test_a_table_does_not_lead_off_the_way():
    """Tables say of a draw that it is one, not how far it is; the line goes the short way."""
    game = OwnedGame(((0, 1), ()), (2, 0), (0, 1), (0,))
    proof = proved(game, tables=[zermelo.solve(game)])
    assert (proof.value.remoteness, len(proof.line()), proof.line().ends) == (1, 1, "terminal")
