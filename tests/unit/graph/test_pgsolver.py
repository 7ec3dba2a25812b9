"""Games in PGSolver's format: their meaning, the ways to write them, and the errors."""

from __future__ import annotations

import io
import random

import pytest

from support.games.parity import means_parity, random_parity, written
from support.oracles import oracle
from support.sizes import counts
from zermelo import ParameterError, PositionError
from zermelo.graph import GraphGame, ParityGame, read_pgsolver
from zermelo.graph.formats import pgsolver


@pytest.mark.parametrize("size", [1, 7, 1 << 20], ids=lambda size: f"pieces of {size}")
@counts(100, None, 3_000)
def test_random_games_are_won_as_a_solver_of_parity_games_says(count, size, monkeypatch):
    """Every vertex, by a recursive solver that knows nothing of reachability."""
    monkeypatch.setattr(pgsolver, "_CHUNK", size)
    rng = random.Random(size)
    solved = 0
    for _ in range(count if size > 1 else count // 5):
        game = random_parity(rng)
        text = written(game, rng)
        read = read_pgsolver(io.BytesIO(text))
        assert isinstance(read, ParityGame if means_parity(game) else GraphGame)
        solution = read.solve(threads=1)
        solved += isinstance(read, GraphGame)
        assert list(solution) == sorted(game)
        arrays = solution.arrays if isinstance(read, GraphGame) else solution
        winner = arrays.winner.tolist()
        assert dict(zip(solution, winner, strict=True)) == oracle.solve_parity(game), text
        assert solution.verify()
    assert count // 12 < solved < count


def test_a_game_with_names(tmp_path):
    """Vertices by the names in the file, where each has one of its own."""
    path = tmp_path / "lift.gm"
    path.write_text(
        'parity 3;\nstart 1;\n0 2 0 0 "top";\n1 1 0 2,3 "hall";\n2 1 1 0,1 "lift";\n3 1 0 3 "pit";'
    )
    game = read_pgsolver(path, names=True)
    assert repr(game) == "<GraphGame of 4 vertices and 6 edges>"
    solution = game.solve()
    assert solution.start == "hall"
    assert solution.winner == "second"
    assert solution["top"].outcome == 1
    assert solution.arrays.winner.tolist() == [0, 1, 1, 1]
    numbered = read_pgsolver(path).solve()
    assert (numbered.start, numbered[3].remoteness) == (1, None)
    saved = numbered.save(tmp_path / "lift.table")
    assert saved.stat().st_size > 0
    events = []
    read_pgsolver(path, progress=events.append)
    assert [event.phase for event in events if event.finished] == ["read", "sort"]


WRONG = {
    "word": (b"0 x 0 0;", "line 1 has 'x 0 0;' where a priority is expected; correct the file"),
    "owner": (b"0 1 0 1;\n1 1 2 0;", "line 2 has '2 0;' where an owner (0 or 1) is expected"),
    "none": (b"0 1 0 ;", "line 1 has ';' where the number of a successor is expected"),
    "comma": (b"0 1 0 0 0;", "line 1 has '0;' where ',', a name in quotes or ';' is expected"),
    "large": (b"4294967295 1 0 0;", "where the number of a vertex is expected"),
    "cut": (b"0 1 0 0;\n1 1 0 0,", "the file ends within the vertex '1 1 0 0,'; it has to end"),
    "quote": (b'0 1 0 0 "a;', "the file ends within the vertex"),
    "twice": (b"0 1 0 0;0 1 0 0;", "vertex 0 is described twice; leave one of them out"),
    "missing": (b"0 1 0 0,7;", "vertex 0 has the successor 7, which is not described; add it"),
    "gap": (b"5 1 0 5;7 1 0 6;", "vertex 7 has the successor 6, which is not described"),
    "start": (b"parity 3;start 9;0 1 0 0;", "the game starts at vertex 9, which is not described"),
    "header": (b"parity x;\n0 1 0 0;", "line 1 has 'parity x;"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_a_game_is_told_with_its_line(name):
    """What stands there, and what is expected."""
    text, message = WRONG[name]
    with pytest.raises(ParameterError) as caught:
        read_pgsolver(io.BytesIO(text))
    assert message in str(caught.value)


def test_a_game_in_which_priorities_mean_parity():
    """Both parities on one cycle, or cycles of either player that can be left."""
    one = read_pgsolver(io.BytesIO(b"parity 1; start 1; 0 1 0 1;1 2 1 0;"))
    assert repr(one) == "<ParityGame of 2 vertices and 2 edges>"
    assert one.solve().winner.tolist() == [0, 0]
    assert read_pgsolver(io.BytesIO(b"0 1 0 1;1 2 1 0;"), parity="min even").solve()[0] == 1
    two = read_pgsolver(io.BytesIO(b"0 1 0 0,1;1 2 1 1,2;2 3 0 2;")).solve()
    assert two.winner.tolist() == [1, 1, 1]
    named = read_pgsolver(io.BytesIO(b'start 7; 3 1 0 7 "a";7 2 1 3 "b";'), names=True).solve()
    assert (named.start, named["a"], named.region(0)) == ("b", 0, {"a", "b"})


def test_the_convention_of_a_game_of_reachability():
    """If odd priorities are those of player 0, the other player wins each cycle."""
    text = b"0 2 0 0; 1 1 0 2,3; 2 1 1 0,1; 3 1 0 3;"
    even, odd = (read_pgsolver(io.BytesIO(text), parity=f"max {each}") for each in ("even", "odd"))
    assert isinstance(even, GraphGame)
    assert even.solve().arrays.winner.tolist() == [0, 1, 1, 1]
    assert odd.solve().arrays.winner.tolist() == [1, 0, 1, 0]


def test_names_that_do_not_tell_vertices_apart():
    """A vertex without a name, and two with the same."""
    with pytest.raises(ParameterError, match="vertex 1 has no name; leave out names, and use"):
        read_pgsolver(io.BytesIO(b'0 1 0 1 "a";1 1 1 0;'), names=True)
    with pytest.raises(ParameterError, match="vertices 0 and 1 both have the name 'a'; leave"):
        read_pgsolver(io.BytesIO(b'0 1 0 1 "a";1 1 1 0 "a";'), names=True)
    with pytest.raises(ParameterError, match="7 is not a file; give a path"):
        read_pgsolver(7)
    with pytest.raises(ParameterError, match="open for text; open it for bytes, with mode 'rb'"):
        read_pgsolver(io.StringIO("0 1 0 0;"))


def test_the_empty_file_is_a_game_without_vertices():
    """Nothing to solve, and nothing wrong."""
    solution = read_pgsolver(io.BytesIO(b"")).solve()
    assert len(solution) == 0
    with pytest.raises(PositionError):
        solution[0]
