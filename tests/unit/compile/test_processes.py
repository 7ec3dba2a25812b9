"""Compiled rules across processes, edits and broken caches: never a wrong answer."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo._compile.rules import _kept, compile_rules
from zermelo.games import CatAndMouse, TakeAway

GAME = """
from dataclasses import dataclass
from helper import most
from zermelo import Game

@dataclass(frozen=True)
class Heap(Game):
    '''Take up to as many as the helper says.'''
    stones: int = 20

    def start(self):
        return self.stones

    def moves(self, left):
        for taken in range(1, min(most(left), left) + 1):
            yield taken

    def play(self, left, taken):
        return left - taken
"""
RUN = "import zermelo; from heap import Heap; print(zermelo.solve(Heap()).value)"


def run(program: str, folder: Path, cache: Path | str, *, stdin: str | None = None) -> str:
    """Run a program in a folder with a cache of its own and return what it prints."""
    return subprocess.run(
        [sys.executable, *(["-"] if stdin is not None else ["-c", program])],
        cwd=folder,
        env={**os.environ, "ZERMELO_CACHE_DIR": str(cache), "PYTHONPATH": str(folder)},
        input=stdin,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout.strip()


def write_game(folder: Path, most: int) -> None:
    """Write the game, and beside it the helper that says how many may be taken."""
    folder.joinpath("heap.py").write_text(GAME)
    folder.joinpath("helper.py").write_text(f"def most(left):\n    return {most}\n")


def files(cache: Path) -> set[str]:
    """Return the names of all files of a cache."""
    return {str(path.relative_to(cache)) for path in cache.rglob("*") if path.is_file()}


def test_an_edited_helper_in_another_file_gives_the_new_answer(tmp_path: Path) -> None:
    """The cache is by contents, so that rules may change anywhere between two processes."""
    cache = tmp_path / "cache"
    for most, value in ((3, "loss in 10"), (4, "loss in 8"), (6, "win in 5"), (3, "loss in 10")):
        write_game(tmp_path, most)
        assert run(RUN, tmp_path, cache) == value


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """What one process compiled, the next finds."""
    cache = tmp_path / "cache"
    write_game(tmp_path, 3)
    run(RUN, tmp_path, cache)
    before = files(cache)
    hits = "; k = next(iter(__import__('zermelo')._compile.rules._kept.values()))[0]"
    told = run(f"{RUN}{hits}; print(sum(k.kernel.stats.cache_hits.values()))", tmp_path, cache)
    assert told.splitlines() == ["loss in 10", "1"]
    assert files(cache) == before


def test_processes_that_compile_at_once_all_get_it_right(tmp_path: Path) -> None:
    """Four processes begin on one empty cache and leave it whole."""
    cache = tmp_path / "cache"
    write_game(tmp_path, 3)
    environment = {**os.environ, "ZERMELO_CACHE_DIR": str(cache), "PYTHONPATH": str(tmp_path)}
    several = [
        subprocess.Popen(
            [sys.executable, "-c", RUN],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    assert [process.communicate(timeout=120)[0].strip() for process in several] == [
        "loss in 10"
    ] * 4
    assert not [name for name in files(cache) if ".tmp" in name]
    assert run(RUN, tmp_path, cache) == "loss in 10"


def test_rules_compile_without_a_place_to_keep_them(tmp_path: Path) -> None:
    """Where no folder can be made, everything is compiled in memory."""
    write_game(tmp_path, 3)
    assert run(RUN, tmp_path, tmp_path / "heap.py" / "cache") == "loss in 10"


def test_a_cache_of_rubbish_is_not_believed(tmp_path: Path) -> None:
    """Files cut short or overwritten cost a compilation, not an answer."""
    cache = tmp_path / "cache"
    write_game(tmp_path, 3)
    run(RUN, tmp_path, cache)
    for n, path in enumerate(sorted(p for p in cache.rglob("*") if p.suffix in (".nbi", ".nbc"))):
        path.write_bytes(
            b"" if n % 3 == 0 else b"rubbish" if n % 3 == 1 else path.read_bytes()[:99]
        )
    assert run(RUN, tmp_path, cache) == "loss in 10"


def test_rules_typed_at_a_prompt_are_solved(tmp_path: Path) -> None:
    """Rules that have no file, and so no source, are compiled all the same."""
    typed = GAME.replace("from helper import most", "def most(left):\n    return 3\n")
    program = f"{typed}\nimport zermelo\nprint(zermelo.solve(Heap()).value)\n"
    assert run("", tmp_path, tmp_path / "cache", stdin=program) == "loss in 10"


def test_a_file_edited_after_it_was_imported_does_not_change_what_runs(tmp_path: Path) -> None:
    """The rules that run are those that were imported, whatever the file says now."""
    write_game(tmp_path, 3)
    program = textwrap.dedent(
        """
        import pathlib, zermelo, heap, helper
        pathlib.Path("helper.py").write_text("def most(left):\\n    return 6 + 0 * left\\n")
        print(zermelo.solve(heap.Heap()).value)
        """
    )
    assert run(program, tmp_path, tmp_path / "cache") == "loss in 10"


def test_graphs_of_any_size_and_contents_share_one_compilation() -> None:
    """Two thousand random graphs: a graph is handed over, never compiled in."""
    rng = np.random.default_rng(7)
    before = len(_kept.get(CatAndMouse, []))
    for _ in range(2_000):
        n = int(rng.integers(9, 17))
        edges = rng.random((n, n)) < 0.3
        edges = np.triu(edges, 1)
        edges[0, 1] = True
        both = edges | edges.T
        graph = [np.flatnonzero(row).tolist() for row in both]
        zermelo.solve(CatAndMouse(graph=graph), threads=1)
    kept = _kept[CatAndMouse][before:]
    assert len(kept) <= 1
    assert all(len(k.kernel.signatures) == 1 for k in _kept[CatAndMouse])


def test_two_parameterisations_stand_side_by_side() -> None:
    """A number that rules read is part of what is compiled, and does not leak into the other."""
    few, many = TakeAway(stones=20, limit=2), TakeAway(stones=20, limit=5)
    assert [zermelo.solve(game).value.remoteness for game in (few, many, few, many)] == [
        13,
        7,
        13,
        7,
    ]


def test_a_number_that_only_the_start_reads_compiles_nothing_again() -> None:
    """Another heap of the same limit uses the rules that are there."""
    zermelo.solve(TakeAway(stones=5, limit=4))
    kept = len(_kept[TakeAway])
    for stones in range(6, 30):
        zermelo.solve(TakeAway(stones=stones, limit=4))
    assert len(_kept[TakeAway]) == kept


STEP = 2


class Steps(zermelo.Game):
    """A walk down by as much as a constant of the module says."""

    def start(self) -> int:
        return 12

    def moves(self, left: int) -> Any:
        if left >= STEP:
            yield STEP

    def play(self, left: int, step: int) -> int:
        return left - step


def test_a_constant_that_changes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module's constant is part of the rules, also when it is changed while they are used."""
    assert zermelo.solve(Steps()).value.remoteness == 6
    monkeypatch.setattr(sys.modules[__name__], "STEP", 3)
    assert zermelo.solve(Steps()).value.remoteness == 4


def test_importing_and_making_a_game_needs_no_numba(tmp_path: Path) -> None:
    """Numba comes with the first solve."""
    program = (
        "import sys, zermelo, zermelo.games as g; g.TicTacToe(); print('numba' in sys.modules)"
    )
    assert run(program, tmp_path, tmp_path / "cache") == "False"


def test_compiled_rules_are_the_same_object_for_an_equal_game() -> None:
    """Solving a game again finds its rules by what they read, without writing or reading files."""
    assert compile_rules(TakeAway(9, 3))._kept is compile_rules(TakeAway(12, 3))._kept
