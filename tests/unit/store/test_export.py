"""Exporting: what other programs read is what probing answers."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
import zermelo.solution.export.rows
from support.compiled_rules import without_move_numbers
from support.games.symmetric import ColouringGame
from support.sizes import but, some
from zermelo import (
    BudgetError,
    Game,
    MissingExtraError,
    ParameterError,
    TableExistsError,
    TableWriteError,
)
from zermelo.game.parameters import as_json
from zermelo.games import CatAndMouse, ConnectFour, Quixo, StoneGame, TakeAway, TicTacToe
from zermelo.symmetry import cycle

parquet = pytest.importorskip("pyarrow.parquet")


class Pits(NamedTuple):
    """Rows of pits, and a field with the name of a column."""

    row: tuple[int, int, int]
    score: int


class Sown(NamedTuple):
    """A move of a NamedTuple."""

    pit: int
    far: bool


@dataclass(frozen=True)
class Sowing(Game):
    """Positions with tuples, and moves of two numbers."""

    def start(self) -> Pits:
        """Three pits."""
        return Pits((3, 2, 1), 0)

    def space(self) -> Pits:
        """Small numbers, some below zero."""
        return Pits((range(8),) * 3, range(-4, 300))

    def moves(self, p: Pits):
        """Empty a pit, near or far."""
        for pit in range(3):
            if p.row[pit]:
                for far in (False, True):
                    yield Sown(pit, far)

    def play(self, p: Pits, move: Sown) -> Pits:
        """Take from the pit; far adds to the score."""
        left = p.row[move.pit] - 1
        return Pits(zermelo.put(p.row, move.pit, left), p.score + (2 if move.far else 0))

    def name(self, move: Sown) -> str:
        """Say which."""
        return f"{move.pit}{'+' if move.far else ''}"


HEXAGON = [[1, 5], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]]
RING = tuple(((n + 1) % 6, (n - 1) % 6) for n in range(6))
#: Games of every method, with and without symmetries, scores, turns and remoteness.
EXPORTED = {
    "retrograde": (TicTacToe(), {"method": "retrograde"}),
    "dense": (TicTacToe(), {"method": "dense"}),
    "levels": (ConnectFour(width=4, height=3), {"method": "levels"}),
    "placement": (ConnectFour(width=4, height=3), {}),
    "without remoteness": (ConnectFour(width=4, height=3), {"value": "outcome"}),
    "pursuit": (CatAndMouse(HEXAGON), {}),
    "turns": (CatAndMouse(HEXAGON), {"method": "retrograde"}),
    "scores": (StoneGame(piles=(3, 1, 4, 1, 5, 9, 2, 6)), {}),
    "a plain number": (TakeAway(stones=50, limit=7), {}),
    "one position": (TakeAway(stones=0), {}),
    "symmetries": (Quixo(3), {}),
    "sides that swap": (ColouringGame(RING, cycle(6), (0, 0), 7), {}),
    "tuples": (Sowing(), {}),
}


def expected(solution) -> list[dict]:
    """Return what each row ought to say, asked position by position."""
    rows = []
    for position, value in solution.items():
        options = solution.options(position)
        rows.append(
            {
                "position": position,
                "outcome": str(value.outcome),
                "remoteness": value.remoteness,
                "score": value.score,
                "move": options[0].move if options else None,
                "name": options[0].name if options else None,
            }
        )
    return rows


def flat(thing) -> list[int]:
    """Return the whole numbers in tuples of tuples."""
    if isinstance(thing, tuple):
        return [number for item in thing for number in flat(item)]
    return [int(thing)]


@pytest.fixture(params=but(some(EXPORTED, 6), "tuples"))
def solved(request):
    """A solution of each kind."""
    game, how = EXPORTED[request.param]
    return zermelo.solve(game, **how)


def fields_of(solution) -> list[str]:
    """Return the names of the columns that hold a position."""
    answers = ("player", "outcome", "remoteness", "score", "best_move", "best_move_name")
    names = getattr(solution.start, "_fields", ("position",))
    return [f"position_{name}" if name in answers else name for name in names]


def test_parquet_says_what_probing_says(solved, tmp_path):
    """Every position with its value and its best move, in the solution's order."""
    path = solved.export(tmp_path / "x.parquet")
    table = parquet.read_table(path)
    rows, names = table.to_pylist(), fields_of(solved)
    assert len(rows) == len(solved)
    for row, right in zip(rows, expected(solved), strict=True):
        assert flat(right["position"]) == [
            number
            for name in names
            for number in (row[name] if isinstance(row[name], list) else [row[name]])
        ]
        assert row["outcome"] == right["outcome"]
        assert row.get("remoteness") == right["remoteness"]
        assert row.get("score") == right["score"]
        move = right["move"]
        assert row["best_move_name"] == right["name"]
        found = row["best_move"]
        if move is None:
            assert found is None
        else:
            assert flat(move) == (found if isinstance(found, list) else [found])
        if "player" in row:
            assert row["player"] == solved.game.turn(right["position"])
    about = json.loads(table.schema.metadata[b"zermelo"])
    assert about["positions"] == len(rows)
    assert about["game"] == type(solved.game).__name__


def test_csv_says_what_parquet_says(solved, tmp_path):
    """Nothing where there is nothing, and one column for each item of a tuple."""
    rows = parquet.read_table(solved.export(tmp_path / "x.parquet")).to_pylist()
    with solved.export(tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        wide = {}
        for name, value in row.items():
            several = [key for key in line if key.startswith(f"{name}[")]
            if several:
                values = value or [None] * len(several)
                wide.update(zip(several, values, strict=True))
            else:
                wide[name] = value
        assert line == {name: "" if value is None else str(value) for name, value in wide.items()}


def test_npz_says_what_parquet_says(solved, tmp_path):
    """Without a pickle; -1 where there is nothing, and texts by their labels."""
    table = parquet.read_table(solved.export(tmp_path / "x.parquet"))
    with np.load(solved.export(tmp_path / "x.npz"), allow_pickle=False) as arrays:
        for name in table.column_names:
            found, right = arrays[name], table[name].to_pylist()
            assert len(found) == len(right)
            if f"{name}_labels" in arrays:
                labels = [*arrays[f"{name}_labels"].tolist(), None]
                assert [labels[number] for number in found.tolist()] == right
            else:
                empty = -1 if found.ndim == 1 else [-1] * found.shape[1]
                assert found.tolist() == [empty if value is None else value for value in right]
        assert json.loads(str(arrays["about"]))["positions"] == len(table)


@pytest.mark.slow
def test_a_table_exports_the_same_whatever_memory_it_may_take(tmp_path, monkeypatch):
    """On any number of threads: byte for byte, but for how Parquet groups the same rows."""
    read = []
    plan = zermelo.solution.export.rows.plan_batches
    note = lambda *args, **moves: read.append(plan(*args, **moves)) or read[-1]  # noqa: E731  # as it is
    monkeypatch.setattr("zermelo.solution.export.rows.plan_batches", note)
    solution = zermelo.solve(ConnectFour(width=4, height=4), method="retrograde")
    path = solution.save(tmp_path / "x.table")
    files = []
    texts = ("csv", "npz")
    ways = ((1, None, ("parquet", *texts)), (3, "10.3MB", ("parquet",)), (3, "6MB", texts))
    for threads, memory, ends in ways:
        table = zermelo.open(path)
        table.threads = threads
        for end in ends:
            file = table.export(tmp_path / f"{memory}.{end}", memory=memory)
            rows = parquet.read_table(file) if end == "parquet" else None
            files.append((end, file.read_bytes() if rows is None else str(rows.to_pydict())))
    assert len(set(files)) == 3
    assert {plan.reading for plan in read} == {"loaded", "decompressed", "by parts"}
    rows = parquet.read_table(tmp_path / "None.parquet").to_pylist()
    again = parquet.read_table(solution.export(tmp_path / "s.parquet")).to_pylist()
    key = lambda row: sorted((k, str(v)) for k, v in row.items())  # noqa: E731  # an order, any
    assert sorted(rows, key=key) == sorted(again, key=key)


def test_too_little_memory_is_told_before_anything_is_written(tmp_path):
    """Of a table and of a solution, and with as much as is said to be needed it goes."""
    solution = zermelo.solve(ConnectFour(width=4, height=3))
    table = zermelo.open(solution.save(tmp_path / "x.table"))
    for source in (solution, table):
        for end in ("parquet", "csv", "npz"):
            with pytest.raises(BudgetError, match="but only 1 MB may be used") as caught:
                source.export(tmp_path / f"x.{end}", memory="1MB")
            assert [each.name for each in tmp_path.iterdir()] == ["x.table"]
            source.export(tmp_path / f"x.{end}", memory=caught.value.needed).unlink()


@pytest.mark.slow
@pytest.mark.parametrize("name", some(["retrograde", "symmetries", "tuples", "scores"], 2))
def test_moves_asked_of_python_are_the_same(name, tmp_path):
    """Rules without source have no compiled moves: theirs stand as text, with the same names."""
    game, how = EXPORTED[name]
    solution = zermelo.solve(game, **how)
    compiled = parquet.read_table(solution.export(tmp_path / "a.parquet"))
    with without_move_numbers():
        asked = parquet.read_table(solution.export(tmp_path / "b.parquet"))
    drop = ["best_move"]
    assert asked.drop(drop).to_pylist() == compiled.drop(drop).to_pylist()
    right = [o[0].move if (o := solution.options(p)) else None for p in solution]
    texts = [None if move is None else str(as_json(move)) for move in right]
    assert asked["best_move"].to_pylist() == texts


def test_without_moves_there_are_no_columns_of_them(tmp_path):
    """And the rest is as with them."""
    solution = zermelo.solve(TicTacToe())
    whole = parquet.read_table(solution.export(tmp_path / "a.parquet"))
    part = parquet.read_table(solution.export(tmp_path / "b.parquet", best_moves=False))
    assert part.column_names == ["mine", "theirs", "outcome", "remoteness"]
    assert part.equals(whole.select(part.column_names))


def test_what_is_there_is_not_replaced_by_mistake(tmp_path):
    """Unless that is said; and an unknown format, or a folder that is none, is told."""
    solution = zermelo.solve(StoneGame(piles=(3, 1, 2)))
    path = tmp_path / "x.csv"
    path.write_text("mine")
    with pytest.raises(TableExistsError, match="already exists; give another path"):
        solution.export(path)
    assert path.read_text() == "mine"
    assert solution.export(path, overwrite=True).read_text().startswith("left,")
    with pytest.raises(ParameterError, match="does not end with one of the formats there are"):
        solution.export(tmp_path / "x.xls")
    with pytest.raises(ParameterError, match="format='xls' is not one of the formats"):
        solution.export(tmp_path / "x", format="xls")
    with pytest.raises(TableWriteError, match="No such file or directory; give another path"):
        solution.export(tmp_path / "no" / "x.csv")
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    """CSV and npz do without it."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    solution = zermelo.solve(TicTacToe())
    with pytest.raises(MissingExtraError, match=r"run pip install 'zermelo\[export\]', or export"):
        solution.export(tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())
    assert solution.export(tmp_path / "x.csv").exists()
    assert solution.export(tmp_path / "x.npz").exists()


FULL = """
import resource, signal, sys
import zermelo
from zermelo.games import ConnectFour
solution = zermelo.solve(ConnectFour(width=4, height=4))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for end in ("parquet", "csv", "npz"):
    try:
        solution.export(sys.argv[1] + "/x." + end)
    except zermelo.TableWriteError as error:
        print(error)
"""


@pytest.mark.slow
def test_a_full_disk_leaves_nothing_behind(tmp_path):
    """Whichever format it is, and the error says which file it was."""
    out = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout
    assert out.count("cannot be written: File too large; give another path") == 3
    assert not list(tmp_path.iterdir())


def test_ctrl_c_leaves_nothing_behind(tmp_path):
    """In whatever it is interrupted."""
    solution = zermelo.solve(ConnectFour(width=4, height=3))

    def interrupt(event):
        if event.done:
            raise KeyboardInterrupt

    for end in ("parquet", "csv", "npz"):
        with pytest.raises(KeyboardInterrupt):
            solution.export(tmp_path / f"x.{end}", progress=interrupt)
    assert not list(tmp_path.iterdir())
