"""Fanorona."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ParameterError, PositionError
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._alquerque import AlquerqueGame
from zermelo.games._checks import check_word
from zermelo.games._sources import ENUMERATED, GAMESMAN
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import DRAW, LOSS, Outcome

#: The direction before any step.
NOWHERE = 8


class FanoronaMen(NamedTuple):
    """Each player's men, one bit per point from the top left, and the man that goes on taking.

    Attributes:
        mine: the men of the player to move.
        theirs: the men of the other player.
        player: the player to move, 0 or 1.
        man: the point of the man that has just taken and may take again; the number of points if
            there is none.
        been: the points that this man has visited in this turn.
        way: the direction of its last step; 8 if there is none.
    """

    mine: int
    theirs: int
    player: int
    man: int
    been: int
    way: int


@dataclass(frozen=True)
class Fanorona(AlquerqueGame):
    """A man that steps towards a row of enemies takes them; so does one that steps away from them.

    A man steps along a line to the next point, if that is free. If an enemy man stands beyond, on
    the same line, it is taken, with all enemies behind it without a gap; or else those on the line
    just behind where the man came from. A player without men has lost.

    Attributes:
        rows: the number of rows of points.
        columns: the number of columns of points.
        chain: whether a man that has taken may go on, from point to point, as long as it takes at
            each step, goes to no point where it has been, and turns each time.
        forced: whether taking is forced: ``any``, so that a player who can take must; or ``step``,
            so that a step that can take must, while other steps are free.
        blocked: the result of a player who cannot move: ``loses`` or ``ties``.
    """

    rows: int = 3
    columns: int = 3
    chain: bool = True
    forced: str = "any"
    blocked: str = "loses"

    fewest_cells = 9
    players = ("X", "O")
    facts = (
        Fact(
            outcome="win",
            remoteness=12,
            positions=1265,
            win=854,
            loss=353,
            tie=0,
            endless=58,
            longest_win=12,
            longest_loss=11,
            source=ENUMERATED,
        ),
        Fact(
            {"chain": False, "forced": "step", "blocked": "ties"},
            "win",
            positions=17693,
            win=9749,
            loss=5844,
            longest_win=21,
            longest_loss=22,
            note="Fandango there; of its 2,100 draws 340 are players who cannot move",
            source=GAMESMAN,
        ),
        Fact(
            {"rows": 5, "columns": 9},
            "draw",
            checked=False,
            note="far too many positions",
            source="Schadd and others, Best play in Fanorona leads to draw, 2008",
        ),
    )

    @property
    def no_moves(self) -> Outcome:  # type: ignore[override]  # it may be a property
        """The outcome of a player who has no move."""
        return DRAW if self.blocked == "ties" else LOSS

    @property
    def taking_is_forced(self) -> bool:
        """Whether a player who can take must."""
        return self.forced == "any"

    def start(self) -> FanoronaMen:
        """Return the full board except the point in the middle."""
        middle, half = self.rows // 2, self.columns // 2
        upper_half = (1 << middle * self.columns) - 1
        first_men = upper_half << (middle + 1) * self.columns
        for column in range(self.columns):
            from_edge = min(column, self.columns - 1 - column)
            if column != half and (column < half) == (from_edge % 2 == 0):
                first_men |= 1 << middle * self.columns + column
        centre = 1 << middle * self.columns + half
        return FanoronaMen(first_men, self.board & ~first_men & ~centre, 0, self.cells, 0, NOWHERE)

    def turn(self, p: FanoronaMen) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: FanoronaMen) -> Outcome | None:
        """Return LOSS if the player to move has no men."""
        return None if p.mine else LOSS

    def takes(self, p: FanoronaMen, here: int) -> Iterator[tuple[int, int]]:
        """Yield each step of a man that takes, with the first enemy that it takes."""
        for direction in range(NOWHERE):
            line_ahead, line_behind = self.ways[here][direction], self.ways[here][direction ^ 1]
            if (
                line_ahead
                and direction != p.way
                and not (p.mine | p.theirs | p.been) >> line_ahead[0] & 1
            ):
                if len(line_ahead) > 1 and p.theirs >> line_ahead[1] & 1:
                    yield line_ahead[0], line_ahead[1]
                if line_behind and p.theirs >> line_behind[0] & 1:
                    yield line_ahead[0], line_behind[0]

    def moves(self, p: FanoronaMen) -> Iterator[tuple[int, ...]]:
        """Yield (from, to, first man taken), (from, to), or (point,) for a man that stops."""
        has_capture = False
        for source in range(self.cells):
            if p.mine >> source & 1 and p.man in (source, self.cells):
                for target, prey in self.takes(p, source):
                    has_capture = True
                    yield source, target, prey
        if p.man < self.cells:
            yield (p.man,)
        elif not (has_capture and self.taking_is_forced):
            for source, target in self.steps(p.mine, ~(p.mine | p.theirs)):
                if not self.takes_by(p, source, target):
                    yield source, target

    def takes_by(self, p: FanoronaMen, here: int, there: int) -> bool:
        """Return whether a step takes a man."""
        for taking, _ in self.takes(p, here):
            if taking == there:
                return True
        return False

    def play(self, p: FanoronaMen, move: tuple[int, ...]) -> FanoronaMen:
        """Return the position after a step, or after a man has stopped."""
        if len(move) == 1:
            return FanoronaMen(p.theirs, p.mine, 1 - p.player, self.cells, 0, NOWHERE)
        source, target, *prey_points = move
        mine, theirs = p.mine & ~(1 << source) | 1 << target, p.theirs
        for prey in prey_points:
            direction = 0
            while not (self.ways[source][direction] and self.ways[source][direction][0] == target):
                direction += 1
            by_withdrawal = (
                bool(self.ways[source][direction ^ 1])
                and self.ways[source][direction ^ 1][0] == prey
            )
            for point in (
                self.ways[source][direction ^ 1] if by_withdrawal else self.ways[target][direction]
            ):
                if not theirs >> point & 1:
                    break
                theirs &= ~(1 << point)
            if self.chain:
                went = FanoronaMen(mine, theirs, p.player, target, p.been | 1 << source, direction)
                for _ in self.takes(went, target):
                    return went
        return FanoronaMen(theirs, mine, 1 - p.player, self.cells, 0, NOWHERE)

    def space(self) -> FanoronaMen:
        """Return the range of each field; no point has two men."""
        men: Any = Disjoint(self.cells)
        player, points, visited_sets, directions = (
            range(n) for n in (2, self.cells + 1, 1 << self.cells, 9)
        )
        going: Any = (player, points, visited_sets, directions)
        return FanoronaMen(men, men, *going)

    def validate(self) -> None:
        """Raise ParameterError unless the board has a middle and the words are known."""
        super().validate()
        if self.rows < 3 or self.columns < 3 or self.rows % 2 == 0 or self.columns % 2 == 0:
            message = (
                f"rows={self.rows!r} and columns={self.columns!r} have no point in the middle; "
                "give odd numbers of 3 or more"
            )
            raise ParameterError(message)
        check_word("forced", self.forced, ("any", "step"))
        check_word("blocked", self.blocked, ("loses", "ties"))

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflections of the board, and the exchange of the players."""
        mirrors = (
            ("columns", (0, 1, 3, 2, 6, 7, 4, 5, NOWHERE)),
            ("rows", (1, 0, 2, 3, 7, 6, 5, 4, NOWHERE)),
        )
        return (
            *(
                Symmetry(
                    grid(self.columns, self.rows, kind),
                    masks=("mine", "theirs", "been"),
                    squares=("man",),
                    relabel=(("way", turned),),
                    together=True,
                )
                for kind, turned in mirrors
            ),
            Symmetry(flip=("player",)),
        )

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, ...]) -> str:
        """Return ``a1-a2`` for a step, ``a1-a2xa3`` with the first man taken, or ``stop``."""
        if len(move) == 1:
            return "stop"
        source, target, *prey_names = map(self.cell_name, move)
        return "x".join([f"{source}-{target}", *prey_names])

    def text_rows(self, p: FanoronaMen) -> list[str]:
        """Return each row as text."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        return self.rows_of(("X", first), ("O", second))

    def going(self, p: FanoronaMen) -> str:
        """Return the man that goes on and the points it has visited as text, or nothing."""
        if p.man == self.cells:
            return ""
        last = self.ways[p.man][p.way ^ 1][0]
        earlier = [self.cell_name(i) for i in range(self.cells) if p.been >> i & 1 and i != last]
        words = f"{self.cell_name(p.man)} goes on from {self.cell_name(last)}, "
        return words.replace(",", f" after {' '.join(earlier)},") if earlier else words

    def show(self, p: FanoronaMen) -> str:
        """Return a line for each row, the man that goes on, if any, and the player to move."""
        rows = [" ".join(row) for row in self.text_rows(p)]
        return "\n".join([*rows, f"{self.going(p)}{self.players[p.player]} to move"])

    def svg(self, p: FanoronaMen) -> str:
        """Draw the board."""
        rows = self.text_rows(p)
        title = " / ".join([*rows, f"{self.going(p)}{self.players[p.player]} to move"])
        stop_name = "stop" if p.man < self.cells else ""
        return self.board_picture(rows, "XO", title, stop_name)

    def parse(self, text: str) -> FanoronaMen:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board, or its man cannot go on.
        """
        board, player = self.read_turn(text)
        on = re.search(r"[\n/]?\s*(\w+) goes on from (\w+)(?: after ((?:\w+ ?)+))?$", board)
        first, second = self.read_cells(board[: on.start()] if on else board, "XO")
        mine, theirs = (second, first) if player else (first, second)
        if on is None:
            return FanoronaMen(mine, theirs, player, self.cells, 0, NOWHERE)
        point_names = [on[1], on[2], *(on[3] or "").split()]
        names = [name for row in self.cell_names() for name in row]
        points = [names.index(name) for name in point_names if name in names]
        ways = [w for w in range(NOWHERE) if self.ways[points[0]][w ^ 1][:1] == points[1:2]]
        if len(points) < len(point_names) or not ways or not mine >> points[0] & 1:
            message = f"{text!r} does not say which man goes on; name it, and where it came from"
            raise PositionError(message)
        been = sum(1 << point for point in set(points[1:]))
        return FanoronaMen(mine, theirs, player, points[0], been, ways[0])
