"""Twelve games, solved by compiled rules: ``solve_games.py FOLDER [NAME...]``.

The files in the folder are the rules. Prints a line of JSON: the value and the number of positions
of each game, and how many functions were compiled. Needs nothing but Zermelo, so that it runs in an
environment without pytest.
"""

import importlib.util
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numba.core import event

import zermelo
from zermelo import limits

ZOO = Path(zermelo.__file__).parent / "games"


@dataclass(frozen=True)
class Sample:
    """A game of the zoo and an edit of its file.

    Attributes:
        path: the file.
        parameters: the game's parameters.
        old: a part of the file.
        new: what is edited into its place.
        result: the value and the number of positions, by the rules in plain Python.
        edited: the same after the edit.
    """

    path: str
    parameters: dict[str, Any]
    old: str
    new: str
    result: list[Any]
    edited: list[Any]


#: By the names of their classes; several methods of solving are among them.
SAMPLES = {
    "CanIWin": Sample(
        "puzzles/can_i_win.py",
        {"largest": 8, "total": 20},
        "total += place + 1",
        "total += place + 2",
        ["win in 5", 230],
        ["loss in 4", 193],
    ),
    "CatAndMouse": Sample(
        "pursuit/cat_and_mouse.py",
        {},
        "mouse: int = 1",
        "mouse: int = 3",
        ["endless draw", 60],
        ["loss in 4", 60],
    ),
    "Chomp": Sample(
        "numbers/chomp.py",
        {"rows": 3, "columns": 5},
        "range(row == 0, length)",
        "range(row < 2, length)",
        ["win in 11", 55],
        ["win in 9", 50],
    ),
    "Clobber": Sample(
        "blocking/clobber.py",
        {"rows": 3, "columns": 3},
        "if p.mine >> here & 1:",
        "if p.mine >> here & 1 and here != 4:",
        ["win in 5", 103],
        ["win in 7", 55],
    ),
    "ConnectFour": Sample(
        "lines/connect_four.py",
        {"width": 4},
        "length: int = 4",
        "length: int = 3",
        ["tie in 16", 161029],
        ["win in 9", 41750],
    ),
    "CopsAndRobbers": Sample(
        "pursuit/cops_and_robbers.py",
        {"cops": 2},
        '"dodecahedron"',
        '"petersen"',
        ["loss", 8611],
        ["loss", 1156],
    ),
    "Fanorona": Sample(
        "captures/fanorona.py",
        {"chain": False},
        "None if p.mine else LOSS",
        "None if p.mine & p.mine - 1 else LOSS",
        ["win in 9", 295],
        ["win in 5", 144],
    ),
    "Kalah": Sample(
        "sowing/kalah.py",
        {"pits": 2},
        "return sum(p.mine) - sum(p.theirs)",
        "return sum(p.theirs) - sum(p.mine)",
        ["score -2", 26],
        ["score +8", 26],
    ),
    "Notakto": Sample(
        "lines/notakto.py",
        {"boards": 1},
        "if not marked >> cell & 1:",
        "if not marked >> cell & 1 and cell != 4:",
        ["win in 6", 87],
        ["loss in 7", 48],
    ),
    "Quixo": Sample(
        "lines/quixo.py",
        {},
        "            return LOSS",
        "            return WIN",
        ["win in 7", 2219],
        ["endless draw", 2219],
    ),
    "StoneGame": Sample(
        "heaps/stone_game.py",
        {},
        "else row.right - 1]",
        "else row.right - 1] * 2",
        ["score +1", 14],
        ["score +2", 14],
    ),
    "Treblecross": Sample(
        "strips/treblecross.py",
        {},
        "crosses & crosses >> 1 & crosses >> 2",
        "crosses & crosses >> 2 & crosses >> 4",
        ["loss in 6", 1751],
        ["loss in 6", 1826],
    ),
}


def write(folder: Path, name: str, *, is_edited: bool = False) -> None:
    """Write the rules of a game to a folder, as they are in the zoo or edited."""
    sample = SAMPLES[name]
    text = (ZOO / sample.path).read_text(encoding="utf-8")
    assert sample.old in text, name
    if is_edited:
        text = text.replace(sample.old, sample.new)
    (folder / f"{name}.py").write_text(text, encoding="utf-8")


def solve(folder: Path, name: str) -> list[Any]:
    """Return the value and the number of positions of a game by its rules in a folder."""
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    solution = zermelo.solve(getattr(module, name)(**SAMPLES[name].parameters), threads=1)
    return [str(solution.value), len(solution)]


if __name__ == "__main__":
    with (
        limits.using(plain_seconds=0.0),
        event.install_listener("numba:compile", event.RecordingListener()) as recorder,
    ):
        games = {name: solve(Path(sys.argv[1]), name) for name in sys.argv[2:] or SAMPLES}
    json.dump({"games": games, "compiled": len(recorder.buffer)}, sys.stdout)
