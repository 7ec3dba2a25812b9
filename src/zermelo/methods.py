"""What ``solve`` can be asked for: the names of its methods, and of the kinds of value."""

from __future__ import annotations

#: What ``method`` may be, with what each is for; where none is asked for, the first that suits.
METHODS = {
    "plain": "any small game, by its rules in plain Python, without compiling",
    "placement": "win, draw or loss and remoteness, for games declared as cells and lines",
    "pursuit": "win, draw or loss and remoteness of every position of a pursuit on a graph",
    "dense": "the same, for games whose space() numbers every position, so that none is stored",
    "retrograde": "win, draw or loss and remoteness of every reachable position",
    "horizon": "the same by dynamic programming over a bounded number of turns, for comparison",
    "score": "the margin under perfect play, for score games, with plies where moves go in circles",
    "levels": "as retrograde or score, without storing moves, where every move raises level()",
    "nimber": "the nimber of every position, for impartial games, with value='nimber'",
}

#: What ``value`` may be: kinds of value that are found only where they are asked for.
VALUES = ("outcome", "nimber", "score-and-plies")
