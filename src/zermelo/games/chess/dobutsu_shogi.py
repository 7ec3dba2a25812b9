"""Dobutsu shogi, also called "Let's catch the lion!" and animal shogi."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, WIN, Outcome

EMPTY, LION, GIRAFFE, ELEPHANT, CHICK, HEN = range(6)
#: The number added to an animal of the second player.
SECOND = 5
LETTERS = ".LGECHlgech"
COLUMNS = 3
CELLS = 12
#: The names of the cells: letters from the left, numbers from the bottom.
NAMES = tuple("abc"[cell % COLUMNS] + "4321"[cell // COLUMNS] for cell in range(CELLS))
#: The side of a cell in the picture.
STEP = 46
#: The steps of each animal, as (rows forward, columns to the right).
STEPS = (
    (),
    ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1)),
    ((1, 0), (0, -1), (0, 1), (-1, 0)),
    ((1, -1), (1, 1), (-1, -1), (-1, 1)),
    ((1, 0),),
    ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, 0)),
)


def steps_on_board() -> tuple[tuple[int, ...], ...]:
    """Return the cells that each animal of each player can step to from each cell."""
    targets = []
    for animal in range(len(LETTERS)):
        forward_sign = 1 if animal > SECOND else -1
        for cell in range(CELLS):
            row, column = divmod(cell, COLUMNS)
            steps = STEPS[(animal - 1) % SECOND + 1 if animal else EMPTY]
            places = [(row + forward_sign * forward, column + right) for forward, right in steps]
            targets.append(
                tuple(
                    there * COLUMNS + across
                    for there, across in places
                    if 0 <= there * COLUMNS < CELLS and 0 <= across < COLUMNS
                )
            )
    return tuple(targets)


REACH = steps_on_board()


class Animals(NamedTuple):
    """The board, each player's animals in hand, and the player to move.

    Attributes:
        cells: the twelve cells, the second player's home row first: 0 if empty, 1 to 5 for the
            first player's lion, giraffe, elephant, chick and hen, 6 to 10 for the second's.
        first: the numbers of giraffes, elephants and chicks that the first player has in hand.
        second: the numbers for the second player.
        side: 0 if the first player is to move, 1 if the second is.
    """

    cells: tuple[int, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]
    side: int


@dataclass(frozen=True)
class DobutsuShogi(Game):
    """Catch the other lion, or bring your own to the far row, on a board of three by four cells.

    The lion steps to any neighbouring cell, the giraffe straight, the elephant diagonally, the
    chick one cell forward. A chick that moves onto the far row becomes a hen, which steps anywhere
    but diagonally backward. What is taken goes into the hand of the player who took it, a hen as a
    chick, and may later be dropped on any empty cell in place of a move.

    Whoever can take the other lion has won, and so has a player whose lion is on the far row and
    cannot be taken. Three repetitions are a draw on the board; here, endless play is one.

    Attributes:
        drops: whether animals that are taken can be dropped; if not, they leave the game.
    """

    drops: bool = False

    title = "Dobutsu Shogi"
    players = ("first", "second")

    facts = (
        Fact(
            outcome="endless",
            longest_loss=37,
            note="it counts 797,658 classes of positions; here there are 962,894",
            source="github.com/brianhliou/dobutsu-shogi, research/reproduction.md",
        ),
        Fact(
            {"drops": True},
            "loss",
            77,
            checked=False,
            note="published as 78 plies, with the taking of the lion; 246,803,167 classes of "
            "positions, as here, in 13 CPU-minutes and 13 GB",
            source="T. Tanaka 2009, and clausecker/dobutsu on GitHub",
        ),
    )

    def start(self) -> Animals:
        """Return the usual setup, the first player at the bottom."""
        return read_board("gle.c..C.ELG", 0)

    def turn(self, p: Animals) -> int:
        """Return the player to move."""
        return p.side

    def outcome(self, p: Animals) -> Outcome | None:
        """Return WIN if the other lion can be taken, LOSS if it is safe on its far row."""
        lion = p.cells.index(LION + SECOND * (1 - p.side))
        for cell in range(CELLS):
            animal = p.cells[cell]
            if animal and (animal > SECOND) == p.side and lion in REACH[animal * CELLS + cell]:
                return WIN
        return LOSS if lion // COLUMNS == 3 * (1 - p.side) else None

    def moves(self, p: Animals) -> Iterator[tuple[int, int]]:
        """Yield (from, to); an animal in hand comes from 12, 13 or 14."""
        for source in range(CELLS):
            animal = p.cells[source]
            if animal and (animal > SECOND) == p.side:
                for target in REACH[animal * CELLS + source]:
                    if p.cells[target] == EMPTY or (p.cells[target] > SECOND) != p.side:
                        yield source, target
        hand = p.second if p.side else p.first
        for kind in range(3):
            if hand[kind]:
                for target in range(CELLS):
                    if p.cells[target] == EMPTY:
                        yield CELLS + kind, target

    def play(self, p: Animals, move: tuple[int, int]) -> Animals:
        """Return the position after an animal steps or is dropped."""
        source, target = move
        cells, hand = p.cells, p.second if p.side else p.first
        side_offset = SECOND * p.side
        if source >= CELLS:
            kind = source - CELLS
            cells = put(cells, target, GIRAFFE + kind + side_offset)
            hand = put(hand, kind, hand[kind] - 1)
        else:
            animal, captured_animal = cells[source], cells[target]
            if animal == CHICK + side_offset and target // COLUMNS == 3 * p.side:
                animal = HEN + side_offset
            cells = put(put(cells, target, animal), source, EMPTY)
            if captured_animal and self.drops:
                kind = min(captured_animal - SECOND * (1 - p.side), CHICK) - GIRAFFE
                hand = put(hand, kind, hand[kind] + 1)
        if p.side:
            return Animals(cells, p.first, hand, 0)
        return Animals(cells, hand, p.second, 1)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflection of left and right, and the exchange of the players."""
        mirror = Symmetry(grid(COLUMNS, 4, "columns"), rows=("cells",))
        exchanged = (EMPTY, *range(SECOND + 1, 2 * SECOND + 1), *range(1, SECOND + 1))
        turned = Symmetry(
            grid(COLUMNS, 4, "half-turn"),
            rows=("cells",),
            relabel=(("cells", exchanged),),
            swap=(("first", "second"),),
            flip=("side",),
            together=True,
        )
        return mirror, turned

    def space(self) -> Animals:
        """Return the range of each field."""
        cell: Any = range(len(LETTERS))
        hand: Any = range(3)
        side: Any = range(2)
        return Animals(cell, hand, hand, side)

    def validate(self) -> None:
        """Raise ParameterError unless ``drops`` is True or False."""
        if not isinstance(self.drops, bool):
            message = f"drops must be True or False, not {self.drops!r}"
            raise ParameterError(message)

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return both cells of a move, ``b2b3``, or the dropped animal and its cell, ``C*b3``."""
        source, target = move
        if source >= CELLS:
            return f"{LETTERS[GIRAFFE + source - CELLS]}*{NAMES[target]}"
        return NAMES[source] + NAMES[target]

    def show(self, p: Animals) -> str:
        """Return the rows, the first player's animals in capitals, and the player to move."""
        row = "".join(LETTERS[animal] for animal in p.cells)
        lines = [" ".join(row[at : at + COLUMNS]) for at in range(0, CELLS, COLUMNS)]
        if in_hand := held(p.first) + held(p.second).lower():
            lines.append(f"in hand: {in_hand}")
        return "\n".join([*lines, f"{self.players[p.side]} to move"])

    def svg(self, p: Animals) -> str:
        """Draw the board with its animals, each pointing forward, and the hands beside it."""
        lines = "".join(
            f"M{drawing.MARGIN} {drawing.MARGIN + STEP * row}h{STEP * COLUMNS}" for row in range(5)
        ) + "".join(
            f"M{drawing.MARGIN + STEP * column} {drawing.MARGIN}v{STEP * 4}" for column in range(4)
        )
        parts = [f'<path opacity=".45" d="{lines}"/>']
        for cell, animal in enumerate(p.cells):
            row, column = divmod(cell, COLUMNS)
            parts += [*tile(animal, row, column)] if animal else []
            parts.append(place_to_click(NAMES[cell], row, column))
        for side, hand in enumerate((p.first, p.second)):
            column = COLUMNS + 1 - side
            for kind, count in enumerate(hand):
                if count:
                    row = kind if side else 3 - kind
                    parts += tile(GIRAFFE + kind + SECOND * side, row, column)
                    x, y = drawing.MARGIN + STEP * column, drawing.MARGIN + STEP * row
                    parts.append(drawing.caption("×2", x + 38, y + 40, 10) if count > 1 else "")
                    name = f"{LETTERS[GIRAFFE + kind]}*" if side == p.side else ""
                    parts.append(place_to_click(name, row, column))
        columns = COLUMNS + 2 * self.drops
        size = (2 * drawing.MARGIN + STEP * columns, 2 * drawing.MARGIN + STEP * 4)
        title = "dobutsu shogi: " + self.show(p).replace("\n", " / ")
        return drawing.document(parts, size, title=title)

    def parse(self, text: str) -> Animals:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board, with one lion per side.
        """
        lines = [line.strip() for line in text.strip().replace("/", "\n").split("\n")]
        turns = [f"{player} to move" for player in self.players]
        side = turns.index(lines.pop()) if lines[-1] in turns else 0
        in_hand = lines.pop().partition(":")[2].strip() if "in hand" in lines[-1] else ""
        rows = ["".join(line.split()) for line in lines]
        letters = "".join(rows)
        all_letters = letters + in_hand
        if (
            [len(row) for row in rows] != [COLUMNS] * 4
            or set(letters) - set(LETTERS)
            or (letters.count("L"), letters.count("l")) != (1, 1)
            or set(in_hand) - set("GECgec")
            or (in_hand and not self.drops)
            or any(sum(map(all_letters.count, kind)) > 2 for kind in ("Gg", "Ee", "CHch"))
        ):
            message = (
                f"{text!r} is not four rows of three cells with the letters {LETTERS[1:]!r} and "
                "dots, a lion a side and at most two of each other kind, and then what is in hand; "
                "write one such as "
                f"{self.show(self.start()).replace(chr(10), ' / ')!r}"
            )
            raise PositionError(message)
        first, second = (
            tuple(in_hand.count(letter) for letter in kinds) for kinds in ("GEC", "gec")
        )
        return Animals(tuple(map(LETTERS.index, letters)), first, second, side)


def read_board(letters: str, side: int) -> Animals:
    """Return the position of twelve letters, with nothing in hand."""
    empty_hand = (0, 0, 0)
    return Animals(tuple(map(LETTERS.index, letters)), empty_hand, empty_hand, side)


def held(hand: tuple[int, ...]) -> str:
    """Return the letters of the animals in a hand."""
    return "".join(LETTERS[GIRAFFE + kind] * count for kind, count in enumerate(hand))


def place_to_click(name: str, row: int, column: int) -> str:
    """Return the text that a click on a cell of the picture adds."""
    left, top = drawing.MARGIN + STEP * column, drawing.MARGIN + STEP * row
    return drawing.clickable(name, left, top, STEP, STEP)


def tile(animal: int, row: int, column: int) -> Iterator[str]:
    """Yield the elements of an animal's tile: its outline, its letter, a dot for each step."""
    x, y = drawing.MARGIN + STEP * (column + 0.5), drawing.MARGIN + STEP * (row + 0.5)
    sign = 1 if animal > SECOND else -1
    colour = drawing.SECOND if animal > SECOND else drawing.FIRST
    kind = (animal - 1) % SECOND + 1
    outline = f"M{x - 18} {y - 18 * sign}h36l-3 {28 * sign}l-15 {8 * sign}l-15 {-8 * sign}z"
    yield f'<path d="{outline}" stroke-width="3" style="stroke:{colour}"/>'
    yield drawing.caption(LETTERS[kind], x, y - sign, 14)
    for forward, right in STEPS[kind]:
        across, down = x + 11 * right, y + sign * (11 * forward - 2)
        yield f'<circle cx="{across}" cy="{down}" r="1.8" style="fill:{colour}" stroke="none"/>'
