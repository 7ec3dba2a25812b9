"""The options of ``solve``: the names of its methods, and of the kinds of value."""

from __future__ import annotations

#: The method of small games, which compiles nothing.
PLAIN = "plain"
#: The methods, with their purposes; by default the first that suits a game is used.
METHODS = {
    PLAIN: "any small game, by its rules in plain Python, without compiling",
    "placement": "win, draw or loss and remoteness, for games declared as cells and lines",
    "pursuit": "win, draw or loss and remoteness of every position of a pursuit on a graph",
    "dense": "the same, for games whose space() numbers every position, so that none is stored",
    "retrograde": "win, draw or loss and remoteness of every reachable position",
    "horizon": "the same by dynamic programming over a bounded number of turns, for comparison",
    "score": "the margin under perfect play, for score games, with plies where moves go in cycles",
    "levels": "as retrograde or score, without storing moves, where every move raises level()",
    "chance": "the expected result or margin between bounds, for games with chance()",
    "nimber": "the nimber of every position, for impartial games, with value='nimber'",
    "partizan": "the game that every position is worth, under normal play, with value='partizan'",
}

#: The values of ``value``: kinds of value that are computed only on request.
VALUES = ("outcome", "nimber", "partizan", "score-and-plies")
#: The kinds of value that ``zermelo.sum`` finds on request.
SUM_VALUES = ("partizan",)
