"""``zermelo explore --export``: a folder that answers as the server does, and its few bytes."""

from __future__ import annotations

import gzip
import json
import random
import re

import numpy as np
import pytest

import zermelo
from zermelo.errors import BudgetError, PositionError, TableExistsError
from zermelo.games import ConnectFour, HareAndHounds, MuTorere
from zermelo.solution.cached_moves import CachedMovesSolution
from zermelo.solution.solution import Solution
from zermelo.web.export import folder as folders
from zermelo.web.export.columns import Packer
from zermelo.web.export.folder import limit_size, write_site
from zermelo.web.session import ExplorerSession


@pytest.fixture
def room(solutions):
    """Make a room of a solved game."""

    def make(name="tic-tac-toe", solution=None):
        found = ExplorerSession(name)
        found.show(solution or solutions[name])
        return found

    return make


def unpacked(described, body, rows):
    """Read columns by their description, as ``columns.js`` does."""
    found = []
    for column in described:
        total = np.zeros(rows, np.uint64)
        for at, (sort, where, *table) in enumerate(column):
            if sort == "c":
                part = np.full(rows, where)
            else:
                part = np.frombuffer(body, np.uint8, rows, where)
                part = np.array(table[0])[part] if table else part
            total += part.astype(np.uint64) << np.uint64(8 * at)
        found.append(total)
    return found


def read(path):
    """Return the description and the bytes of a file of positions."""
    raw = gzip.decompress(path.read_bytes())
    size = int.from_bytes(raw[:4], "little")
    return json.loads(raw[4 : 4 + size]), raw[4 + size :]


def test_columns_come_back():
    """Whatever the numbers, of whatever width, and whether one follows from another or not."""
    rng = np.random.default_rng(8)
    for _ in range(50):
        rows = int(rng.integers(1, 400))
        first = rng.integers(0, 3, rows).astype(np.uint64)
        columns = [first, (first + np.uint64(1)) * np.uint64(700), first * np.uint64(0)]
        columns += [rng.integers(0, 1 << int(bits), rows, np.uint64) for bits in (1, 9, 40, 63)]
        columns.append(np.array([(1 << 64) - 1 - i for i in range(rows)], np.uint64))
        packer = Packer()
        back = unpacked(packer.columns(columns), packer.body, rows)
        assert all((a == b).all() for a, b in zip(columns, back, strict=True))


def test_what_follows_takes_no_room():
    """A column that follows from another one is a table, and one that never changes a number."""
    packer = Packer()
    cells = np.random.default_rng(1).integers(0, 3, 5000).astype(np.uint64)
    packer.columns([cells, cells * np.uint64(5) + np.uint64(7), np.full(5000, 9, np.uint64)])
    assert len(packer.body) == 5000


@pytest.mark.parametrize("name", ["cat-and-mouse", "take-away", "stone-game"])
def test_positions_of_the_file_are_those_of_the_game(name, room, tmp_path):
    """Every position that can be reached is there, with the value that the solution has for it."""
    solved = room(name)
    site = write_site(solved, tmp_path / "site")
    about, body = read(next((tmp_path / "site").glob("files-*/positions.bin")))
    assert site.positions == about["positions"] == len(solved.solution)
    worth = {}
    for shape in about["shapes"]:
        rows = shape["count"]
        codes = np.array(unpacked(shape["code"], body, rows)).astype(np.int64).T
        values = unpacked([shape["worth"]], body, rows)[0]
        for code, value in zip(codes.tolist(), values.tolist(), strict=True):
            worth[",".join(map(str, code))] = about["values"][value]
    assert len(worth) == site.positions
    for code in random.Random(2).sample(sorted(worth), min(40, len(worth))):
        assert worth[code] == solved.position(code).value.model_dump()


def test_moves_are_worked_out_once_for_each_position(room, tmp_path, monkeypatch):
    """To explain all of them is to ask for the moves of the same ones again and again."""
    asked, plain = [], Solution.options

    def options(solution, position=None):
        asked.append(position)
        return plain(solution, position)

    monkeypatch.setattr(Solution, "options", options)
    site = write_site(room("take-away"), tmp_path / "site")
    assert len(asked) == len(set(asked)) == site.positions


def test_a_solution_that_remembers_moves_gives_the_same(room):
    """Answers, and errors about what is no position, are those of the solution itself."""
    solution = room("take-away").solution
    recalled = CachedMovesSolution(solution)
    for _ in range(2):
        assert recalled.options() == solution.options()
        assert recalled.explain() == solution.explain()
    with pytest.raises(PositionError, match="is not a position"):
        recalled.options([0, 4])


@pytest.mark.slow
def test_the_bytes_of_a_position(room, tmp_path):
    """Small games are small: a position takes less than the addresses of its moves would."""
    for name, most in (("tic-tac-toe", 10), ("hare-and-hounds", 20)):
        solution = zermelo.solve(HareAndHounds()) if name == "hare-and-hounds" else None
        site = write_site(room(name, solution), tmp_path / name)
        assert site.table / site.positions < most
        assert site.size < 300_000


def test_the_page_loads_nothing_from_elsewhere(room, tmp_path):
    """All that it names is in the folder, the policy lets nothing else in, no path is absolute."""
    write_site(room("take-away"), tmp_path / "site")
    text = (tmp_path / "site" / "index.html").read_text()
    assert "default-src 'none'" in text
    named = re.findall(r'(?:href|src|data-table|data-reasons)="(files-[^"]*)"', text)
    assert len(named) >= 5
    assert all((tmp_path / "site" / name).is_file() for name in named)
    modules = (tmp_path / "site").glob("files-*/**/*.js")
    for module in modules:
        for other in re.findall(r'(?:from |import\()"([^"]*)"', module.read_text()):
            assert (module.parent / other).is_file()
    assert not re.search(r'(?:href|src)="(?:/|https?:)', text)


def test_an_export_replaces_an_earlier_one(room, tmp_path):
    """What nobody reads any more goes, and other people's files stay."""
    site = tmp_path / "site"
    write_site(room("take-away"), site)
    (site / "CNAME").write_text("board.example")
    before = {path.name for path in site.iterdir()}
    write_site(room("take-away"), site)
    assert {path.name for path in site.iterdir()} == before
    write_site(room("stone-game"), site)
    after = {path.name for path in site.iterdir()}
    assert len(after) == 3
    assert len(after & before) == 2


def test_a_folder_with_other_things_is_refused(room, tmp_path):
    """Unless it is asked for; and then they stay."""
    (tmp_path / "thesis.tex").write_text("\\documentclass")
    with pytest.raises(TableExistsError, match=r"is not empty, and not an earlier export.*--force"):
        write_site(room("take-away"), tmp_path)
    with pytest.raises(TableExistsError, match="is a file"):
        write_site(room("take-away"), tmp_path / "thesis.tex")
    write_site(room("take-away"), tmp_path, force=True)
    assert (tmp_path / "thesis.tex").read_text() == "\\documentclass"
    write_site(room("take-away"), tmp_path)


def test_exported_page_replaces_no_link(room, tmp_path):
    """The page takes the place of an earlier file only, which is checked before any work."""
    (tmp_path / "index.html").symlink_to("page.html")
    with pytest.raises(TableExistsError, match=r"is a link; .*page\.html'"):
        write_site(room("take-away"), tmp_path, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_a_place_that_is_read_only_is_refused_at_once(tmp_path, monkeypatch):
    """Before the game is solved, even if the folder and those above it are still to be made."""
    monkeypatch.setattr(folders.os, "access", lambda path, _: path != tmp_path)
    with pytest.raises(zermelo.errors.TableWriteError, match="is read-only; give another"):
        folders.check_folder(tmp_path / "a" / "b", force=True)
    folders.check_folder(tmp_path.parent / "c", force=False)


def test_what_breaks_off_leaves_the_old_page(room, tmp_path, monkeypatch):
    """The old index names files that are still there, and the next export clears the rest away."""
    site = tmp_path / "site"
    write_site(room("take-away"), site)
    page = (site / "index.html").read_text()

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(folders.Path, "rename", full)
        with pytest.raises(zermelo.errors.TableWriteError, match="No space left"):
            write_site(room("stone-game"), site)
    assert (site / "index.html").read_text() == page
    assert all((site / name).is_file() for name in re.findall(r'"(files-[^"]*)"', page))
    write_site(room("stone-game"), site)
    assert len(list(site.iterdir())) == 2


@pytest.mark.slow
def test_what_is_too_large_says_how_large(room, tmp_path, monkeypatch):
    """By the positions, before they are followed; by those that symmetries hid; and by bytes."""
    solution = zermelo.solve(ConnectFour(4, 3))
    monkeypatch.setattr(folders, "MOST_POSITIONS", 1000)
    with pytest.raises(BudgetError, match=r"has [\d,]+ positions, about .* at most 1,000; choose"):
        write_site(room("connect-four", solution), tmp_path / "a")
    folded = zermelo.solve(MuTorere())
    assert len(folded) < 1000
    with pytest.raises(BudgetError, match=r"has 1,180 positions, about .* at most 1,000; choose"):
        write_site(room("mu-torere", folded), tmp_path / "a")
    monkeypatch.undo()
    monkeypatch.setattr(folders, "MOST_BYTES", 10)
    with pytest.raises(BudgetError, match=r"take [\d,]+ bytes, and a page loads at most 10"):
        write_site(room("take-away"), tmp_path / "a")
    assert not (tmp_path / "a").exists()


@pytest.mark.slow
def test_a_solve_ends_where_it_has_found_too_much():
    """Long before everything is found."""
    seen = []
    with pytest.raises(BudgetError, match=r"^four has more than 300,000 positions, and a page"):
        zermelo.solve(
            ConnectFour(5, 4), method="retrograde", progress=limit_size("four", seen.append)
        )
    assert {event.phase for event in seen} <= {"compile", "explore"}


def test_an_export_is_the_same_each_time(room, tmp_path):
    """So that a folder under version control does not change for nothing."""
    for name in "ab":
        write_site(room("take-away"), tmp_path / name)
    first, second = (sorted(p.name for p in (tmp_path / name).iterdir()) for name in "ab")
    assert first == second
