"""Hex."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

from zermelo.game.facts import Fact
from zermelo.games._grids import Sides
from zermelo.games._hexagons import HexagonGame
from zermelo.games._sources import ENUMERATED
from zermelo.games.connection._rhombus import RhombusBoard
from zermelo.values.outcomes import LOSS, WIN, Outcome

HENDERSON = "OEIS A212188 (Henderson, Arneson & Hayward 2009)"
REVERSE = (
    "Lagarias and Sleator 1999: the first player wins Reverse Hex of even size, the "
    "second of odd size, and the loser can fill the board"
)


@dataclass(frozen=True)
class Hex(RhombusBoard, HexagonGame):
    """Two players fill a rhombus of hexagons, and a player who joins their own two sides wins.

    The first player joins the top and the bottom, the second player the left and the right side.
    One of them always does.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        loses: whether a player who joins their own sides loses, as in Reverse Hex.
    """

    rows: int = 3
    columns: int = 3
    loses: bool = False

    facts = (
        Fact(
            {"rows": 4, "columns": 4},
            "win",
            9,
            positions=9_386_235,
            win=5_896_679,
            loss=3_489_556,
            longest_win=13,
            longest_loss=12,
            note="4 winning openings",
            source="OEIS A212188 (Henderson, Arneson & Hayward 2009); own enumeration",
        ),
        Fact(
            {"rows": 2, "columns": 3},
            "win",
            3,
            positions=221,
            win=106,
            loss=115,
            note="6 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 2},
            "loss",
            4,
            positions=243,
            win=131,
            loss=112,
            note="0 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 4},
            "win",
            5,
            positions=126_003,
            win=69_666,
            loss=56_337,
            note="12 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 3},
            "loss",
            8,
            positions=130_844,
            win=78_194,
            loss=52_650,
            note="0 winning openings",
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 5},
            "win",
            checked=False,
            note="13 winning openings",
            source=HENDERSON,
        ),
        Fact(
            {"rows": 6, "columns": 6},
            "win",
            checked=False,
            note="24 winning openings",
            source=HENDERSON,
        ),
        Fact({"rows": 2, "columns": 2, "loses": True}, "win", 4, source=REVERSE),
        Fact({"rows": 3, "columns": 3, "loses": True}, "loss", 9, source=REVERSE),
        Fact({"rows": 4, "columns": 4, "loses": True}, "win", 16, source=REVERSE),
    )

    def outcome(self, p: Sides) -> Outcome | None:
        """Return the result if the other player has just joined their own sides."""
        if self.joined(p.theirs, 1 - p.player):
            if self.loses:
                return WIN
            return LOSS
        return None

    # -- hints for zermelo.prove ----------------------------------------------------------------

    def promise(self, p: Sides, cell: int) -> int:
        """Return the priority of a move: the fewer stones the own chain lacks, the higher."""
        mine = p.mine | 1 << cell
        own_lack = self.lacking(mine, p.theirs, p.player)
        return 4 * (self.lacking(p.theirs, mine, 1 - p.player) - own_lack) + self.centrality[cell]

    def bounds(self, p: Sides) -> tuple[int, int]:
        """Return WIN or LOSS if a chain is complete up to bridges, or after one more stone.

        The player to move may put that stone. The other player needs several such stones, so that
        no cell blocks all of them.
        """
        if self.loses:
            return LOSS, WIN
        other_player = 1 - p.player
        if self.bridged(p.theirs, p.mine, other_player) >= 0:
            return LOSS, LOSS
        cells = self.completing(p.mine, p.theirs, p.player)
        while cells:
            stone = cells & -cells
            cells ^= stone
            if self.bridged(p.mine | stone, p.theirs, p.player) >= 0:
                return WIN, WIN
        cells, in_the_way = self.completing(p.theirs, p.mine, other_player), self.board
        while cells:
            stone = cells & -cells
            cells ^= stone
            bridge_cells = self.bridged(p.theirs | stone, p.mine, other_player)
            if bridge_cells >= 0:
                in_the_way &= bridge_cells | stone
        return LOSS, WIN if in_the_way else LOSS

    def lacking(self, stones: int, enemy_stones: int, player: int) -> int:
        """Return the number of stones that a chain lacks; above ``cells`` if none is possible."""
        free, (side, end), lacks = self.board & ~enemy_stones, self.ends[player], 0
        reach = self.grown(side & stones, stones)
        while not reach & end:
            wider = (reach | side | self.around(reach)) & free
            wider |= self.grown(wider & stones, stones)
            if wider == reach:
                return self.cells + 1
            reach, lacks = wider, lacks + 1
        return lacks

    def bridged(self, stones: int, enemy_stones: int, player: int) -> int:
        """Return the empty cells of disjoint bridges that complete a chain; -1 if there are none.

        A bridge is two empty cells, either of which joins the stones beside it: if the other player
        takes one, the other is left.
        """
        empty = self.board & ~(stones | enemy_stones)
        free, (side, end) = empty, self.ends[player]
        reach = self.grown(side & stones, stones)
        for cell, bridge in self.landings[2 * player]:
            if stones & ~reach & 1 << cell and bridge & free == bridge:
                free ^= bridge
                reach = self.grown(reach | 1 << cell, stones)
        visited = 0
        while reach != visited:
            stone = reach & ~visited
            stone &= -stone
            visited |= stone
            cell = stone.bit_length() - 1
            candidates = self.beyond[cell] & stones & ~reach
            while candidates:
                stone = candidates & -candidates
                bridge = self.near[cell] & self.near[stone.bit_length() - 1]
                if bridge & free == bridge:
                    free ^= bridge
                    reach = self.grown(reach | stone, stones)
                candidates &= ~(reach | stone)
        if reach & end:
            return empty & ~free
        for cell, bridge in self.landings[2 * player + 1]:
            if reach & 1 << cell and bridge & free == bridge:
                return empty & ~free | bridge
        return -1

    def completing(self, stones: int, enemy_stones: int, player: int) -> int:
        """Return the empty cells that may join both sides, if the bridges share no cell."""
        free = self.board & ~(stones | enemy_stones)
        from_start, from_end = self.held(free, player, 0), self.held(free, player, 1)
        near_start = from_start | self.joinable(
            self.linked(from_start & stones, stones, free), free
        )
        return (
            near_start
            & free
            & (from_end | self.joinable(self.linked(from_end & stones, stones, free), free))
        )

    def held(self, free: int, player: int, side: int) -> int:
        """Return the cells on one of a player's sides, and the cells a bridge away from it."""
        cells = self.ends[player][side]
        for cell, bridge in self.landings[2 * player + side]:
            if bridge & free == bridge:
                cells |= 1 << cell
        return cells

    def linked(self, cells: int, stones: int, free: int) -> int:
        """Return cells together with the stones that steps and bridges join to them."""
        while True:
            wider = cells | self.joinable(cells, free) & stones
            if wider == cells:
                return cells
            cells = wider

    def joinable(self, cells: int, free: int) -> int:
        """Return the cells a step, or a bridge over free cells, away from the given cells."""
        wide, no_left, no_right = self.columns, ~self.left, ~self.right
        left, right = (cells & no_left) >> 1, (cells & no_right) << 1
        up, up_right = cells >> wide, right >> wide
        down, down_left = cells << wide & self.board, left << wide & self.board
        step = left | right | up | up_right | down | down_left
        left, right, up, up_right = left & free, right & free, up & free, up_right & free
        down, down_left = down & free, down_left & free
        bridge = (up & no_right) << 1 >> wide & up_right >> wide
        bridge |= (up & no_left) >> 1 & left >> wide
        bridge |= (up_right & no_right) << 1 & (right & no_right) << 1 >> wide
        bridge |= (down & no_left) >> 1 << wide & down_left << wide & self.board
        bridge |= (down & no_right) << 1 & right << wide & self.board
        bridge |= (down_left & no_left) >> 1 & (left & no_left) >> 1 << wide & self.board
        return (step | bridge) & self.board

    @cached_property
    def ends(self) -> list[list[int]]:
        """The two sides that each player's chain has to join."""
        top = self.top
        return [[top, top << (self.rows - 1) * self.columns], [self.left, self.right]]

    @cached_property
    def near(self) -> list[int]:
        """The cells beside each cell."""
        return [self.around(1 << cell) for cell in range(self.cells)]

    @cached_property
    def beyond(self) -> list[int]:
        """The cells a bridge away from each cell: they have two neighbours in common with it."""
        sets = [0] * self.cells
        for cell, far_cell in product(range(self.cells), repeat=2):
            is_apart = far_cell != cell and not self.near[cell] >> far_cell & 1
            if is_apart and (self.near[cell] & self.near[far_cell]).bit_count() == 2:
                sets[cell] |= 1 << far_cell
        return sets

    @cached_property
    def landings(self) -> list[list[tuple[int, int]]]:
        """The cells a bridge away from each player's sides, each with the two cells between."""
        pairs = []
        for side in (side for sides in self.ends for side in sides):
            steps = [(cell, self.around(1 << cell) & side) for cell in range(self.cells)]
            pairs.append([s for s in steps if s[1].bit_count() == 2 and not side >> s[0] & 1])
        return pairs

    @cached_property
    def centrality(self) -> list[int]:
        """The nearness of each cell to the middle."""
        middle = self.rows + self.columns - 2
        return [
            middle
            - abs(2 * (cell // self.columns) - self.rows + 1)
            - abs(2 * (cell % self.columns) - self.columns + 1)
            for cell in range(self.cells)
        ]
