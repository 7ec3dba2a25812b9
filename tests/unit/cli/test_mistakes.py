"""Easy mistakes: each is one sentence that helps, and exit code 2."""

from __future__ import annotations

import json

import pytest

from support.sizes import but

#: What was typed, and what the sentence has to say.
TYPED = {
    "command": ("slove", "there is no command 'slove'; did you mean solve"),
    "help-as-command": ("help solve", "no command 'help'; write zermelo --help, or --help after"),
    "game-as-command": ("tic-tac-toe", "for a game, write zermelo solve tic-tac-toe"),
    "file-as-command": ("mine.py:Mine", "for a game, write zermelo solve mine.py:Mine"),
    "strange-command": ("frobnicate", "there is no command 'frobnicate'; see zermelo --help"),
    "option-before-command": ("--widht solve", "there is no option --widht; see zermelo --help"),
    "option-of-a-command": ("--json games", "there is no option --json before the command; write"),
    "no-game": ("solve", "missing argument 'GAME'; see zermelo solve --help"),
    "not-json-default": ("solve nim --heaps 3,x", "write numbers with commas, such as 3,4,5"),
    "misspelt-game": ("solve tictactoe", "there is no game 'tictactoe'; did you mean tic-tac-toe"),
    "class-name": ("solve ConnectFour", "did you mean connect-four?"),
    "snake-case": ("solve cat_and_mouse", "did you mean cat-and-mouse?"),
    "number-of-other-rules": ("solve 1140", "'1140' is the game stone-game-front --most 2 --doubl"),
    "number-of-no-game": ("solve 375", "no game '375'; zermelo games leetcode lists those of"),
    "other-name": ("solve PredictTheWinner", "'PredictTheWinner' is the game stone-game; write"),
    "misspelt-other-name": ("solve predict-the-winer", "did you mean predict-the-winner?"),
    "part-of-a-name": ("check stone", "did you mean stone-game or stone-game-front?"),
    "strange-game": ("solve xiangqi", "zermelo games lists them"),
    "parameter-before-game": ("solve --width 4 connect-four", "put the game's options after GAME"),
    "misspelt-parameter": ("solve connect-four --widht 4", "did you mean --width"),
    "parameter-of-another-game": ("solve tic-tac-toe --width 4", "there is no option --width"),
    "parameter-of-other-rules": (
        "solve domineering --size 4",
        "there is no option --size; domineering has --rows, --columns, --first and --setup; see",
    ),
    "word": ("solve connect-four --width four", "'--width': 'four' is not a whole number"),
    "fraction": ("solve connect-four --width 4.5", "'--width': '4.5' is not a whole number"),
    "no-value": ("solve connect-four --width", "see zermelo solve connect-four --help"),
    "by-position": ("solve connect-four 4 4", "unexpected extra arguments (4 4)"),
    "out-of-range": ("solve connect-four --width 100", "width must be at most 63, not 100"),
    "past-64-bits": (f"solve take-away --stones {10**30}", "does not fit in 64 bits"),
    "thousands-of-digits": (f"solve take-away --stones {'9' * 5000}", "is not a whole number"),
    "negative": ("solve take-away --stones -3", "stones must be at least 0, not -3"),
    "required": (
        "solve arrays.py",
        "missing option '--rows'; write one such as --rows '[[1, 2], [3, 4]]'",
    ),
    "not-a-list": (
        "solve cat-and-mouse --graph 7",
        "'7' is not a list; write it as JSON in",
    ),
    "an-object": ('solve cat-and-mouse --graph {"0":1}', "is not a list; write one such as"),
    "missing-key": ('solve 913 --graph {"0":[1]}', "graph['0'] names 1, which is not a node; add"),
    "not-json": ("solve cat-and-mouse --graph [[2,5],[3", "is not JSON"),
    "unquoted": ("solve cat-and-mouse --graph [[1], [0]]", "write --graph '[[1], [0]]'"),
    "nested-too-deep": (f"solve stone-game --piles {'[' * 100_000}", "is not JSON"),
    "half-a-node": ("solve cat-and-mouse --graph [[1.5],[0]]", "it contains 1.5"),
    "not-a-number": ("solve stone-game --piles [1,NaN]", "it contains nan"),
    "infinite": ("solve stone-game --piles [1,1e999]", "it contains Infinity"),
    "missing-node": ("solve cat-and-mouse --graph [[1],[0],[5]]", "graph[2] names node 5"),
    "one-way": ("solve cat-and-mouse --graph [[1],[2],[1]]", "graph[1] does not name 0"),
    "named-nodes": ('solve cat-and-mouse --graph [["a"]]', "graph[0] names 'a'"),
    "flat-graph": ("solve cat-and-mouse --graph [1,2]", "graph[0] must be a list of neighbours"),
    "no-nodes": ("solve cat-and-mouse --graph []", "graph [] has no nodes"),
    "stuck-mouse": (
        "solve cat-and-mouse --graph [[1],[0],[]] --mouse 2 --cat 1",
        "mouse 2 starts on a node without neighbours",
    ),
    "cat-in-the-hole": ("solve cat-and-mouse --graph [[1],[0,2],[1]] --cat 0", "cat 0"),
    "no-piles": ("solve stone-game --piles []", "piles must hold at least one pile"),
    "strange-board": ("solve ellys-checkers --board x.o", "has a mark 'x'"),
    "no-file": ("solve cat-and-mouse --graph @nosuch.json", "cannot read 'nosuch.json'"),
    "folder-as-file": ("solve cat-and-mouse --graph @.", "cannot read '.'"),
    "no-file-named": ("solve cat-and-mouse --graph @", "there is no file name after the @"),
    "file-of-text": ("solve cat-and-mouse --graph @mine.py", "'mine.py' is not JSON"),
    "file-not-utf-8": ("solve ellys-checkers --board @binary.py", "it is not UTF-8 text"),
    "memory": ("solve tic-tac-toe --memory lots", "'lots' is not an amount"),
    "threads": ("solve tic-tac-toe --threads 0", "--threads must be at least 1, not 0"),
    "too-many-threads": (
        "solve tic-tac-toe --threads 1000000",
        "threads must be at most 4,096, not 1000000",
    ),
    "nested-position": (f"prove tic-tac-toe --position {'[' * 9999}", "is not 3 rows of 3 sq"),
    "rows-past-64-bits": (
        "solve arrays.py --rows [[1180591620717411303424]]",
        "64 bits",
    ),
    "no-such-host": (
        "explore tic-tac-toe --no-browser --host host.invalid",
        "cannot serve at host.invalid port 8765: ",
    ),
    "method": ("solve tic-tac-toe --method magic", "'magic' is not one of"),
    "wrong-method": ("solve tic-tac-toe --method score", "does not suit TicTacToe"),
    "horizon-alone": ("solve tic-tac-toe --horizon 4", "--horizon needs --method horizon"),
    "horizon": (
        "solve tic-tac-toe --method horizon --horizon -4",
        "--horizon must be at least 0, not -4",
    ),
    "no-author's-file": ("solve nosuch.py:Game", "cannot read 'nosuch.py'"),
    "folder-as-game": ("solve folder.py", "cannot read 'folder.py'"),
    "misspelt-file": ("solve mien.py", "No such file or directory; did you mean mine.py?"),
    "game-with-ending": ("solve tic_tac_toe.py", "did you mean tic-tac-toe?"),
    "class-of-a-file": ("solve Mine", "there is no game 'Mine'; did you mean mine.py?"),
    "forgotten-ending": ("solve mine", "there is no game 'mine'; did you mean mine.py?"),
    "no-module": ("solve nosuch.module:Game", "there is no module 'nosuch.module'"),
    "no-class": ("solve mine.py:mine", "mine.py has no class 'mine'; did you mean Mine?"),
    "not-a-class": (
        "solve mine.py:number",
        "number in mine.py is an int; a game is a class derived from zermelo.Game",
    ),
    "not-a-game": ("solve json:JSONEncoder", "JSONEncoder in json is not a game"),
    "game-itself": ("solve mine.py:Game", "Game in mine.py is Game itself"),
    "several-games": (
        "solve several.py",
        "several.py has the games One, Two; write several.py:One",
    ),
    "no-games": ("check empty.py", "empty.py has no class derived from Game"),
    "syntax": ("solve syntax.py", "syntax.py:2: SyntaxError: "),
    "syntax-in-a-module": ("solve syntax:Game", "syntax.py:2: SyntaxError: "),
    "syntax-further-on": ("solve imports.py", "syntax.py:2: SyntaxError: "),
    "raises": ("solve raises.py", "raises.py:3: ZeroDivisionError: division by zero"),
    "exits": ("solve exits.py", "exits.py:3: importing this ends the program"),
    "import": ("solve lacks.py", "lacks.py:1: ModuleNotFoundError: No module named 'nosuch'"),
    "binary": ("solve binary.py", "SyntaxError: "),
    "null": ("solve null.py", "Error: source code string cannot contain null"),
    "no-dataclass": ("solve broken.py:Bare", "write @dataclass(frozen=True) above the class"),
    "own-init": ("solve broken.py:Init", "missing a required argument: 'size'; parameters are"),
    "no-rules": ("solve broken.py:Ruleless", "Ruleless has no start()"),
    "start-raises": ("solve broken.py:Starts", "broken.py:22: AttributeError: "),
    "validate-raises": ("solve broken.py:Validates", "broken.py:27: KeyError: 'top'"),
    "name-raises": ("solve broken.py:Names", "broken.py:42: ZeroDivisionError: "),
    "no-self": ("solve broken.py:Selfless", "start() does not take what it is given; write start("),
    "name-of-nothing": ("solve broken.py:Unnamed", "name(self) does not take what it is given"),
    "one-player": ("solve broken.py:Alone", "players is ('me',); give the names of the two"),
    "starts-a-number": ("solve broken.py:Several", "Several.starts() returned 5; yield each"),
    "does-not-compile": ("solve broken.py:Sets", "broken.py:46: Sets.moves uses a set"),
    "ragged": ("solve arrays.py --rows [[1],[2,3]]", "its rows have different lengths"),
    "table-as-game": ("solve heap.table", "'heap.table' is a file, not a game; if it is a table"),
    "neither": ("probe mahjong", "there is no table and no game 'mahjong'"),
    "folder-as-table": ("verify folder.d", "'folder.d' cannot be read: Is a directory"),
    "long-name": (f"solve tic-tac-toe --table {'x' * 300}", "cannot be written: File name too"),
    "negative-position": ("probe tic-tac-toe -1", "'-1' is not 3 rows of 3 squares"),
    "gdl": (
        "solve chess.kif",
        "is in GDL, the language of General Game Playing, which Zermelo does not read; write its",
    ),
    "gdl-as-table": ("probe chess.gdl", "'chess.gdl' is in GDL, the language of General Game"),
    "prism-source": (
        "graph lift.prism",
        "'lift.prism' is the source of a model of PRISM; build it with prism lift.prism -exporttr",
    ),
    "prism-rewards": ("graph lift.trew", "of games on graphs only who reaches a target is solved"),
    "gambit": ("play poker.efg", "'poker.efg' is a game of Gambit, where moves may be hidden or"),
    "three-players": (
        "solve broken.py:Crowd",
        "players is ('a', 'b', 'c'); only games of two players are solved, so give the names",
    ),
    "third-player": (
        "solve broken.py:Third",
        "turn(2) returned 2; return 0 or 1, as only games of two players are solved",
    ),
    "device": ("solve tic-tac-toe --table /dev/null --force", "'/dev/null' is a device or a pipe"),
    "device-of-rows": ("export tic-tac-toe --csv /dev/null --force", "is a device or a pipe; give"),
    "extra": ("new tic all", "unexpected extra argument (all)"),
    "position-as-option": ("probe 913 --position x", "write the position alone, without --posi"),
    "game-before-agent": ("evaluate take-away random", "write the agent before the game"),
    "range": ("analyse take-away --stones 3-5", "not a number or a range; write 3..5"),
    "game-as-table": ("info tic-tac-toe", "a game; write zermelo solve tic-tac-toe --table"),
    "new": ("new", "missing argument 'NAME'; see zermelo new --help"),
}

FILES = {
    "arrays.py": """
import numpy as np
from dataclasses import dataclass
from numpy.typing import NDArray
from zermelo import Game

@dataclass(frozen=True)
class Arrays(Game):
    rows: NDArray[np.int64]
""",
    "broken.py": """
from dataclasses import dataclass
from zermelo import Game

class Bare(Game):
    top: int = 3

class Init(Game):
    def __init__(self, size):
        self.size = size

class Ruleless(Game):
    pass

class Rules(Game):
    def start(self): return 3
    def moves(self, n): return range(min(n, 1))
    def play(self, n, move): return n - 1

class Starts(Rules):
    def start(self):
        return self.top

@dataclass(frozen=True)
class Validates(Rules):
    def validate(self):
        raise KeyError("top")

class Names(Game):
    def start(self):
        return 2

    def moves(self, n):
        if n > 0:
            yield 1

    def play(self, n, move):
        return n - move

    def name(self, move):
        \"\"\"Divide.\"\"\"
        return 1 / 0

class Sets(Names):
    def moves(self, n):
        yield len({1, n})

class Selfless(Rules):
    def start():
        return 2

class Unnamed(Names):
    def name(self):
        return "one"

class Alone(Names):
    players = ("me",)

class Crowd(Names):
    players = ("a", "b", "c")

class Third(Rules):
    def start(self):
        return 2

    def turn(self, n):
        return n

class Several(Rules):
    def starts(self):
        return 5
""",
    "empty.py": "x = 1\n",
    "exits.py": "import sys\n\nsys.exit(0)\n",
    "heap.table": "",
    "imports.py": "import syntax\n",
    "lacks.py": "import nosuch\n",
    "mine.py": "from zermelo import Game\n\nnumber = 3\n\nclass Mine(Game):\n    pass\n",
    "null.py": "x = 1\0\n",
    "raises.py": "import math\n\nx = 1 / 0\n",
    "several.py": "from zermelo import Game\nclass One(Game): pass\nclass Two(Game): pass\n",
    "syntax.py": "x = 1\ndef f(:\n",
}


@pytest.fixture
def files(folder):
    """A current folder with the files that are named in TYPED."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "binary.py").write_bytes(b"\xff\xfe bad")
    for name in ("folder.py", "folder.d", "tic-tac-toe"):  # the last one hides no game
        (folder / name).mkdir()


@pytest.mark.parametrize("mistake", but(TYPED, "does-not-compile"))
def test_a_mistake_is_one_sentence(run, files, mistake):
    """Nothing is written to standard output, and one line, without a traceback, says what to do."""
    typed, says = TYPED[mistake]
    result = run(*typed.split(" "))
    assert says in result.stderr
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    assert "Errno" not in result.stderr


def test_a_sentence_stays_on_its_line(run, folder):
    """A message of several lines is put on one."""
    (folder / "lines.py").write_text("raise ValueError('one\\ntwo\\n\\nthree')\n")
    result = run("solve", "lines.py")
    assert result.stderr == "error: lines.py:1: ValueError: one two  three\n"


def test_a_file_that_cannot_be_read_at_all(run, folder):
    """A path that no system takes is a sentence too."""
    result = run("solve", "stone-game", "--piles", "@nul\0l")
    assert result.exit_code == 2
    assert "cannot read 'nul\\x00l'" in result.stderr


def test_json_mistakes_say_where(run, folder):
    """A file with bad JSON is told with the line and the column."""
    (folder / "graph.json").write_text("[[1],\n [0}]\n")
    result = run("solve", "cat-and-mouse", "--graph", "@graph.json")
    assert "'graph.json' is not JSON" in result.stderr
    assert "line 2 column 4" in result.stderr


def test_a_text_parameter_takes_anything(run, folder):
    """Text is taken as it stands, and ``@@`` writes an @ at its beginning."""
    result = run("solve", "ellys-checkers", "--board", "@@7")
    assert "board '@7' has a mark '@'" in result.stderr
    (folder / "board.json").write_text(json.dumps(".o.o"))
    assert run("solve", "ellys-checkers", "--board", "@board.json", "--quiet").exit_code == 0
