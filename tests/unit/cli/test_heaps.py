"""``zermelo heaps``: nimbers, proved periods, winning moves and files, and what is refused."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from zermelo.cli import main


def run(*arguments):
    """Run the command; return what came of it."""
    return CliRunner().invoke(main, ["heaps", *map(str, arguments)])


def test_nimbers():
    """The game, and its nimbers in a row; a long row is truncated, and JSON never is."""
    assert run("0.137", "--to", 8).stdout == "Dawson's Chess\n0 1 1 2 0 3 1 1 0\n"
    assert run("kayles", "--to", 3, "--quiet").stdout == "0 1 2 3\n"
    assert run("nim", "--to", 300).stdout.endswith("199 … and 101 more\n")
    told = json.loads(run("subtraction:1,2", "--to", 300, "--json").stdout)
    assert told["code"] == "0.33"
    assert told["nimbers"] == [n % 3 for n in range(301)]


def test_periods():
    """A period with its proof, and none where none is proved."""
    told = run("dawsons-chess", "--verify").stdout
    assert "has period 34, from heap 52 on; proved by the nimbers to 174\n" in told
    assert "verified: all 175 nimbers computed again" in told
    document = json.loads(run("all-but:2,5,9", "--verify", "--json").stdout)
    assert document["verified"]
    assert document["period"] == {
        "period": 4,
        "saltus": 2,
        "preperiod": 0,
        "last_exception": None,
        "exceptions": [],
        "checked_to": 14,
    }
    assert "no period proved by the nimbers to 99" in run("0.007", "--period", "--to", 99).stdout
    assert json.loads(run("0.007", "--period", "--to", 50, "--json").stdout)["period"] is None


def test_sums():
    """Who wins heaps together, and by which moves."""
    assert run("nim", "--sum", "3,5,4", "--quiet").stdout == "to win: 3 → 1\n"
    shown = run("kayles", "--sum", "5,9").stdout
    assert "5 + 9 together: nimber 0; the player to move loses" in shown
    assert run("nim", "--sum", "2", "--quiet").stdout == "to win: 2 → nothing\n"
    best = json.loads(run("kayles", "--sum", "2,2,1", "--json").stdout)["sum"]["best"]
    assert best == [{"heap": 1, "left": []}]


def test_files(tmp_path):
    """A b-file and a plot; neither replaces a file unasked."""
    numbers, picture = tmp_path / "b.txt", tmp_path / "kayles.png"
    told = run("kayles", "--to", 90, "--b-file", numbers, "--plot", picture)
    assert told.exit_code == 0, told.stderr
    assert numbers.read_text().startswith("0 0\n1 1\n2 2\n3 3\n")
    assert len(numbers.read_text().splitlines()) == 91
    assert picture.read_bytes().startswith(b"\x89PNG")
    for option, path in (("--b-file", numbers), ("--plot", picture)):
        again = run("kayles", option, path)
        assert again.exit_code == 2
        assert "--force" in again.stderr
        assert run("kayles", option, path, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "no heap game is called 'chess'; write a code such as 0.137"),
        (["137"], "its digits come after a point: write 0.137"),
        (["sub:1"], "write subtraction:1,2,3"),
        (["subtraction:1,a"], "is not a row of numbers"),
        (["all-but:0"], "give whole numbers"),
        (["kayles", "--sum", "5,x"], "is not a list of heaps"),
        (["kayles", "--to", "-1"], "--to must be at least 0, not -1"),
        (["kayles", "--to", 1 << 31], "is too large"),
        (["kayles", "--plot", "kayles.words"], "use .png, .svg or .pdf"),
        (["kayles", "--b-file", "none/b.txt"], "there is no folder"),
        ([], "GAME"),
    ],
    ids=str,
)
def test_mistakes_end_with_a_sentence(arguments, said):
    """Exit code 2, and a sentence that says what to write instead."""
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert said in refused.stderr
    assert refused.stdout == ""


def test_a_known_heap_game_is_called_by_its_name():
    """In the title, in the sentence on its period, and also where its code is given."""
    for game in ("kayles", "0.77"):
        title, _, period = run(game, "--period").stdout.splitlines()
        assert title == "Kayles"
        assert period.startswith("Kayles has period 12, ")
    assert run("0.16").stdout.startswith("Heap game 0.16\n")
    assert run("subtraction:1,2").stdout.startswith("Subtraction game, take 1, 2\n")
