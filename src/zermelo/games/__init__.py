"""The zoo: games that come with Zermelo, one short file each, rules first and drawing last.

Each folder is a kind of game, and each file a game: ``lines/connect_four.py`` is ``ConnectFour``,
and ``connect-four`` on the command line. A file is read when its game is first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from sys import modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers; at run time, __getattr__ imports the files
    from zermelo.game.contract import Game
    from zermelo.games.blocking.amazons import Amazons as Amazons
    from zermelo.games.blocking.clobber import Clobber as Clobber
    from zermelo.games.blocking.col import Col as Col
    from zermelo.games.blocking.cram import Cram as Cram
    from zermelo.games.blocking.cutcake import Cutcake as Cutcake
    from zermelo.games.blocking.domineering import Domineering as Domineering
    from zermelo.games.blocking.isola import Isola as Isola
    from zermelo.games.blocking.konane import Konane as Konane
    from zermelo.games.blocking.snort import Snort as Snort
    from zermelo.games.captures.abalone import Abalone as Abalone
    from zermelo.games.captures.fanorona import Fanorona as Fanorona
    from zermelo.games.chess.chess_ending import ChessEnding as ChessEnding
    from zermelo.games.chess.chess_problem import ChessProblem as ChessProblem
    from zermelo.games.chess.dobutsu_shogi import DobutsuShogi as DobutsuShogi
    from zermelo.games.chess.one_dimensional_chess import OneDimensionalChess as OneDimensionalChess
    from zermelo.games.chess.racing_kings import RacingKings as RacingKings
    from zermelo.games.chess.tic_tac_chec import TicTacChec as TicTacChec
    from zermelo.games.connection.bridg_it import BridgIt as BridgIt
    from zermelo.games.connection.hex import Hex as Hex
    from zermelo.games.connection.shannon_switching import ShannonSwitching as ShannonSwitching
    from zermelo.games.connection.y import Y as Y
    from zermelo.games.dice.backgammon_bear_off import BackgammonBearOff as BackgammonBearOff
    from zermelo.games.dice.einstein_wuerfelt_nicht import (
        EinsteinWuerfeltNicht as EinsteinWuerfeltNicht,
    )
    from zermelo.games.dice.hog import Hog as Hog
    from zermelo.games.dice.pig import Pig as Pig
    from zermelo.games.dice.royal_game_of_ur import RoyalGameOfUr as RoyalGameOfUr
    from zermelo.games.graphs.cat_herding import CatHerding as CatHerding
    from zermelo.games.graphs.hackenbush import Hackenbush as Hackenbush
    from zermelo.games.graphs.node_kayles import NodeKayles as NodeKayles
    from zermelo.games.graphs.queens_game import QueensGame as QueensGame
    from zermelo.games.graphs.sim import Sim as Sim
    from zermelo.games.graphs.sprouts import Sprouts as Sprouts
    from zermelo.games.graphs.vertex_geography import VertexGeography as VertexGeography
    from zermelo.games.heaps.dawsons_chess import DawsonsChess as DawsonsChess
    from zermelo.games.heaps.grundys_game import GrundysGame as GrundysGame
    from zermelo.games.heaps.kayles import Kayles as Kayles
    from zermelo.games.heaps.laskers_nim import LaskersNim as LaskersNim
    from zermelo.games.heaps.moore_nim import MooreNim as MooreNim
    from zermelo.games.heaps.nim import Nim as Nim
    from zermelo.games.heaps.octal_game import OctalGame as OctalGame
    from zermelo.games.heaps.staircase_nim import StaircaseNim as StaircaseNim
    from zermelo.games.heaps.stone_game import StoneGame as StoneGame
    from zermelo.games.heaps.stone_game_winner import StoneGameWinner as StoneGameWinner
    from zermelo.games.heaps.subtraction_game import SubtractionGame as SubtractionGame
    from zermelo.games.heaps.take_away import TakeAway as TakeAway
    from zermelo.games.heaps.wythoff import Wythoff as Wythoff
    from zermelo.games.hunts.asalto import Asalto as Asalto
    from zermelo.games.hunts.bagh_chal import BaghChal as BaghChal
    from zermelo.games.hunts.fox_and_hounds import FoxAndHounds as FoxAndHounds
    from zermelo.games.hunts.hare_and_hounds import HareAndHounds as HareAndHounds
    from zermelo.games.hunts.kaooa import Kaooa as Kaooa
    from zermelo.games.hunts.three_musketeers import ThreeMusketeers as ThreeMusketeers
    from zermelo.games.lines.connect_four import ConnectFour as ConnectFour
    from zermelo.games.lines.infinite_tic_tac_toe import InfiniteTicTacToe as InfiniteTicTacToe
    from zermelo.games.lines.m_n_k import MNK as MNK
    from zermelo.games.lines.maker_breaker import MakerBreaker as MakerBreaker
    from zermelo.games.lines.notakto import Notakto as Notakto
    from zermelo.games.lines.nu_tic_tac_toe import NuTicTacToe as NuTicTacToe
    from zermelo.games.lines.order_and_chaos import OrderAndChaos as OrderAndChaos
    from zermelo.games.lines.polyomino_achievement import (
        PolyominoAchievement as PolyominoAchievement,
    )
    from zermelo.games.lines.qubic import Qubic as Qubic
    from zermelo.games.lines.quixo import Quixo as Quixo
    from zermelo.games.lines.shift_tac_toe import ShiftTacToe as ShiftTacToe
    from zermelo.games.lines.tic_tac_toe import TicTacToe as TicTacToe
    from zermelo.games.lines.wild_tic_tac_toe import WildTicTacToe as WildTicTacToe
    from zermelo.games.luck.cant_stop import CantStop as CantStop
    from zermelo.games.luck.snakes_and_ladders import SnakesAndLadders as SnakesAndLadders
    from zermelo.games.luck.two_thousand_forty_eight import (
        TwoThousandFortyEight as TwoThousandFortyEight,
    )
    from zermelo.games.morris.achi import Achi as Achi
    from zermelo.games.morris.dao import Dao as Dao
    from zermelo.games.morris.neutreeko import Neutreeko as Neutreeko
    from zermelo.games.morris.nine_holes import NineHoles as NineHoles
    from zermelo.games.morris.nine_mens_morris import NineMensMorris as NineMensMorris
    from zermelo.games.morris.picaria import Picaria as Picaria
    from zermelo.games.morris.seega import Seega as Seega
    from zermelo.games.morris.shisima import Shisima as Shisima
    from zermelo.games.morris.six_mens_morris import SixMensMorris as SixMensMorris
    from zermelo.games.morris.tant_fant import TantFant as TantFant
    from zermelo.games.morris.teeko import Teeko as Teeko
    from zermelo.games.morris.three_mens_morris import ThreeMensMorris as ThreeMensMorris
    from zermelo.games.morris.tsoro_yematatu import TsoroYematatu as TsoroYematatu
    from zermelo.games.numbers.chomp import Chomp as Chomp
    from zermelo.games.numbers.euclid import Euclid as Euclid
    from zermelo.games.numbers.fibonacci_nim import FibonacciNim as FibonacciNim
    from zermelo.games.numbers.juniper_green import JuniperGreen as JuniperGreen
    from zermelo.games.numbers.mark import Mark as Mark
    from zermelo.games.numbers.odd_or_even import OddOrEven as OddOrEven
    from zermelo.games.numbers.partizan_euclid import PartizanEuclid as PartizanEuclid
    from zermelo.games.numbers.put_or_take_a_square import PutOrTakeASquare as PutOrTakeASquare
    from zermelo.games.numbers.subtract_a_square import SubtractASquare as SubtractASquare
    from zermelo.games.numbers.take_a_sum import TakeASum as TakeASum
    from zermelo.games.pieces.gobblet_gobblers import GobbletGobblers as GobbletGobblers
    from zermelo.games.pieces.pylos import Pylos as Pylos
    from zermelo.games.pieces.quarto import Quarto as Quarto
    from zermelo.games.pieces.tak import Tak as Tak
    from zermelo.games.pieces.ultimate_tic_tac_toe import UltimateTicTacToe as UltimateTicTacToe
    from zermelo.games.pursuit.cat_and_mouse import CatAndMouse as CatAndMouse
    from zermelo.games.pursuit.cat_and_mouse_grid import CatAndMouseGrid as CatAndMouseGrid
    from zermelo.games.pursuit.cops_and_robbers import CopsAndRobbers as CopsAndRobbers
    from zermelo.games.puzzles.can_i_win import CanIWin as CanIWin
    from zermelo.games.puzzles.chalkboard_xor import ChalkboardXor as ChalkboardXor
    from zermelo.games.puzzles.coin_game import CoinGame as CoinGame
    from zermelo.games.puzzles.divisor_game import DivisorGame as DivisorGame
    from zermelo.games.puzzles.fibonacci_tree import FibonacciTree as FibonacciTree
    from zermelo.games.puzzles.flip_game import FlipGame as FlipGame
    from zermelo.games.puzzles.removed_pieces import RemovedPieces as RemovedPieces
    from zermelo.games.puzzles.stone_game_front import StoneGameFront as StoneGameFront
    from zermelo.games.puzzles.stone_game_rest import StoneGameRest as StoneGameRest
    from zermelo.games.puzzles.vowels_game import VowelsGame as VowelsGame
    from zermelo.games.races.breakthrough import Breakthrough as Breakthrough
    from zermelo.games.races.hexapawn import Hexapawn as Hexapawn
    from zermelo.games.races.quoridor import Quoridor as Quoridor
    from zermelo.games.random_turns.random_turn_hex import RandomTurnHex as RandomTurnHex
    from zermelo.games.random_turns.random_turn_tic_tac_toe import (
        RandomTurnTicTacToe as RandomTurnTicTacToe,
    )
    from zermelo.games.random_turns.random_turn_y import RandomTurnY as RandomTurnY
    from zermelo.games.shifting.bobail import Bobail as Bobail
    from zermelo.games.shifting.change import Change as Change
    from zermelo.games.shifting.chopsticks import Chopsticks as Chopsticks
    from zermelo.games.shifting.dodgem import Dodgem as Dodgem
    from zermelo.games.shifting.ho_bag_gonu import HoBagGonu as HoBagGonu
    from zermelo.games.shifting.joust import Joust as Joust
    from zermelo.games.shifting.l_game import LGame as LGame
    from zermelo.games.shifting.mu_torere import MuTorere as MuTorere
    from zermelo.games.shifting.pong_hau_ki import PongHauKi as PongHauKi
    from zermelo.games.shifting.snake import Snake as Snake
    from zermelo.games.shifting.three_spot import ThreeSpot as ThreeSpot
    from zermelo.games.sowing.awari import Awari as Awari
    from zermelo.games.sowing.kalah import Kalah as Kalah
    from zermelo.games.sowing.oware import Oware as Oware
    from zermelo.games.sowing.tchoukaillon import Tchoukaillon as Tchoukaillon
    from zermelo.games.strips.coin_turning import CoinTurning as CoinTurning
    from zermelo.games.strips.ellys_checkers import EllysCheckers as EllysCheckers
    from zermelo.games.strips.northcott import Northcott as Northcott
    from zermelo.games.strips.silver_dollar import SilverDollar as SilverDollar
    from zermelo.games.strips.tac_tix import TacTix as TacTix
    from zermelo.games.strips.toads_and_frogs import ToadsAndFrogs as ToadsAndFrogs
    from zermelo.games.strips.treblecross import Treblecross as Treblecross
    from zermelo.games.territory.atari_go import AtariGo as AtariGo
    from zermelo.games.territory.dots_and_boxes import DotsAndBoxes as DotsAndBoxes
    from zermelo.games.territory.go import Go as Go
    from zermelo.games.territory.nogo import Nogo as Nogo
    from zermelo.games.territory.othello import Othello as Othello


class Zoo(Mapping[str, "type[Game]"]):
    """Every game of the zoo by its name on the command line, in alphabetical order."""

    def __getitem__(self, name: str) -> type[Game]:
        """Return the class of a game, and read its file.

        Raises:
            KeyError: there is no game of this name.
        """
        kind, file = _places()[name]
        module = import_module(f"{__name__}.{kind}.{file}")
        game: type[Game] = getattr(module, camel(name))
        return game

    def __iter__(self) -> Iterator[str]:
        """Yield each name; no file is read."""
        return iter(_places())

    def __len__(self) -> int:
        """Return the number of games."""
        return len(_places())

    def __repr__(self) -> str:
        """Return the number of games; a list of them would fill a page."""
        return f"<{len(self)} games; zermelo games lists them>"

    def kind(self, name: str) -> str:
        """Return the kind of a game in a few words: the first line of its folder's docstring."""
        folder = import_module(f"{__name__}.{_places()[name][0]}")
        return (folder.__doc__ or "").partition("\n")[0]


def zoo() -> Zoo:
    """Return every game of the zoo by its name on the command line, in alphabetical order.

    >>> sorted(zoo())[:2]
    ['awari', 'cat-and-mouse']
    """
    return Zoo()


def hyphenated(name: str) -> str:
    """Return the command line's name of a class.

    >>> hyphenated("CatAndMouse")
    'cat-and-mouse'
    """
    return re.sub(r"(?<=.)(?=[A-Z])", "-", name).lower()


def camel(name: str) -> str:
    """Return the name of a class from that on the command line.

    >>> camel("cat-and-mouse")
    'CatAndMouse'
    """
    return "".join(part.capitalize() for part in name.split("-"))


@cache
def _places() -> dict[str, tuple[str, str]]:
    """Return the folder and the file of each game, by the game's name."""
    places = {
        file.name.replace("_", "-"): (folder.name, file.name)
        for folder in iter_modules(__path__)
        if folder.ispkg
        for file in iter_modules([f"{__path__[0]}/{folder.name}"])
        if not file.name.startswith("_")
    }
    return dict(sorted(places.items()))


def __getattr__(name: str) -> Any:
    """Return a game's class by its name."""
    if hyphenated(name) in _places() and camel(hyphenated(name)) == name:
        return zoo()[hyphenated(name)]
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message, name=name, obj=modules[__name__])  # Python suggests a near name


def __dir__() -> list[str]:
    """Return the names of all games, and ``zoo``."""
    return sorted([*map(camel, _places()), "zoo"])
