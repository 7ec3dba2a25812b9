"""What messages say to write instead: each remedy is tried, with the words that a shell makes."""

from __future__ import annotations

import shlex
import shutil
import subprocess

import pytest

from zermelo.cli.arguments.json_text import correct_json
from zermelo.cli.arguments.parameters import read_value
from zermelo.cli.commands.asking.probe import probe
from zermelo.cli.errors import stop_for
from zermelo.rules.hooks import Rules

#: What a command line has in place of {}, what the message says to write there, and the command.
REMEDIES = {
    "number-with-parameters": ("1140", "stone-game-front --most 2 --doubling", "{}"),
    "other-name": ("predict-the-winer", "predict-the-winner", "{}"),
    "spelling": ("CatAndMouse", "cat-and-mouse", "{}"),
    "missing-bracket": ("'[[1],[0,2],[1]'", "'[[1],[0,2],[1]]'", "913 --graph {}"),
    "missing-brackets": ("'[[1],[0,2],[1'", "'[[1],[0,2],[1]]'", "913 --graph {}"),
    "missing-bracket-inside": ("'[[1],[0,2,[1]]'", "'[[1], [0, 2], [1]]'", "913 --graph {}"),
    "extra-bracket": ("'[[1],[0,2],[1]]]'", "'[[1],[0,2],[1]]'", "913 --graph {}"),
    "missing-commas": ("'[[1] [0 2] [1]]'", "'[[1],[0,2],[1]]'", "913 --graph {}"),
    "tuples": ("'[(1,), (0, 2), (1,)]'", "'[[1], [0, 2], [1]]'", "913 --graph {}"),
    "keys": (
        "'{0:[1],1:[0,2],2:[1]}'",
        """'{"0": [1], "1": [0, 2], "2": [1]}'""",
        "913 --graph {}",
    ),
    "no-list": ("7", "'[[1], [0, 2], [1]]'", "913 --graph {}"),
    "spaces": (
        *("--graph [[1], [0, 2], [1]]", "--graph '[[1], [0, 2], [1]]'"),
        "913 {}",
    ),
    "quotes-taken": ('["M.F","C.."]', """'["M.F","C.."]'""", "1728 --grid {}"),
    "quotes-of-python": ("\"['M.F','C..']\"", """'["M.F", "C.."]'""", "1728 --grid {}"),
    "texts": ("a1", """'["a1", "b2"]'""", """amazons --first {} --second '["a2", "b1"]'"""),
    "numbers": ("--piles 5 3 4 5", "--piles 5,3,4,5", "stone-game {}"),
    "negative-numbers": ("--piles 5 -3 4 -5", "--piles 5,-3,4,-5", "stone-game {}"),
    "numbers-with-equals": ("--piles=5 3 4 5", "--piles 5,3,4,5", "stone-game {}"),
    "numbers-with-commas": ("--piles 5, 3, 4", "--piles '5, 3, 4'", "stone-game {}"),
    "numbers-in-brackets": ("--piles [5 3 4]", "--piles '[5,3,4]'", "stone-game {}"),
    "numbers-in-quotes": ("'5 3 4 5'", "5,3,4,5", "stone-game --piles {}"),
    "numbers-with-semicolons": ("'5;3;4'", "5,3,4", "stone-game --piles {}"),
    "no-numbers": ("many", "5,3,4,5", "stone-game --piles {}"),
    "empty-list": ("[]", "'[5, 3]'", "stone-game --piles {}"),
    "object-for-numbers": ("'{\"a\":[1]}'", "'[3, 4, 5]'", "nim --heaps {}"),
    "two-heaps": ("3", "'[8, 13]'", "wythoff --heaps {}"),
    "word-for-a-number": ("four", "5", "connect-four --width {}"),
    "fraction": ("2.5", "21", "take-away --stones {}"),
    "named-graph": ("--graph grid 3 4", "--graph 'grid 3 4'", "cops-and-robbers {}"),
    "rows-for-a-name": ("3", "'[[1], [0, 2], [1]]'", "node-kayles --graph {}"),
    "flag-with-a-value": ("--directed true", "--directed", "913 {}"),
    "flag-turned-off": ("--directed no", "--no-directed", "913 {}"),
    "one-way": ("", "--directed", "913 --graph '[[1,2],[0],[]]' {}"),
    "position-with-spaces": ("X.. / .O. / ...", "'X.. / .O. / ...'", "tic-tac-toe {}"),
    "position": ("x", "'mouse 1, cat 2, mouse to move'", "913 {}"),
    "heap": ("x", "'7'", "take-away {}"),
    "heaps": ("x", "'3 + 4 + 5'", "nim {}"),
    "board": ("x", "'+  +  + /  / +  +  + /  / +  +  + / first to move'", "dots-and-boxes {}"),
    "part-of-a-sum": ("--heaps 3 4", "--heaps 3,4", "'nim {} + take-away' '3 4 + 5'"),
}


def words_of(line):
    """Return the words of a command line, as a real shell splits it where there is one."""
    shell = shutil.which("bash")
    if shell is None:
        return shlex.split(line)
    printed = subprocess.run(
        [shell, "-c", f"printf '%s\\0' {line}"], check=True, capture_output=True
    )
    return printed.stdout.decode().split("\0")[:-1]


def made(line):
    """Return the game and the position of a command line, or the message that ends the command."""
    words = words_of(line)
    context = probe.context_class(probe, info_name="zermelo probe")
    try:
        probe.parse_args(context, words)
        game, position = context.params["game"], context.params["position"]
        if position is not None and hasattr(game, "game"):
            position = Rules(game.game).parse(position)
    except Exception as error:
        stop = stop_for(error, context)
        if stop is None:
            raise
        return stop.message
    return game, position


@pytest.mark.parametrize(("typed", "remedy", "line"), REMEDIES.values(), ids=REMEDIES)
def test_a_remedy_works(typed, remedy, line):
    """It stands in the message word for word, and a command with it makes the game."""
    message = made(line.format(typed))
    assert isinstance(message, str)
    assert remedy in message
    assert not isinstance(made(line.format(remedy)), str)


@pytest.mark.parametrize(
    ("kind", "text", "example", "says"),
    [
        ("list", "5 3 4 5", "[5, 3]", "put commas between its numbers: 5,3,4,5"),
        ("list", "x", "[5, 3]", "write numbers with commas, such as 5,3"),
        ("list", "[[1],[0]", "[[1], [0]]", "write [[1],[0]]"),
        ("list", "[[1],x]", "[[1], [0]]", "write it as JSON, such as [[1], [0]]"),
        ("list", '{"a": 1}', "[[1], [0]]", "write one such as [[1], [0]]"),
    ],
)
def test_a_form_asks_for_no_quotes(kind, text, example, says):
    """Where no shell reads a list, quotation marks around it would be wrong."""
    with pytest.raises(ValueError, match=r"is not (a list|JSON)") as caught:
        read_value(kind, text, example, shell=False)
    assert str(caught.value).endswith(f"; {says}")


@pytest.mark.parametrize("text", ["[1, {2}]", "[[1],", '["a]', "[[1, [2]]", "[" * 5000, "{[}]"])
def test_what_could_mean_anything_is_not_corrected(text):
    """Then there is an example instead."""
    assert correct_json(text) is None


def test_a_long_list_is_told_what_to_add():
    """It is too long to be written again."""
    with pytest.raises(ValueError, match=r"; add \] at its end$"):
        read_value("list", str([[n] for n in range(100)])[:-1])


@pytest.mark.parametrize(
    ("typed", "remedy"),
    [
        ("'two games.py'", "'two games.py:One'"),
        ("'one game'", "'one game.py'"),
        ("OneGame", "one_game.py"),
        ("one_gaem.py", "one_game.py"),
    ],
)
def test_a_path_is_quoted_where_a_shell_would_split_it(folder, typed, remedy):
    """A file of several games, a forgotten ending, a class for its file, and a misspelt file."""
    game = "class {}(Game):\n    def start(self): return 3\n"
    for name, kinds in (("two games", ("One", "Two")), ("one game", ["A"]), ("one_game", ["A"])):
        text = "from zermelo import Game\n" + "".join(map(game.format, kinds))
        (folder / f"{name}.py").write_text(text)
    if typed == "OneGame":
        (folder / "one game.py").unlink()
    message = made(typed)
    assert isinstance(message, str)
    assert remedy in message
    assert not isinstance(made(remedy), str)
