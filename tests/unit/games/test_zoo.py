"""What holds for every game of the zoo."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from functools import cache
from itertools import islice
from xml.etree import ElementTree as ET

import pytest

import zermelo
from oracle import explore
from zermelo import games
from zermelo.game.spaces import Descriptor
from zermelo.games import (
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
    zoo,
)
from zermelo.games.pursuit.cat_and_mouse import Position
from zermelo.games.sowing.awari import Houses
from zermelo.rules.hooks import Rules

EXAMPLES = {
    "awari": Awari(3),
    "cat-and-mouse": CatAndMouse([[1, 3], [0], [3], [0, 2]]),
    "cat-and-mouse-grid": CatAndMouseGrid(["####F", "#C...", "M...."]),
    "chess-ending": ChessEnding("KQK"),
    "connect-four": ConnectFour(3, 3, 3),
    "dots-and-boxes": DotsAndBoxes(),
    "ellys-checkers": EllysCheckers(".o.oo..o"),
    "go": Go(2, 3),
    "kalah": Kalah(3, 2),
    "othello": Othello(),
    "oware": Oware(3),
    "quixo": Quixo(3),
    "stone-game": StoneGame([5, -3, 4, 5]),
    "stone-game-winner": StoneGameWinner([5, -3, 4, 5]),
    "take-away": TakeAway(12, 3),
    "tic-tac-toe": TicTacToe(),
}

every_game = pytest.mark.parametrize("name", EXAMPLES)


@cache
def positions(name):
    """Return all positions of an example, or many of them."""
    game = EXAMPLES[name]
    if isinstance(game, CatAndMouse):
        return [Position(*row) for row in game.starts().tolist()]
    if isinstance(game, Awari):
        return [Houses(tuple(row[:6]), tuple(row[6:])) for row in game.starts().tolist()]
    if isinstance(game, ChessEnding | Othello):
        return nearest(game)
    return list(islice(explore(game), 3000))


def nearest(game):
    """Return the first 1500 positions of a game that is too large to be explored in Python."""
    found = [game.start()]
    known = set(found)
    for position in found:  # grows
        over = hasattr(game, "outcome") and game.outcome(position) is not None
        for move in [] if over else game.moves(position):
            child = game.play(position, move)
            if child not in known:
                known.add(child)
                found.append(child)
        if len(found) > 1500:
            break
    return found


def test_every_game_has_its_hyphenated_name():
    """The zoo lists each public game class once, by its name with hyphens."""
    assert list(zoo()) == sorted(EXAMPLES)
    assert {kind.__name__ for kind in zoo().values()} == set(games.__all__) - {"zoo"}
    assert all(type(EXAMPLES[name]) is kind for name, kind in zoo().items())


def test_importing_the_zoo_compiles_nothing():
    """Importing the games does not import Numba."""
    script = "import sys, zermelo.games; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


@every_game
def test_documented(name):
    """The first line of a game's docstring is one sentence, and each parameter is described."""
    kind = zoo()[name]
    first, *_ = (kind.__doc__ or "").splitlines()
    assert first.endswith((".", "?"))
    assert len(first) <= 100
    for field in fields(kind):
        assert re.search(rf"^\s+{field.name}: \S", kind.__doc__, re.MULTILINE)


@every_game
def test_contract_is_kept(name):
    """The zoo passes the check that every author has, without so much as a hint."""
    report = zermelo.check(EXAMPLES[name])
    assert report, str(report)
    assert not report.hints


@every_game
def test_shown_positions_are_read_back(name):
    """What ``show`` writes, ``parse`` reads, for every position."""
    game = EXAMPLES[name]
    for position in positions(name):
        assert game.parse(game.show(position)) == position


@every_game
def test_different_positions_look_different(name):
    """No two positions are shown as the same text."""
    game = EXAMPLES[name]
    shown = {game.show(position) for position in positions(name)}
    assert len(shown) == len(positions(name))


@every_game
def test_pictures_are_well_formed(name):
    """A picture is one SVG element with a title, and no colour of its own for lines and text."""
    game = EXAMPLES[name]
    for position in positions(name)[::7]:
        root = ET.fromstring(game.svg(position))  # noqa: S314  # our own picture
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root[0].tag.endswith("title")
        assert root[0].text
        assert root.get("stroke") == "currentColor"


@every_game
def test_moves_can_be_clicked(name):
    """Every move in a picture is spelt by one place to click after another."""
    game = EXAMPLES[name]
    rules = Rules(game)
    for position in positions(name)[::7]:
        picture = ET.fromstring(game.svg(position))  # noqa: S314  # our own picture
        spots = {element.get("data-move") for element in picture.iter() if element.get("data-move")}
        for move in rules.moves(position):
            rest = rules.move_name(move)
            if name == "chess-ending":
                rest = rest[:4]  # what a pawn becomes is asked for afterwards
            while rest and rest not in spots:
                first = next((spot for spot in spots if rest.startswith(spot)), None)
                assert first, f"{rules.move_name(move)} cannot be clicked"
                rest = rest.removeprefix(first)


@every_game
def test_moves_have_names_of_their_own(name):
    """In one position no two moves have one name."""
    game = EXAMPLES[name]
    if not hasattr(game, "name"):
        return
    for position in positions(name):
        moves = list(game.moves(position))
        assert len({game.name(move) for move in moves}) == len(moves)


@every_game
def test_space_holds_every_position(name):
    """Each field of each position is in the range, or among the sets, that ``space`` gives."""
    rules = Rules(EXAMPLES[name])
    for position in positions(name):
        flat = rules.layout.flatten(position)
        for values, numbers in rules.space_parts():
            own = [flat[n] for n in numbers]
            allowed = values.allows(own) if isinstance(values, Descriptor) else own[0] in values
            assert allowed


@every_game
def test_levels_never_fall(name):
    """No move lowers the level."""
    game = EXAMPLES[name]
    if not hasattr(game, "level"):
        return
    graph = explore(game)
    for position, edges in graph.edges.items():
        assert all(game.level(edge.child) >= game.level(position) for edge in edges)


@every_game
def test_games_with_equal_parameters_are_equal(name):
    """A game can be made again from its parameters, and is then the same game."""
    game = EXAMPLES[name]
    again = type(game)(**{field.name: getattr(game, field.name) for field in fields(game)})
    assert again == game
    assert hash(again) == hash(game)
