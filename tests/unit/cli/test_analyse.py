"""``zermelo analyse``."""

from __future__ import annotations

import json
import re
import sys

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of one's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_game(run):
    """What there is to say of a game is written in words and numbers."""
    result = run("analyse", "tic-tac-toe")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "With perfect play it is a tie in 9 plies." in result.stdout
    assert re.search(r"random play +58\.5 % +12\.7 % +0\.0 % +28\.8 % +7\.63", result.stdout)
    assert "a3, c3, a1, c1: tie in 9; expected score 67.1 % under random" in result.stdout
    assert "exact, over the whole table" in result.stdout


def test_json_is_what_the_library_says(run):
    """One document, alone, with the same names as the results have."""
    result = run("analyse", "take-away", "--stones", 10, "--json", "--blunders", "10,50")
    document = json.loads(result.stdout)
    assert result.stderr == ""
    assert document["name"] == "take-away"
    assert document["parameters"]["stones"] == 10
    assert [play["blunders"] for play in document["plays"]] == [0, 10, 50, 100]
    assert document["exact"]


def test_a_sweep_is_a_table_of_games(run):
    """Ranges make a row for each game, with a column for each parameter that varies."""
    result = run("analyse", "take-away", "--stones", "3..5", "--limit", "2..3")
    assert result.exit_code == 0
    heading, *rows = result.stdout.splitlines()
    assert heading.split()[:3] == ["stones", "limit", "value"]
    assert [row.split()[:2] for row in rows] == [
        [str(stones), str(limit)] for stones in (3, 4, 5) for limit in (2, 3)
    ]
    document = json.loads(run("analyse", "take-away", "--stones", "3..5", "--json").stdout)
    assert [each["parameters"]["stones"] for each in document["analyses"]] == [3, 4, 5]
    assert document["failures"] == {}


def test_sweep_names_failed_games(run, countdown):
    """What cannot be made or solved is told below the other rows, and the exit code is 1."""
    result = run("analyse", "take-away", "--stones", "-1..2")
    assert result.exit_code == 1
    assert "stones -1: " in result.stdout
    assert len(result.stdout.splitlines()) == 5
    countdown.write_text(
        countdown.read_text().replace("return self.top", "return self.top // (self.top != 4)")
    )
    result = run("analyse", "countdown.py", "--top", "3..5")
    assert result.exit_code == 1
    _, *rows = result.stdout.splitlines()
    assert rows[-1].startswith("top 4: countdown.py:")
    assert "ZeroDivisionError" in rows[-1]
    assert [row.split()[0] for row in rows[:-1]] == ["3", "5"]
    document = json.loads(run("analyse", "countdown.py", "--top", "3..5", "--json").stdout)
    assert [each["parameters"]["top"] for each in document["analyses"]] == [3, 5]
    assert list(document["failures"]) == ["top 4"]


@pytest.mark.slow
def test_sweep_outlives_a_game_too_large(run):
    """A game that does not fit in memory does not end the sweep."""
    result = run("analyse", "quixo", "--size", "3..4", "--memory", "3MB")
    assert result.exit_code == 1
    assert "size 4: " in result.stdout


@pytest.mark.parametrize("form", ["--json", "--quiet", None])
def test_interrupted_sweep_keeps_finished_rows(run, countdown, form):
    """Ctrl-C in the third of four games leaves two rows, or a document with two."""
    stops = (
        "        if self.top == 5:\n            raise KeyboardInterrupt\n        return self.top\n"
    )
    countdown.write_text(countdown.read_text().replace("        return self.top\n", stops))
    words = ["analyse", "countdown.py", "--top", "3..6"]
    result = run(*words, form) if form else run(*words)
    assert result.exit_code == 130
    assert result.stderr == "interrupted; 2 of 4 games are analysed\n"
    if form == "--json":
        assert [a["parameters"]["top"] for a in json.loads(result.stdout)["analyses"]] == [3, 4]
    else:
        assert len(result.stdout.splitlines()) == (2 if form else 3)


def test_a_stored_table(run, here):
    """A table is analysed as the game that made it, without solving again."""
    run("solve", "take-away", "--stones", 12, "--table", "heap.table")
    stored = json.loads(run("analyse", "heap.table", "--json").stdout)
    solved = json.loads(run("analyse", "take-away", "--stones", 12, "--json").stdout)
    for document in (stored, solved):
        for name in ("name", "seconds"):
            document.pop(name)
    assert stored == solved


@pytest.mark.slow
def test_a_page_stands_on_its_own(run, here):
    """The page has its plots inside, and asks nothing of any network."""
    assert run("analyse", "tic-tac-toe", "--html", "page.html", "--quiet").exit_code == 0
    text = (here / "page.html").read_text()
    assert text.count("<svg ") == text.count("</svg>") > 4
    assert "<script" not in text
    addresses = set(re.findall(r"https?://[^\"'<>\s]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.search(r"(src|href)=\"(?!#|data:)", text)
    assert list(here.iterdir()) == [here / "page.html"]


@pytest.mark.slow
def test_what_does_not_fit_is_sampled(run):
    """Where there is little memory the command says that it sampled, with intervals."""
    board = ("connect-four", "--width", 4, "--height", 4)
    result = run("analyse", *board, "--memory", "8MB", "--samples", 500)
    assert "sampled: 500 games" in result.stdout
    assert re.search(r"random play +\d\d\.\d % \(\d\d\.\d to \d\d\.\d %\)", result.stdout)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["tic-tac-toe", "--blunders", "5,101"], "'5,101' is not a list of percentages"),
        (["tic-tac-toe", "--blunders", "few"], "'few' is not a list of percentages"),
        (["take-away", "--stones", "9..3"], "'9..3' is empty; write the smaller number first"),
        (["take-away", "--stones", "1..5000"], "these ranges make 5,000 games; keep to 1,000"),
        (["take-away", "--stones", "3..x"], "'3..x' is not a whole number"),
        (["nothing.table"], "'nothing.table'"),
        (["tic-tac-toe", "--ignore-rules"], "are for the file of a table, not for tic-tac-toe"),
        (["tic-tac-toe", "--html", "no/such/page.html"], "there is no folder 'no/such'"),
        (["tic-tac-to"], "did you mean tic-tac-toe?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes_are_told_in_a_line(run, here, words, says):
    """Each mistake is one line, and code 2."""
    result = run("analyse", *words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_without_matplotlib_a_page_says_what_to_install(run, here, monkeypatch):
    """The extra is named before any work is done."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("analyse", "tic-tac-toe", "--html", "page.html")
    assert result.exit_code == 2
    assert "pip install 'zermelo[plots]'" in result.stderr
    assert run("analyse", "take-away", "--stones", 4).exit_code == 0
