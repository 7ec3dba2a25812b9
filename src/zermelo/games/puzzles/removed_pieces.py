"""Removed pieces, LeetCode 2038."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._sources import LEETCODE

#: The most pieces.
MOST_PIECES = 500


class PieceRuns(NamedTuple):
    """A row of pieces, and the player to move.

    Attributes:
        lengths: the number of pieces of each run of one colour.
        player: 0 if Alice is to move, and 1 if Bob is.
    """

    lengths: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class RemovedPieces(Game):
    """Alice removes an A between two A, Bob a B between two B; a player who cannot loses.

    It does not matter which one of a run is removed, so a move is the place of a run.

    Attributes:
        colours: the row of pieces.
    """

    colours: str = "AAABABB"

    players = ("Alice", "Bob")

    facts = (
        Fact({"colours": "AAABABB"}, "win", source=LEETCODE.format(2038)),
        Fact({"colours": "AA"}, "loss", source=LEETCODE.format(2038)),
        Fact({"colours": "ABBBBBBBAAA"}, "loss", source=LEETCODE.format(2038)),
    )

    def start(self) -> PieceRuns:
        """Return the lengths of the runs."""
        return PieceRuns(tuple(len([*run]) for _, run in groupby(self.colours)), 0)

    def turn(self, row: PieceRuns) -> int:
        """Return the player to move."""
        return row.player

    def moves(self, row: PieceRuns) -> Iterator[int]:
        """Yield each of the player's runs that has a piece between two others."""
        for place, length in enumerate(row.lengths):
            is_own = (place % 2 == 0) == (self.colours[0] == "AB"[row.player])
            if is_own and length > 2:  # those at its ends stay
                yield place

    def play(self, row: PieceRuns, place: int) -> PieceRuns:
        """Return the row with a run shortened."""
        return PieceRuns(put(row.lengths, place, row.lengths[place] - 1), 1 - row.player)

    def space(self) -> Any:
        """Return the range of each field."""
        return PieceRuns([range(n + 1) for n in self.start().lengths], range(2))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless the row is of A and B."""
        colours: Any = self.colours
        if (
            not isinstance(colours, str)
            or not 1 <= len(colours) <= MOST_PIECES
            or set(colours) - {*"AB"}
        ):
            message = f"colours must be a row of A and B, not {colours!r}; write such as 'AAABABB'"
            raise ParameterError(message)

    def show(self, row: PieceRuns) -> str:
        """Return the row and the player to move, such as ``AAABABB, Alice to move``."""
        return f"{self.pieces(row)}, {self.players[row.player]} to move"

    def pieces(self, row: PieceRuns) -> str:
        """Return the row as letters."""
        colours = "AB" if self.colours[0] == "A" else "BA"
        return "".join(colours[place % 2] * n for place, n in enumerate(row.lengths))

    def svg(self, row: PieceRuns) -> str:
        """Draw the pieces; a click shortens the run."""
        moves = [self.name(place) for place, n in enumerate(row.lengths) for _ in range(n)]
        return drawing.grid([self.pieces(row)], discs="AB", title=self.show(row), moves=[moves])

    def name(self, place: int) -> str:
        """Return a move in words, such as ``run 1``."""
        return f"run {place + 1}"

    def parse(self, text: str) -> PieceRuns:
        """Read a position as ``show`` writes it; without a turn, Alice is to move."""
        pieces, _, turn = text.partition(",")
        runs = [(colour, len([*run])) for colour, run in groupby(pieces.strip())]
        whole = [colour for colour, _ in groupby(self.colours)]
        player = int(turn.strip().startswith("Bob"))
        if [colour for colour, _ in runs] != whole:
            message = (
                f"{text!r} is not what is left of {self.colours}; write its runs, and the turn"
            )
            raise PositionError(message)
        return PieceRuns(tuple(length for _, length in runs), player)
