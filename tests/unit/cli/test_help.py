"""Help pages, and the examples in them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

import zermelo
from support.sizes import but
from zermelo.cli import main
from zermelo.games import zoo
from zermelo.web.server import Site

COMMANDS = sorted(main.catalogue)
PAGES = Path(__file__).parents[3] / "docs" / "games"

#: Files that the examples of a command are about.
FILES = {
    "evaluate": {
        "mymodule.py": b"from zermelo.games import TicTacToe\n\n\n"
        b"def agent(board):\n    return next(iter(TicTacToe().moves(board)))\n"
    },
    "cops": {"graphs.g6": b"Bw\nC]\n"},
    "graph": {
        "game.gm": b"0 1 0 1; 1 1 1 0,2; 2 2 0 2;",
        "parity.gm": b"0 2 0 1; 1 1 1 0;",
        "model.tra": b"2:2 2 2\n0:0 0 1 1\n1:1 0 0 1\n",
        "model.lab": b'0="init" 1="goal"\n0: 0\n1: 1\n',
    },
}


def examples(help_page):
    """Return the command lines that a help page shows as examples, as words after ``zermelo``."""
    _, _, end = help_page.partition("\n  Example")
    lines = [line.strip() for line in end.splitlines()[1:] if line.strip()]
    assert lines
    assert all(line.startswith("zermelo ") for line in lines)
    return [shlex.split(line)[1:] for line in lines]


def test_the_commands_are_these():
    """There are the commands that do something, and no others."""
    known = "analyse check cluster completion cops evaluate explain explore export games graph"
    known += " heaps info new play probe prove readers solve tables uci value verify"
    assert known.split() == COMMANDS


def test_the_first_page_lists_every_command(run):
    """``zermelo`` alone shows each command with a whole sentence on what it is for."""
    result = run()
    assert result.exit_code == 0
    assert result.stdout == run("--help").stdout
    for name, (_, sentence) in main.catalogue.items():
        assert sentence.endswith(".")
        assert f"  {name:{max(map(len, COMMANDS))}}  {sentence}\n" in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_page_says_of_a_command_what_its_own_help_does(name):
    """The sentence in the catalogue is the first line of the command's docstring."""
    command = main.get_command(click.Context(main), name)
    assert command.name == name
    assert command.help.partition("\n")[0] == main.catalogue[name][1]


def test_the_version_is_told(run):
    """``--version`` says what is installed."""
    assert run("--version").stdout == f"zermelo {zermelo.__version__}\n"


def test_short_options(run):
    """``-h`` and ``-V`` are what they are elsewhere, and every command has ``-h``."""
    assert run("-h").stdout == run("--help").stdout
    assert run("-V").stdout == run("--version").stdout
    assert run("solve", "-h").stdout == run("solve", "--help").stdout
    assert run("solve", "tic-tac-toe", "-h").stdout == run("solve", "tic-tac-toe", "--help").stdout


def test_another_spelling_of_a_command(run):
    """``analyze`` is ``analyse``, and is not listed twice."""
    assert run("analyze", "take-away", "--stones", 3, "--quiet").exit_code == 0
    assert "analyze" not in run().stdout


def test_probe_names_the_position_in_its_usage(run):
    """Whoever reads how to call it sees that a position goes there, and where."""
    usage = "Usage: zermelo probe TABLE_OR_GAME [PARAMETERS OF THE GAME] [POSITION] "
    assert run("probe", "--help").stdout.startswith(usage)
    usage = "Usage: zermelo probe tic-tac-toe [POSITION] [OPTIONS]\n"
    assert run("probe", "tic-tac-toe", "--help").stdout.startswith(usage)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name):
    """No option of a command is without help, and each can write JSON and be quiet."""
    command = main.get_command(click.Context(main), name)
    options = [p for p in command.params if isinstance(p, click.Option)]
    assert all(option.help and option.help.endswith(".") for option in options)
    if name in ("completion", "uci"):  # which write a script for a shell, and speak to a program
        return
    assert {"--json", "--quiet"} <= {flag for option in options for flag in option.opts}


@pytest.mark.parametrize("name", but(COMMANDS, *(set(COMMANDS) - {"probe"})))
def test_the_examples_of_a_command_work(run, folder, name, monkeypatch):
    """Each example that a command's help shows can be typed as it stands."""
    monkeypatch.setattr(Site, "serve", lambda site, solver: site.close())
    monkeypatch.setattr(Site, "open_browser", lambda site: None)
    for file, text in FILES.get(name, {}).items():
        (folder / file).write_bytes(text)
    for words in examples(run(name, "--help").stdout):
        assert words[0] in (name, "solve")  # a table has to be made first
        result = run(*words)
        assert (result.exit_code, result.stderr) == (0, "")
        for path in folder.iterdir():  # `new` does not write to the same file twice
            if path.suffix == ".py" and path.name not in FILES.get(name, {}):
                path.unlink()


@pytest.mark.parametrize("name", sorted(zoo()))
def test_a_games_own_help(run, name):
    """With a game, help shows what the game is, its parameters, and an example."""
    page = run("solve", name, "--help").stdout
    kind = zoo()[name]
    assert " ".join(kind.__doc__.partition("\n")[0].split()) in " ".join(page.split())
    for field in zermelo.game.contract.parameter_names(kind.__new__(kind)):
        assert f"\n  --{field.replace('_', '-')} " in page
    (words,) = examples(page)
    assert words[:2] == ["solve", name]


@pytest.mark.parametrize(
    "each",
    [
        pytest.param(12, id="some", marks=pytest.mark.slow),
        pytest.param(1, id="all", marks=pytest.mark.huge),
    ],
)
def test_the_example_in_a_games_help_works(run, each):
    """It is on the page of the game, whose blocks are run, or can be typed as it stands."""
    for name in sorted(zoo())[::each]:
        (words,) = examples(run("solve", name, "--help").stdout)
        (page,) = PAGES.glob(f"*/{name}.md")
        shown = re.findall(r"^\$ zermelo (solve [^|>\n]*)$", page.read_text("utf-8"), re.MULTILINE)
        if words not in map(shlex.split, shown):
            result = run(*words, "--quiet")
            assert (result.exit_code, result.stderr) == (0, "")


def test_required_parameters_stand_in_the_usage(run, countdown):
    """What has to be given is seen at once, and what need not be has its default."""
    countdown.write_text(countdown.read_text().replace("top: int = 5", "top: int"))
    page = run("solve", "countdown.py", "--help").stdout
    assert page.startswith("Usage: zermelo solve countdown.py:Countdown --top INTEGER [OPTIONS]\n")
    assert "[required]" in page
    page = run("solve", "cat-and-mouse", "--help").stdout
    assert "[default: 2]" in page
    assert "--directed / --no-directed" in page


def test_the_help_of_an_authors_game(run, countdown):
    """A class in a file has help of its own, from its docstring and fields."""
    page = run("solve", "countdown.py", "--help").stdout
    assert "Two players count down by one or two, and who cannot loses." in page
    assert "--top INTEGER  where they begin, which may be zero  [default: 5]" in page
    assert examples(page) == [["solve", "countdown.py:Countdown"]]
