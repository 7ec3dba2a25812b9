"""Other names of the games of the zoo, among them LeetCode's numbers, and a search for games."""

from __future__ import annotations

import difflib
import re

from zermelo.games import zoo

#: Other names of games, by the name on the command line, with parameters if only some values of
#: these make that game.
ALIASES: dict[str, str] = {
    "292": "take-away",
    "294": "flip-game",
    "464": "can-i-win",
    "486": "stone-game",
    "810": "chalkboard-xor",
    "877": "stone-game",
    "913": "cat-and-mouse",
    "1025": "divisor-game",
    "1140": "stone-game-front --most 2 --doubling",
    "1406": "stone-game-front",
    "1510": "subtract-a-square",
    "1690": "stone-game-rest",
    "1728": "cat-and-mouse-grid",
    "1908": "nim",
    "2005": "fibonacci-tree",
    "2038": "removed-pieces",
    "3222": "coin-game",
    "3227": "vowels-game",
    "anti-atari-go": "nogo",
    "baduk": "go",
    "bear-off": "backgammon-bear-off",
    "bulo": "tac-tix",
    "capture-go": "atari-go",
    "cat-and-mouse-ii": "cat-and-mouse-grid",
    "chalkboard-xor-game": "chalkboard-xor",
    "chess-endgame": "chess-ending",
    "cops-and-robber": "cops-and-robbers",
    "ewn": "einstein-wuerfelt-nicht",
    "find-the-winning-player-in-coin-game": "coin-game",
    "flip-game-ii": "flip-game",
    "four-in-a-row": "connect-four",
    "french-military-game": "hare-and-hounds",
    "gale": "bridg-it",
    "game-of-nim": "nim",
    "game-of-the-amazons": "amazons",
    "geography": "vertex-geography",
    "hawaiian-checkers": "konane",
    "la-pipopipette": "dots-and-boxes",
    "lite-3": "infinite-tic-tac-toe",
    "mancala": "kalah",
    "noughts-and-crosses": "tic-tac-toe",
    "octopawn": "hexapawn --rows 4 --columns 4",
    "predict-the-winner": "stone-game",
    "reversi": "othello",
    "rip-van-winkles-game": "kayles",
    "stone-game-ii": "stone-game-front --most 2 --doubling",
    "stone-game-iii": "stone-game-front",
    "stone-game-iv": "subtract-a-square",
    "stone-game-vii": "stone-game-rest",
    "tapatan": "three-mens-morris",
    "tigers-and-goats": "bagh-chal",
    "ur": "royal-game-of-ur",
    "weiqi": "go",
}

_NUMBER = re.compile(r"(?:leetcode)?[\s#-]*(\d+)", re.IGNORECASE)
#: How similar a word must be to a name to count as a misspelling, and the number of names that are
#: suggested.
_SIMILARITY, _MOST_SUGGESTED = 0.6, 2


def hyphens(text: str) -> str:
    """Return a name as the command line writes it; ``TicTacToe`` and ``tic tac toe`` are one.

    >>> hyphens("TicTacToe"), hyphens("Predict the Winner"), hyphens("LeetCode 913")
    ('tic-tac-toe', 'predict-the-winner', '913')
    """
    if number := _NUMBER.fullmatch(text.strip()):
        return number[1]
    return re.sub(r"[\s_]+|(?<=[a-z])(?=[A-Z])", "-", text.strip()).lower()


def other_names(name: str) -> list[str]:
    """Return the other names of a game, LeetCode's numbers first.

    Args:
        name: the game's name on the command line.
    """
    return [alias for alias, command in ALIASES.items() if command.partition(" ")[0] == name]


def find_games(text: str) -> list[str]:
    """Return the games that a text names or describes, best first.

    Args:
        text: words of the names, the other names, the kind or the description, such as
            ``"913"``, ``"leetcode"`` or ``"cat mouse"``. Each has to occur; case, hyphens and
            spaces make no difference.

    Returns:
        Names on the command line: first the game of that very name, then the games that have the
        words in a name, then the rest, each in alphabetical order.
    """
    exact = hyphens(text)
    words = text.replace("-", " ").replace("_", " ").replace("#", " ").lower().split()
    ranks = {}
    for name, game in zoo().items():
        own_aliases = other_names(name)
        aliases = [f"leetcode {each}" if each.isdecimal() else each for each in own_aliases]
        names = " ".join([name, name.replace("-", ""), *aliases]).replace("-", " ")
        description = (
            f"{names} {game.__module__.split('.')[-2]} {zoo().kind(name)} {game.__doc__ or ''}"
        )
        if name == exact or exact in own_aliases:
            ranks[name] = 0
        elif all(word in names for word in words):
            ranks[name] = 1
        elif all(word in " ".join(description.lower().split()) for word in words):
            ranks[name] = 2
    return sorted(ranks, key=ranks.__getitem__)


def similar_names(text: str) -> list[str]:
    """Return up to two names similar to a text, other names included."""
    names, query = [*zoo(), *(alias for alias in ALIASES if not alias.isdecimal())], hyphens(text)
    if not query or query.isdecimal():
        return []
    similar = [name for name in names if query.replace("-", "") == name.replace("-", "")]
    similar = similar or [name for name in names if name.startswith(query)]
    similar = similar or [name for name in names if query in name]
    similar = similar or difflib.get_close_matches(query, names, _MOST_SUGGESTED, _SIMILARITY)
    return similar[:_MOST_SUGGESTED]
