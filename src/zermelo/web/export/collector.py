"""Collection of all reachable positions, from the documents of the explorer."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zermelo.errors import BudgetError
from zermelo.progress import Reporter
from zermelo.web.models import PositionDocument, ValueDocument
from zermelo.web.position_codes import code_of

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution
    from zermelo.web.session import ExplorerSession

#: The most positions in a folder, and starts that are used if a game has many.
MOST_POSITIONS, MOST_STARTS = 300_000, 100_000
#: Bytes that a position of a large game takes.
_TYPICAL_BYTES = 14

#: A tag as a whole, and each letter between tags, as boards are written in letters.
_TOKENS = re.compile(r"<[^>]*>|.", re.DOTALL)


@dataclass
class SameShape:
    """Positions whose code, text and picture have the same number of parts.

    Attributes:
        code: the number of numbers of a code.
        text: the number of tokens of a text.
        svg: the number of tokens of a picture.
        numbers: the numbers of the codes, one position after another.
        tokens: the numbers of the parts of texts and pictures, in the same way.
        worths: the number of each position's value.
    """

    code: int
    text: int
    svg: int
    numbers: list[int] = field(default_factory=list)
    tokens: array[int] = field(default_factory=lambda: array("I"))
    worths: array[int] = field(default_factory=lambda: array("I"))


class Numbering(dict[Any, int]):
    """Numbers of objects, in the order of their first use.

    Attributes:
        things: the same, in order.
    """

    def __init__(self) -> None:
        """Create an empty numbering."""
        super().__init__()
        self.things: list[Any] = []

    def __missing__(self, thing: Any) -> int:
        """Assign the next number to a new object."""
        self[thing] = len(self.things)
        self.things.append(thing)
        return self[thing]


@dataclass
class CollectedPositions:
    """Positions by number, in the order in which they were found, with their contents.

    Attributes:
        codes: the number of each position, by its code.
        shapes: the numbers of the shapes, by their three counts.
        packed: the shapes, by number.
        shape: the number of each position's shape.
        tokens: parts of texts and pictures.
        values: values, as JSON.
        moves: moves, as tuples of name and key, for a result of chance with weight and total, or
            for a move in a partizan game with two times None and a note.
        partizan: more of the values of positions in a partizan game, by the numbers of values.
        mover: the player to move, from 1, or 0 if the position does not show it.
        degree: the number of moves of each position.
        move: the number of each move, position after position, best first.
        target: the number of the successor by each move.
        move_value: the number of the value of each move.
    """

    codes: Numbering = field(default_factory=Numbering)
    shapes: Numbering = field(default_factory=Numbering)
    packed: list[SameShape] = field(default_factory=list)
    shape: array[int] = field(default_factory=lambda: array("I"))
    tokens: Numbering = field(default_factory=Numbering)
    values: Numbering = field(default_factory=Numbering)
    moves: Numbering = field(default_factory=Numbering)
    partizan: dict[int, dict[str, Any]] = field(default_factory=dict)
    mover: array[int] = field(default_factory=lambda: array("I"))
    degree: array[int] = field(default_factory=lambda: array("I"))
    move: array[int] = field(default_factory=lambda: array("I"))
    target: array[int] = field(default_factory=lambda: array("I"))
    move_value: array[int] = field(default_factory=lambda: array("I"))

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.degree)


def collect_positions(
    room: ExplorerSession, report: Reporter, *, limit: int = MOST_POSITIONS
) -> CollectedPositions:
    """Return the contents of all positions of a game, from its starts.

    Args:
        room: answers for each position.
        report: receives the progress.
        limit: the most positions.

    Raises:
        BudgetError: there are more.
    """
    solution = room.solution
    collected = CollectedPositions()
    with report.phase("export", None):
        for start in _starts(solution):
            collected.codes[code_of(start)]
            _follow(collected, room, report, limit)
    return collected


def _starts(solution: Solution) -> Iterator[Any]:
    yield solution.start
    starts = solution.starts
    if len(starts) <= MOST_STARTS:
        yield from starts


def _follow(
    collected: CollectedPositions, room: ExplorerSession, report: Reporter, limit: int
) -> None:
    """Add the positions found so far, and all that follow from them."""
    waiting = collected.codes.things
    while len(collected) < len(waiting):
        if len(waiting) > limit:
            raise too_many(room.name, limit)
        _add(collected, room.position(waiting[len(collected)]))
        report.advance(len(collected))


def _add(collected: CollectedPositions, document: PositionDocument) -> None:
    numbers = [int(number) for number in document.position.split(",")]
    text = _TOKENS.findall(document.text)
    svg = _TOKENS.findall(document.svg)
    key = (len(numbers), len(text), len(svg))
    number = collected.shapes[key]
    if number == len(collected.packed):
        collected.packed.append(SameShape(*key))
    shape = collected.packed[number]
    collected.shape.append(number)
    shape.numbers += numbers
    shape.tokens.extend(collected.tokens[token] for token in text)
    shape.tokens.extend(collected.tokens[token] for token in svg)
    worth = collected.values[_plain(document.value)]
    shape.worths.append(worth)
    if document.partizan is not None and worth not in collected.partizan:
        collected.partizan[worth] = document.partizan.model_dump()
    collected.mover.append(0 if document.mover is None else document.mover + 1)
    collected.degree.append(len(document.moves))
    for move in document.moves:
        entry: list[Any] = [move.name, move.key]
        if move.odds is not None:
            entry += [move.odds.weight, move.odds.total]
        elif move.note:
            entry += [None, None, move.note]
        collected.move.append(collected.moves[tuple(entry)])
        collected.target.append(collected.codes[move.position])
        collected.move_value.append(collected.values[_plain(move.value)])


def _plain(value: ValueDocument) -> str:
    return value.model_dump_json()


def too_many(name: str, limit: int, count: int | None = None) -> BudgetError:
    """Return the error that says that a game is too large for a folder."""
    has = f"has more than {limit:,} positions" if count is None else f"has {count:,} positions"
    about = f", about {_TYPICAL_BYTES * count / 1e6:,.0f} MB of files" if count else ""
    message = (
        f"{name} {has}{about}, and a page without a server holds at most {limit:,}; "
        "choose smaller parameters, or serve it with zermelo explore"
    )
    needed_bytes = _TYPICAL_BYTES * (count or limit + 1)
    return BudgetError(message, needed_bytes, _TYPICAL_BYTES * limit)
