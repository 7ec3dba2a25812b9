"""``zermelo tables``, ``zermelo export``, and games named in place of tables."""

from __future__ import annotations

import json
import os
import re
import shlex
import time
from pathlib import Path

import pytest

from zermelo.cli import main
from zermelo.cli.commands.tables.tables import _game_command
from zermelo.game.contract import parameter_names
from zermelo.game.parameters import as_json
from zermelo.games import zoo
from zermelo.solution.solution import Solution
from zermelo.tables.cache import CachedTable

HEAP = ("take-away", "--stones", "20")


def recalled(run, *words) -> bool:
    """Return whether a solve was answered from a table."""
    result = run("solve", *words, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)["recalled"]


def test_a_game_solved_before_is_answered_from_its_table(run, home):
    """Unless that is not wanted, or a method is asked for."""
    assert not recalled(run, *HEAP)
    assert recalled(run, *HEAP)
    assert not recalled(run, *HEAP, "--limit", "4")
    assert not recalled(run, *HEAP, "--fresh")
    assert not recalled(run, *HEAP, "--no-cache")
    assert not recalled(run, *HEAP, "--method", "retrograde")
    first, again = (run("solve", *HEAP, *more).stdout for more in (("--fresh",), ()))
    assert "read from the cache; --fresh solves the game again" in again
    same = ("game", "  stones", "value", "winner", "best", "positions", "  win", "method")
    for line in first.splitlines():
        assert not line.startswith(same) or line in again.splitlines()
    assert run("solve", *HEAP, "--verify").exit_code == 0


def test_without_keeping_nothing_is_written(run, home):
    """Nor with a method, whose table might be of a horizon too short."""
    run("solve", *HEAP, "--no-cache")
    run("solve", *HEAP, "--method", "horizon", "--horizon", "2")
    assert not home.exists()


def test_where_nothing_can_be_kept_a_line_says_so(run, home):
    """And the answer is there all the same."""
    home.parent.mkdir()
    home.write_text("")
    result = run("solve", *HEAP, "--quiet")
    assert (result.exit_code, result.stdout) == (0, "loss in 10\n")
    assert result.stderr.startswith("note: the table is not cached: ")
    assert result.stderr.count("\n") == 1


def test_games_may_be_named_in_place_of_tables(run, home):
    """Their tables are found; where there is none, they are solved."""
    assert run("probe", *HEAP, "17", "--quiet").stdout == "win in 9\n"
    assert recalled(run, *HEAP)
    assert run("verify", *HEAP).stdout.startswith("the certificate holds: 21 positions")
    assert json.loads(run("verify", *HEAP, "--json").stdout)["table"] == "take-away"
    result = run("probe", *HEAP, "--ignore-rules")
    assert result.exit_code == 2
    assert "are for the file of a table, not for take-away" in result.stderr
    assert "did you mean take-away or take-a-sum?" in run("probe", "take-avay").stderr
    assert run("play", *HEAP, "--side", "neither", "--quiet").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", ["solve", "probe", "verify", "play", "export", "analyse"])
def test_whatever_solves_obeys_the_memory_it_is_given(run, home, command):
    """A game in the place of a table is solved within what is allowed, or not at all."""
    words = {"export": ("--csv", str(home.parent.parent / "heap.csv"))}.get(command, ())
    result = run(command, *HEAP, *words, "--memory", "1", "--threads", "1")
    assert result.exit_code == 3
    assert "only 1 byte may be used" in result.stderr


def test_threads_are_those_that_were_asked_for(run, home, monkeypatch):
    """By a game that is solved, by one whose table is kept, and by a table."""
    seen = []
    verify = Solution.verify

    def noted(solution, **how):
        seen.append(solution.threads)
        return verify(solution, **how)

    monkeypatch.setattr(Solution, "verify", noted)
    for _ in range(2):
        assert run("verify", *HEAP, "--threads", "3").exit_code == 0
    assert run("verify", next(home.glob("*.table")), "--threads", "2").exit_code == 0
    assert seen == [3, 3, 2]


def test_tables_are_listed(run, home):
    """For people, by their files, and as JSON."""
    assert run("tables").stdout == f"0 tables cached, 0 bytes, in {home}\n"
    run("solve", *HEAP)
    out = run("tables").stdout
    assert out.startswith("value       positions ")
    assert "loss in 10         21" in out
    assert "  take-away --stones 20 --limit 3\n" in out  # as zermelo solve takes it
    assert "1 table cached" in out
    (path,) = run("tables", "--quiet").stdout.split()
    document = json.loads(run("tables", "--json").stdout)
    assert document["folder"] == str(home)
    (table,) = document["tables"]
    assert table["path"] == path
    assert (table["positions"], table["stale"]) == (21, False)


def test_each_listed_table_can_be_asked_for_by_the_words_in_its_row(run, home, countdown):
    """Pasted after ``zermelo solve``, they find the table; lists and classes of one's own too."""
    run("solve", "countdown.py:Countdown")
    run("solve", *HEAP)
    run("solve", *HEAP, "--misere")
    run("solve", "cat-and-mouse", "--graph", "[[1],[0,2],[1]]", "--mouse", 1, "--cat", 2)
    _, *rows, _ = run("tables").stdout.splitlines()
    assert len(rows) == 4
    for row in rows:
        game = re.search(r"  (take-away|cat-and-mouse|countdown:Countdown)\b", row)
        words = shlex.split(row[game.start() :])
        assert recalled(run, *words), words


def test_the_words_of_a_table_make_the_same_game_again():
    """For every game of the zoo as it stands, and with the parameters of a fact about it."""
    solve = main.get_command(None, "solve")
    for kind in zoo().values():
        for given in ({}, *(fact.parameters for fact in kind.facts[:1])):
            game = kind(**given)
            made = {name: as_json(getattr(game, name)) for name in parameter_names(game)}
            table = CachedTable(Path("x"), kind.__name__, made, None, 0, 0, 0, 0, 0, stale=False)
            words = shlex.split(_game_command(table))
            again = solve.make_context("solve", list(words)).params["game"].game
            assert type(again) is kind, words
            assert {name: as_json(getattr(again, name)) for name in made} == made, words


@pytest.mark.parametrize(
    ("game", "module", "made", "words"),
    [
        ("Nim", "zermelo.games.nim", {"heaps": [3, 4]}, "nim --heaps 3,4"),
        ("Nim", "mine", {"fen": None}, "mine:Nim"),
        ("Nim", "_zermelo_file_json", {}, "json.py:Nim"),
        ("Nim", "__main__", {}, "Nim"),
        (
            *("ImportedGame", "zermelo.adapters.imported_game"),
            {"source": "openspiel:breakthrough(rows=3)", "checksum": "abc"},
            "'openspiel:breakthrough(rows=3)'",
        ),
    ],
)
def test_a_table_is_called_what_the_command_line_finds(game, module, made, words):
    """A class of one's own with its module, or its file; another library's by its name there.

    Tables of all of these are in no cache of a test.
    """
    table = CachedTable(Path("x"), game, made, None, 0, 0, 0, 0, 0, stale=False, module=module)
    assert _game_command(table) == words


def test_tables_are_pruned(run, home):
    """By age, by size, or the stale ones; without any of these, the stale ones only."""
    for stones in ("5", "6", "7"):
        run("solve", "take-away", "--stones", stones)
    first, second, third = sorted(home.iterdir())
    first.rename(home / "TakeAway-0123456789abcdef.table")
    month = 31 * 86_400
    os.utime(second, (time.time() - month, time.time() - month))
    assert run("tables", "--stale", "--quiet").stdout.count("\n") == 1
    assert run("tables", "--older", "30d", "--quiet").stdout == f"{second}\n"
    assert run("tables", "--larger", "1GB", "--quiet").stdout == ""
    assert "0 of 3 tables chosen" in run("tables", "--larger", "1GB").stdout
    assert "1 of 3 tables deleted" in run("tables", "--prune").stdout
    assert sorted(home.iterdir()) == sorted([second, third])
    assert "1 of 2 tables deleted" in run("tables", "--older", "4w", "--prune").stdout
    assert list(home.iterdir()) == [third]
    assert "1 table deleted" in run("tables", "--larger", "10", "--prune").stdout
    assert list(home.iterdir()) == []
    assert "is not an age; write one such as 30d" in run("tables", "--older", "x").stderr


def test_a_table_or_a_game_is_exported(run, folder):
    """To one file, in the format that is named."""
    run("solve", *HEAP, "--table", "heap.table")
    result = run("export", "heap.table", "--csv", "heap.csv")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("21 positions written to heap.csv (")
    lines = (folder / "heap.csv").read_text().splitlines()
    assert lines[:3] == [
        "position,outcome,remoteness,best_move,best_move_name",
        "0,loss,0,,",
        "1,win,1,1,take 1",
    ]
    assert run("export", *HEAP, "--csv", "again.csv", "--quiet").stdout == ""
    again = (folder / "again.csv").read_text().splitlines()
    assert sorted(again) == sorted(lines)
    document = json.loads(run("export", "heap.table", "--npz", "heap.npz", "--json").stdout)
    assert document["positions"] == 21
    assert document["bytes"] == (folder / "heap.npz").stat().st_size


def test_mistakes_in_exporting_are_told_before_anything_is_done(run, folder):
    """No format, two of them, a file that is there, a folder that is not."""
    run("solve", *HEAP, "--table", "heap.table")
    for words, says in (
        ((), "give one of --parquet FILE, --csv FILE, "),
        (("--csv", "a", "--npz", "b"), "give one of --parquet FILE"),
        (("--csv", "heap.table"), "already exists; give another path, or use --force"),
        (("--csv", "no/x.csv"), "there is no folder 'no'; create it first"),
        (("--csv", "."), "'.' is a folder; give the path of a file"),
    ):
        result = run("export", "heap.table", *words)
        assert result.exit_code == 2
        assert says in result.stderr
        assert result.stderr.count("\n") == 1
    assert run("export", "heap.table", "--csv", "x.csv", "--no-best-moves").exit_code == 0
    assert run("export", "heap.table", "--csv", "x.csv", "--force").exit_code == 0
    assert "best_move" in (folder / "x.csv").read_text()
