"""What may be written to: every writer replaces a file, and never a device, a pipe or a link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import zermelo
from zermelo import Match, TableExistsError, TableWriteError, graph, heaps
from zermelo.agents import report as agents_report
from zermelo.analysis import report as analysis_report
from zermelo.games import TakeAway

TRIANGLE = [(0, 1), (1, 2), (2, 0)]


@pytest.fixture(scope="module")
def solution():
    """The solution of a small game."""
    return zermelo.solve(TakeAway(9))


def _save_pursuit(path, _):
    zermelo.pursuit(TRIANGLE).save(path, overwrite=True)


def _save_graph(path, _):
    graph.solve_edges([0], [1], 2).save(path, overwrite=True)


def _write_dot(path, _):
    graph.write_dot(graph.solve_edges([0], [1], 2), path, overwrite=True)


def _save_proof(path, _):
    zermelo.prove(TakeAway(9)).save(path, overwrite=True)


def _play(path, solution):
    Match(solution).save(path)


#: What writes a file, by the path and the solution of a game.
WRITERS = {
    "solve.table": lambda path, _: zermelo.solve(TakeAway(9), table=path, overwrite=True),
    "solution.table": lambda path, solution: solution.save(path, overwrite=True),
    "portable.table": lambda path, solution: solution.save(path, overwrite=True, portable=True),
    "graph.table": _save_graph,
    "graph.dot": _write_dot,
    "pursuit.table": _save_pursuit,
    "game.proof": _save_proof,
    "rows.csv": lambda path, solution: solution.export(path, overwrite=True),
    "rows.npz": lambda path, solution: solution.export(path, overwrite=True),
    "dataset.csv": lambda path, solution: solution.dataset().save(path, overwrite=True),
    "line.svg": lambda path, solution: solution.line().save(path, overwrite=True),
    "tree.svg": lambda path, solution: solution.tree(depth=1).save(path, overwrite=True),
    "kayles.txt": lambda path, _: heaps.KAYLES.write_b_file(path, 9, overwrite=True),
    "match.json": _play,
    "zermelo_reader.c": lambda path, _: zermelo.write_readers(path.parent, overwrite=True),
}


def _pipe(path):
    os.mkfifo(path)


def _link_to_device(path):
    path.symlink_to(os.devnull)


def _link_to_pipe(path):
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to(path.with_name("pipe"))


def _link_to_file(path):
    path.with_name("file").write_text("kept")
    path.symlink_to(path.with_name("file"))


def _dangling_link(path):
    path.symlink_to(path.with_name("nowhere"))


#: What makes something that no file may take the place of, and what the error says.
PLACES = {
    _pipe: "is a device or a pipe; give the path of a file",
    _link_to_device: "is a device or a pipe; give the path of a file",
    _link_to_pipe: "is a device or a pipe; give the path of a file",
    _link_to_file: r"is a link; give the path that it leads to, '.*/file'",
    _dangling_link: r"is a link; give the path that it leads to, '.*/nowhere'",
    Path.mkdir: "is a folder; give the path of a file",
}


def _contents(folder):
    """Return of each entry of a folder what changes where it is replaced or written to."""
    found = ((path.name, path.lstat()) for path in folder.iterdir())
    return {name: (each.st_mode, each.st_ino, each.st_mtime_ns) for name, each in found}


@pytest.mark.parametrize("name", WRITERS)
def test_writers_replace_files_only(name, tmp_path, solution):
    """Whatever is no file stays as it was, and nothing is left beside it."""
    for number, (make, sentence) in enumerate(PLACES.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / name
        make(path)
        before = _contents(folder)
        with pytest.raises(TableExistsError, match=sentence):
            WRITERS[name](path, solution)
        assert _contents(folder) == before


@pytest.mark.parametrize("name", WRITERS)
def test_writers_replace_files(name, tmp_path, solution):
    """A file of that name is replaced where overwriting is allowed."""
    path = tmp_path / name
    path.write_text("before")
    WRITERS[name](path, solution)
    assert path.read_bytes() != b"before"


@pytest.mark.parametrize(
    "write", [analysis_report.write, agents_report.write], ids=["analysis", "agents"]
)
def test_reports_replace_files_only(write, tmp_path, monkeypatch):
    """A page takes the place of no pipe either."""
    monkeypatch.setattr(f"{write.__module__}.page", lambda *_: "<p>")
    os.mkfifo(tmp_path / "page.html")
    with pytest.raises(TableExistsError, match="is a device or a pipe"):
        write([], tmp_path / "page.html")
    write([], tmp_path / "other.html")
    assert (tmp_path / "other.html").read_text() == "<p>"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("n\0ll.csv", "has no null characters; give another path"),
        ("x" * 300 + ".csv", "cannot be written: File name too long; give another path"),
        ("missing/rows.csv", "cannot be written: No such file or directory; give another path"),
    ],
)
def test_invalid_paths_get_a_sentence(name, sentence, tmp_path, solution):
    """A path that no file can have is refused like one that is taken."""
    with pytest.raises(TableWriteError, match=sentence):
        solution.export(tmp_path / name)
