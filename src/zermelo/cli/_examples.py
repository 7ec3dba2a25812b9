"""For each game of the zoo, parameters to show in its help."""

from __future__ import annotations

#: What comes after the game's name on the command line.
PARAMETERS = {
    "cat-and-mouse": "--graph '[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]'",
    "chess-ending": "--men KRK",
    "connect-four": "--width 4 --height 4",
    "ellys-checkers": "--board .ooo...o..oo",
    "stone-game": "--piles '[5,3,4,5]'",
    "stone-game-winner": "--piles '[5,3,4,5]'",
    "take-away": "--stones 21 --limit 3",
    "tic-tac-toe": "",
}
