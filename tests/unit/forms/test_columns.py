"""Answers as data frames: flat columns, whole numbers, and batches for what is large."""

from __future__ import annotations

import sys

import pandas as pd
import pyarrow as pa
import pytest

import zermelo
from zermelo import limits
from zermelo.errors import MissingExtraError
from zermelo.games import CatAndMouse, Nim, StoneGame, TakeAway, TicTacToe

SIX = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]


@pytest.fixture(scope="module")
def solutions(noughts):
    """Games of several kinds of value, solved."""
    return {
        "tie": noughts,
        "loop": zermelo.solve(CatAndMouse(SIX)),
        "score": zermelo.solve(StoneGame(piles=(5, 3, 4, 5))),
        "row": zermelo.solve(Nim(heaps=(1, 2, 3))),
        "nimber": zermelo.solve(TakeAway(7), value="nimber"),
    }


def is_flat(table):
    """Whether no cell of an Arrow table holds more than one value."""
    kinds = [field.type for field in table.schema]
    return not any(pa.types.is_nested(kind) for kind in kinds)


@pytest.mark.parametrize("name", ["tie", "loop", "score", "row", "nimber"])
def test_every_answer_is_flat(solutions, name):
    """Positions, moves, counts, lines and probes."""
    solution = solutions[name]
    answers = [solution, solution.options(), solution.counts(), solution.line()]
    answers.append(solution.probe_many(list(solution)[:3]))
    for answer in answers:
        table = answer.to_arrow()
        assert is_flat(table)
        frame = answer.to_pandas()
        assert len(frame) == len(table) > 0
        assert list(frame.columns) == table.column_names
        assert not any(isinstance(cell, dict | list | tuple) for cell in frame.to_numpy().flat)


@pytest.mark.parametrize("name", ["tie", "loop", "score", "row"])
def test_positions_have_the_values_that_the_solution_has(solutions, name):
    """Row by row, in the order of iteration."""
    solution = solutions[name]
    frame = solution.to_pandas()
    assert len(frame) == len(solution)
    for (_, value), (_, row) in zip(solution.items(), frame.iterrows(), strict=True):
        assert row["outcome"] == str(value.outcome)
        if "remoteness" in frame:
            assert value.remoteness == (None if pd.isna(row["remoteness"]) else row["remoteness"])
        if "score" in frame:
            assert value.score == row["score"]


def test_names_of_columns(solutions):
    """Fields are columns; what is nested has names such as a.b, and rows have numbers."""
    assert list(solutions["row"].to_pandas().columns)[:4] == [
        "heaps[0]", "heaps[1]", "heaps[2]", "outcome",
    ]  # fmt: skip
    assert solutions["tie"].options().to_arrow().column_names == [
        "move", "name", "outcome", "remoteness", "best", "position.mine", "position.theirs",
    ]  # fmt: skip
    assert solutions["score"].counts().to_arrow().column_names == ["outcome", "score", "positions"]


def test_whole_numbers_stay_whole(solutions):
    """Where an endless draw has no remoteness, the column still has no fractions."""
    remoteness = solutions["loop"].to_pandas()["remoteness"]
    assert remoteness.dtype == "Int32"
    assert remoteness.isna().sum() == solutions["loop"].counts().endless
    assert solutions["tie"].to_pandas()["outcome"].dtype == "category"


@pytest.mark.slow
def test_large_tables_come_in_batches(solutions, monkeypatch):
    """As they are asked for, by the interface that others read."""
    from zermelo.solution.export import batches

    monkeypatch.setattr(batches, "ROWS", 1000)
    solution = zermelo.solve(TicTacToe())
    reader = solution.to_batches()
    sizes = [len(batch) for batch in reader]
    assert sum(sizes) == len(solution)
    assert len(sizes) > 1
    assert pa.table(solution).equals(solution.to_arrow())
    assert pa.RecordBatchReader.from_stream(solution.counts()).read_all().num_rows > 0


def test_what_is_missing_is_named(solutions, monkeypatch):
    """With what to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'zermelo\[frames\]'"):
        solutions["tie"].to_pandas()
    with pytest.raises(MissingExtraError, match="need pyarrow"):
        solutions["tie"].counts().to_arrow()


def test_limits_have_no_part_in_it():
    """The module is public, and rows do not depend on it."""
    assert limits is zermelo.limits
