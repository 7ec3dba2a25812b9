"""The zoo: games that come with Zermelo, one short file each, rules first and drawing last."""

from __future__ import annotations

from zermelo.games.cat_and_mouse import CatAndMouse
from zermelo.games.chess_ending import ChessEnding
from zermelo.games.connect_four import ConnectFour
from zermelo.games.ellys_checkers import EllysCheckers
from zermelo.games.quixo import Quixo
from zermelo.games.registry import zoo
from zermelo.games.stone_game import StoneGame
from zermelo.games.stone_game_winner import StoneGameWinner
from zermelo.games.take_away import TakeAway
from zermelo.games.tic_tac_toe import TicTacToe

__all__ = [
    "CatAndMouse",
    "ChessEnding",
    "ConnectFour",
    "EllysCheckers",
    "Quixo",
    "StoneGame",
    "StoneGameWinner",
    "TakeAway",
    "TicTacToe",
    "zoo",
]
