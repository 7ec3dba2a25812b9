"""The engine of a chess ending, line by line, without anybody who plays it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import zermelo
from zermelo import ParameterError
from zermelo.adapters.uci import UciEngine
from zermelo.cli import main
from zermelo.games import ChessEnding, RacingKings, TicTacToe


@pytest.fixture(scope="module")
def solution():
    """Solve king and queen against king."""
    return zermelo.solve(ChessEnding("KQK"))


@pytest.fixture
def engine(solution):
    """Return an engine that has said who it is."""
    made = UciEngine("KQK", solution.game, lambda: solution)
    assert made.answer("uci\n")[-1] == "uciok"
    return made


def test_it_introduces_itself_before_it_solves():
    """Whoever starts it need not wait for its name."""
    engine = UciEngine("KRK", ChessEnding("KRK"), lambda: pytest.fail("solved"))
    said = engine.answer("uci")
    assert said[0] == "id name Zermelo, KRK"
    assert "option name MultiPV type spin default 1 min 1 max 256" in said
    assert not any("UCI_Variant" in line for line in said)
    racing = UciEngine("KK", RacingKings(), lambda: None).answer("uci")
    assert "option name UCI_Variant type combo default racingkings var racingkings" in racing


@pytest.mark.slow
def test_it_plays_a_mate(engine):
    """It says the mate in moves, a line to it and the best move."""
    assert engine.answer("isready") == ["readyok"]
    assert engine.answer("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1") == []
    info, best = engine.answer("go movetime 100")
    assert info.startswith("info depth 1 multipv 1 score mate 1 nodes 1 pv g1g7")
    assert best == "bestmove g1g7"


@pytest.mark.slow
def test_it_loses_slowly_and_plays_on(engine):
    """A loss has a mate below 0; moves are played from the position that was given."""
    engine.answer("position fen 7k/8/5K2/8/8/8/8/5Q2 w - - 0 1 moves f1g1 h8h7")
    info, best = engine.answer("go wtime 1000 btime 1000")
    assert " score mate 1 " in info
    assert best.startswith("bestmove ")
    engine.answer("position fen 8/7k/5K2/8/8/8/8/6Q1 b - - 0 1")
    info, best = engine.answer("go")
    assert " score mate -1 " in info
    assert best.startswith("bestmove h7h6 ponder g1")


@pytest.mark.slow
def test_several_lines_and_some_moves(engine):
    """MultiPV shows the best moves in their order, and searchmoves chooses among some."""
    engine.answer("setoption name MultiPV value 3")
    engine.answer("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    said = engine.answer("go depth 5")
    assert [line.split()[4] for line in said[:-1]] == ["1", "2", "3"]
    assert engine.answer("go searchmoves f6f5")[-1].startswith("bestmove f6f5")
    assert engine.answer("setoption name Hash value 16") == [
        "info string there is no option 'name Hash value 16'; MultiPV is one"
    ]


@pytest.mark.slow
def test_a_search_without_end_waits_for_stop(engine):
    """Only then the move is said, and once."""
    engine.answer("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    assert [line.split()[0] for line in engine.answer("go infinite")] == ["info"]
    assert engine.answer("stop") == ["bestmove g1g7"]
    assert engine.answer("stop") == []


@pytest.mark.slow
def test_the_end_of_a_game(engine):
    """Mated or stalemated there is no move; a draw is worth nothing to either side."""
    engine.answer("position fen 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1")
    assert engine.answer("go") == ["info depth 0 score mate 0", "bestmove (none)"]
    engine.answer("position fen 7k/5Q2/5K2/8/8/8/8/8 b - - 0 1")
    assert engine.answer("go") == ["info depth 0 score cp 0", "bestmove (none)"]
    engine.answer("position fen 8/8/8/3k4/3Q4/8/8/K7 b - - 0 1")
    assert "score cp 0" in engine.answer("go")[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("position startpos", "'startpos' is not a position of an ending; give position fen"),
        ("position", "'' is not a position of an ending"),
        ("position fen 8/8", "is not a position; write it"),
        ("position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "men that this ending does not have"),
        ("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1 moves g1a2", "'g1a2' is not a legal move"),
    ],
)
def test_a_wrong_position_is_told(engine, line, why):
    """And no move is made up for it; a right one puts it behind."""
    (said,) = engine.answer(line)
    assert said.startswith("info string ")
    assert why in said
    assert "\n" not in said
    assert engine.answer("go")[-1] == "bestmove 0000"
    engine.answer("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    assert engine.answer("go")[-1] == "bestmove g1g7"


@pytest.mark.slow
def test_what_it_does_not_know_is_passed_over(engine):
    """As the protocol asks for; quit ends it."""
    for line in ("", "\n", "ucinewgame", "debug on", "nonsense", "register later"):
        assert engine.answer(line) == []
    assert engine.running
    engine.answer("quit")
    assert not engine.running


def test_another_game_is_refused():
    """Before anything is solved."""
    with pytest.raises(ParameterError, match="tic-tac-toe is not a chess ending; give a game"):
        UciEngine("tic-tac-toe", TicTacToe(), lambda: None)


@pytest.mark.slow
def test_the_command(tmp_path, solution):
    """It reads lines until it is told to quit, or there are no more."""
    table = str(solution.save(tmp_path / "kqk.table"))
    lines = "uci\nposition fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1\ngo\nquit\nuci\n"
    done = CliRunner().invoke(main, ["uci", table], input=lines)
    assert done.exit_code == 0
    assert done.stdout.count("uciok") == 1
    assert done.stdout.endswith("\nbestmove g1g7\n")
    refused = CliRunner().invoke(main, ["uci", "take-away", "--stones", "3"], input="uci\n")
    assert refused.exit_code == 2
    assert "take-away is not a chess ending" in refused.output
