"""The zoo: games that come with Zermelo, one short file each, rules first and drawing last."""

from __future__ import annotations

import re

from zermelo.game.contract import Game
from zermelo.games.chess.chess_ending import ChessEnding
from zermelo.games.heaps.stone_game import StoneGame
from zermelo.games.heaps.stone_game_winner import StoneGameWinner
from zermelo.games.heaps.take_away import TakeAway
from zermelo.games.lines.connect_four import ConnectFour
from zermelo.games.lines.quixo import Quixo
from zermelo.games.lines.tic_tac_toe import TicTacToe
from zermelo.games.pursuit.cat_and_mouse import CatAndMouse
from zermelo.games.pursuit.cat_and_mouse_grid import CatAndMouseGrid
from zermelo.games.sowing.awari import Awari, Oware
from zermelo.games.sowing.kalah import Kalah
from zermelo.games.strips.ellys_checkers import EllysCheckers
from zermelo.games.territory.dots_and_boxes import DotsAndBoxes
from zermelo.games.territory.go import Go
from zermelo.games.territory.othello import Othello

__all__ = [
    "Awari",
    "CatAndMouse",
    "CatAndMouseGrid",
    "ChessEnding",
    "ConnectFour",
    "DotsAndBoxes",
    "EllysCheckers",
    "Go",
    "Kalah",
    "Othello",
    "Oware",
    "Quixo",
    "StoneGame",
    "StoneGameWinner",
    "TakeAway",
    "TicTacToe",
    "zoo",
]

_GAMES: tuple[type[Game], ...] = (
    Awari,
    CatAndMouse,
    CatAndMouseGrid,
    ChessEnding,
    ConnectFour,
    DotsAndBoxes,
    EllysCheckers,
    Go,
    Kalah,
    Othello,
    Oware,
    Quixo,
    StoneGame,
    StoneGameWinner,
    TakeAway,
    TicTacToe,
)


def zoo() -> dict[str, type[Game]]:
    """Return every game of the zoo by its name on the command line, in alphabetical order.

    >>> sorted(zoo())[:2]
    ['awari', 'cat-and-mouse']
    """
    return {hyphenated(kind.__name__): kind for kind in _GAMES}


def hyphenated(name: str) -> str:
    """Return a class's name as it is written on the command line.

    >>> hyphenated("CatAndMouse")
    'cat-and-mouse'
    """
    return re.sub(r"(?<=.)(?=[A-Z])", "-", name).lower()
