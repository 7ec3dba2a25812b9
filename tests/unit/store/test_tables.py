"""Saving a solution and opening it again: the same answers, and never those of another game."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
import pytest

import zermelo
from support.sizes import but, some
from zermelo import (
    BudgetError,
    CorruptTableError,
    Game,
    ParameterError,
    PositionError,
    StaleTableError,
    limits,
)
from zermelo.games import (
    CatAndMouse,
    ChessEnding,
    ConnectFour,
    Quixo,
    StoneGame,
    TakeAway,
    TicTacToe,
)

HEXAGON = [[1, 5], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]]


class Spot(NamedTuple):
    """Far numbers, so that a position takes four words, and whose turn it is."""

    a: int
    b: int
    c: int
    left: int
    whose: int


@dataclass(frozen=True)
class Wide(Game):
    """A walk with numbers of 64 bits, in which a player may move again."""

    steps: int = 5

    def start(self) -> Spot:
        """Return large numbers."""
        return Spot(-(1 << 62), 1 << 62, 7, self.steps, 1)

    def space(self) -> Spot:
        """Three whole words, and a fourth for the rest."""
        word = range(-(1 << 63), 1 << 63)
        return Spot(word, word, word, range(self.steps + 1), range(2))

    def turn(self, p: Spot) -> int:
        """Say whose turn it is."""
        return p.whose

    def winner(self, p: Spot) -> int | None:
        """The player who stands at an even sum wins."""
        if p.left == 0:
            return (p.a + p.b + p.c) & 1
        return None

    def moves(self, p: Spot):
        """Three ways on."""
        yield 1
        yield 2
        yield 3

    def play(self, p: Spot, k: int) -> Spot:
        """Go on; three keeps the turn."""
        return Spot(p.a + k, p.b - k * k, p.c ^ k, p.left - 1, p.whose if k == 3 else 1 - p.whose)


#: Games of every method, and what takes a table of its own kind.
GAMES = {
    "dense or retrograde": (TicTacToe(), {}),
    "retrograde": (ConnectFour(width=4, height=3), {"method": "retrograde"}),
    "levels": (ConnectFour(width=4, height=3), {"method": "levels"}),
    "placement": (ConnectFour(width=4, height=3), {}),
    "without remoteness": (ConnectFour(width=4, height=3), {"value": "outcome"}),
    "pursuit": (CatAndMouse(HEXAGON), {}),
    "turns": (CatAndMouse(HEXAGON), {"method": "retrograde"}),
    "scores": (StoneGame(piles=(3, 1, 4, 1, 5, 9, 2, 6)), {}),
    "horizon": (TakeAway(stones=50, limit=7), {"method": "horizon"}),
    "one position": (TakeAway(stones=0), {}),
    "symmetries": (Quixo(3), {"method": "retrograde"}),
    "slots": (Quixo(3), {"method": "dense"}),
    "slots of all": (Quixo(3), {"method": "dense", "symmetry": False}),
    "slots and turns": (CatAndMouse(HEXAGON), {"method": "dense"}),
    "legal slots": (ChessEnding("KQK"), {"method": "dense"}),
    "four words": (Wide(), {}),
}


#: One of each kind of file.
KINDS = {"dense or retrograde", "placement", "pursuit"}


@pytest.fixture(params=but(GAMES, *(GAMES.keys() - KINDS)))
def solved(request):
    """A solution of each kind."""
    game, how = GAMES[request.param]
    return zermelo.solve(game, **how)


def opened(solution, path: Path, **how):
    """Save a solution and open it."""
    assert solution.save(path) == path
    return zermelo.open(path, solution.game, **how)


def test_a_table_answers_as_the_solution_did(solved, tmp_path):
    """Every position, one by one and all at once; the counts; the options and lines."""
    table = opened(solved, tmp_path / "x.table")
    positions = list(solved)
    assert len(table) == len(solved)
    assert sorted(table.items(), key=str) == sorted(solved.items(), key=str)
    assert table.counts() == solved.counts()
    assert (table.value, table.winner, table.starts) == (solved.value, solved.winner, solved.starts)
    assert table.method == solved.method
    sample = random.Random(1).sample(positions, min(60, len(positions)))
    for position in sample:
        assert table[position] == solved[position]
        assert table.options(position) == solved.options(position)
    assert table.line().moves == solved.line().moves
    probes, expected = table.probe_many(positions), solved.probe_many(positions)
    assert (probes.outcome == expected.outcome).all()
    assert (probes.remoteness == expected.remoteness).all()


def test_the_certificate_of_a_table_holds(solved, tmp_path):
    """It is checked against the rules, as that of a solution is."""
    verification = opened(solved, tmp_path / "x.table").verify()
    assert verification.ok, verification.problem
    assert verification.positions == len(solved)


def test_a_position_that_is_not_in_it_is_told_as_ever(tmp_path):
    """Before the first, between two, and after the last."""
    table = opened(zermelo.solve(TicTacToe()), tmp_path / "x.table")
    board = table.start
    for strange in (board._replace(mine=511, theirs=511), board._replace(theirs=3)):
        with pytest.raises(PositionError):
            table[strange]
        assert table.get(strange) is None
    grid = np.array([[mine, theirs] for mine in range(40) for theirs in range(40)])
    expected = zermelo.solve(TicTacToe()).get_many(grid)
    found = table.get_many(grid)
    assert (found.found == expected.found).all()
    assert (found.outcome == expected.outcome).all()


def test_the_zoo_knows_its_own_tables(tmp_path):
    """Nothing has to be given but the path; a class of one's own has to be."""
    path = zermelo.solve(TakeAway(stones=9)).save(tmp_path / "nine.table")
    assert zermelo.open(path).game == TakeAway(stones=9)
    assert zermelo.open(str(path), TakeAway).game == TakeAway(stones=9)
    with path.open("rb") as table:
        assert b'"zermelo.games.take_away"' in table.read()  # whatever folder the file is in
    path = zermelo.solve(Wide()).save(tmp_path / "wide.table")
    with pytest.raises(ParameterError, match="is of Wide, which is not in the zoo; give the game"):
        zermelo.open(path)
    assert zermelo.open(path, Wide).value == zermelo.open(path, Wide()).value


def test_a_table_of_another_game_is_refused(tmp_path):
    """Another class, and other parameters; both are named."""
    path = zermelo.solve(TakeAway(stones=9)).save(tmp_path / "nine.table")
    with pytest.raises(ParameterError, match="is a table of TakeAway, not of TicTacToe"):
        zermelo.open(path, TicTacToe())
    with pytest.raises(ParameterError, match="is of TakeAway with stones = 9, not 8"):
        zermelo.open(path, TakeAway(stones=8))
    with pytest.raises(ParameterError, match="threads must be a whole number of at least 1, not 0"):
        zermelo.open(path, threads=0)
    assert zermelo.open(path, threads=1).threads == 1


def test_a_table_is_not_saved_over_another_by_mistake(tmp_path):
    """Unless that is said."""
    path = zermelo.solve(TakeAway(stones=9)).save(tmp_path / "x.table")
    with pytest.raises(FileExistsError, match="already exists"):
        zermelo.solve(TakeAway(stones=8)).save(path)
    assert zermelo.open(path).game.stones == 9
    zermelo.solve(TakeAway(stones=8)).save(path, overwrite=True)
    assert zermelo.open(path).game.stones == 8


def test_the_header_says_what_it_is_a_table_of(tmp_path):
    """In JSON, with the conventions, for those who have no Zermelo."""
    path = zermelo.solve(ConnectFour(width=4, height=4)).save(tmp_path / "x.table")
    with path.open("rb") as file:
        header = json.loads(file.read(int(file.readline().split()[2])))
    assert header["game"] == "ConnectFour"
    assert header["parameters"] == {"width": 4, "height": 4, "length": 4}
    assert header["value"] == {"outcome": "draw", "remoteness": 16}
    assert sum(header["counts"].values()) == header["table"]["positions"] == 161_029
    assert "player to move" in header["conventions"]


def test_people_can_read_the_header_too(tmp_path):
    """It has a line for each thing that it says."""
    path = zermelo.solve(TakeAway(stones=9)).save(tmp_path / "x.table")
    with path.open("rb") as file:
        text = file.read(int(file.readline().split()[2])).decode()
    said = [line[1:].split(": ")[0].strip('"') for line in text.splitlines() if line.strip()]
    assert said == list(json.loads(text))


def test_the_same_game_makes_the_same_file(tmp_path):
    """On any number of threads, and by two methods but for their names."""
    files = []
    for threads in (1, 2, 3):
        solution = zermelo.solve(
            ConnectFour(width=4, height=3), method="retrograde", threads=threads
        )
        files.append(solution.save(tmp_path / f"{threads}.table").read_bytes())
    assert files[0] == files[1] == files[2]


RULES = """
    from dataclasses import dataclass
    import helper
    from zermelo import Game

    class Base(Game):
        def start(self):
            return {start}

        def moves(self, n):
            {comment}
            for k in range(1, min({most}, n) + 1):
                yield k

        def play(self, n, k):
            return n - helper.taken(k)

        def show(self, n):
            return "{show}"

    @dataclass(frozen=True)
    class Heap(Base):
        unused: int = 1
"""
HELPER = "TABLE = ({table})\n\ndef taken(k):\n    return TABLE[k] + {more}\n"
FIRST = {"start": 20, "comment": "", "most": 3, "show": "a", "table": "0, 1, 2, 3", "more": 0}
PROGRAM = """
import sys, zermelo
from heap import Heap
if sys.argv[1] == "save":
    zermelo.solve(Heap()).save("heap.table")
else:
    try:
        print(zermelo.open("heap.table", Heap).value)
    except zermelo.StaleTableError as error:
        print("stale", error)
        try:
            print(zermelo.open("heap.table", Heap, ignore_rules=True).value)
        except zermelo.StaleTableError as error:
            print("stale", error)
"""


def told(folder: Path, what: str, **rules) -> str:
    """Write the rules and run a process that saves a table, or opens the one that is there."""
    given = {**FIRST, **rules}
    (folder / "heap.py").write_text(textwrap.dedent(RULES.format(**given)))
    (folder / "helper.py").write_text(HELPER.format(**given))
    return subprocess.run(
        [sys.executable, "-B", "-c", PROGRAM, what],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.slow
def test_rules_that_have_changed_make_a_table_stale(tmp_path):
    """A helper in another file, a constant, a start; but not a comment, nor a picture."""
    told(tmp_path, "save")
    assert told(tmp_path, "open") == "loss in 10\n"
    assert told(tmp_path, "open", comment="# up to three", show="b") == "loss in 10\n"
    for change in ({"most": 2}, {"table": "0, 1, 2, 4"}, {"more": 1}, {"start": 21}):
        stale, inside = told(tmp_path, "open", **change).splitlines()
        assert stale.startswith("stale the rules of Heap have changed since 'heap.table' was made")
        assert inside == "loss in 10"


@pytest.mark.slow
def test_what_was_compiled_before_makes_no_rules_stale(tmp_path):
    """A class of which many games were solved hands numbers over; its tables are the same."""
    path = zermelo.solve(TakeAway(stones=9, limit=2)).save(tmp_path / "x.table")
    for limit in range(3, 12):
        zermelo.solve(TakeAway(stones=9, limit=limit))
    assert zermelo.open(path).value == zermelo.solve(TakeAway(stones=9, limit=2)).value
    again = zermelo.solve(TakeAway(stones=9, limit=2)).save(tmp_path / "y.table")
    assert again.read_bytes() == path.read_bytes()


def test_a_damaged_block_is_noticed_when_it_is_read(tmp_path):
    """Before anything of it is believed; what is whole is still answered."""
    solution = zermelo.solve(ConnectFour(width=4, height=3), method="retrograde")
    path = solution.save(tmp_path / "x.table")
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 16
    path.write_bytes(data)
    table = zermelo.open(path)
    assert table.value == solution.value
    with pytest.raises(CorruptTableError, match="is damaged; make the table again"):
        list(table.items())
    with pytest.raises(CorruptTableError):
        table.verify()


def test_a_wrong_value_is_told_apart_from_damage(tmp_path):
    """Where the checksums are right, the certificate says which position is wrong."""
    solution = zermelo.solve(TicTacToe(), method="retrograde")
    stored = solution._solved.table.column.stored
    stored[100] = -stored[100] or 5
    table = zermelo.open(solution.save(tmp_path / "x.table"))
    verification = table.verify()
    assert not verification
    assert "is stored as" in verification.problem
    with pytest.raises(StaleTableError):
        raise StaleTableError(verification.problem)


def test_a_file_does_not_depend_on_how_much_is_handled_at_once(tmp_path):
    """Less at once than a block holds makes a block at a time."""
    whole = zermelo.solve(TicTacToe()).save(tmp_path / "whole.table").read_bytes()
    with limits.using(at_once=20):
        zermelo.solve(TicTacToe(), table=tmp_path / "few.table")
    assert (tmp_path / "few.table").read_bytes() == whole


@pytest.mark.parametrize(
    "kind", some(["turns", "last is first", "levels", "scores", "four words"], 5)
)
def test_a_file_does_not_depend_on_the_memory_or_the_threads(kind, tmp_path):
    """However few positions are handled at once, and whoever compresses them."""
    # Of a heap, the start is the greatest position, so that all others stand before it.
    game, how = GAMES.get(kind, (TakeAway(stones=300), {"method": "retrograde"}))
    solved = zermelo.solve(game, **how)
    solved.threads = 1
    whole = solved.save(tmp_path / "whole.table").read_bytes()
    with limits.using(at_once=max(70, len(solved) // 40)):
        assert solved.save(tmp_path / "cut.table").read_bytes() == whole
        solved.threads = 3
        assert solved.save(tmp_path / "shared.table", memory="5MB").read_bytes() == whole
    assert zermelo.open(tmp_path / "cut.table", game).value == solved.value


@pytest.mark.slow
def test_a_save_is_refused_what_it_cannot_do_without(tmp_path):
    """With the least that it needs, which is enough; nothing is left of it."""
    solution = zermelo.solve(ConnectFour(width=4, height=4), method="levels", threads=2)
    with pytest.raises(BudgetError, match=r"saving 161,029 positions needs .* allow more") as found:
        solution.save(tmp_path / "x.table", memory="100kB")
    assert not any(tmp_path.iterdir())
    few = solution.save(tmp_path / "x.table", memory=found.value.needed)
    assert few.read_bytes() == solution.save(tmp_path / "y.table").read_bytes()


def test_files_are_closed_that_are_read_whole_or_refused(tmp_path):
    """A proof, and a table of another game."""
    proof, table = tmp_path / "a.proof", tmp_path / "a.table"
    zermelo.prove(TakeAway(7)).save(proof)
    zermelo.solve(TakeAway(7), table=table).close()
    assert zermelo.open(proof).value.outcome == zermelo.WIN
    with pytest.raises(ParameterError):
        zermelo.open(table, TicTacToe)
    opened = {Path(file.path) for file in psutil.Process().open_files()}
    assert not opened & {proof, table}
