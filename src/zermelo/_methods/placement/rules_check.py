"""Comparison of a placement game's rules with its board, at the start and in random games.

The solver uses stacks of cells and lines, and calls no rule. It relies on games that follow the
board: each move fills a cell, the players alternate, and the lines of the player who made the last
move decide. ``has_line`` and ``has_line_of``, which an author may write, are also called with
single lines, because random games complete few lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from zermelo._methods.placement.tiers import EITHER, OWN
from zermelo.errors import RulesError
from zermelo.game.placement_check import fault_of_line, fault_of_lines, own_line_hook
from zermelo.rules.declaration import DeclaredPosition, check_declaration
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome

if TYPE_CHECKING:
    from zermelo._methods.placement.board import PlacementBoard
    from zermelo.game.placement import PlacementGame
    from zermelo.rules.hooks import Rules

#: Positions to compare, lines of each player to compare, and the number of comparisons of marks
#: with a line after which both stop.
_POSITIONS, _LINES, _COMPARISONS = 25, 50, 10_000


def check_rules(rules: Rules, board: PlacementBoard, bits: list[int]) -> None:
    """Check that the rules of a placement game agree with its board, in a sample.

    Args:
        rules: the rules.
        board: the board.
        bits: the bit of each cell.

    Raises:
        RulesError: they disagree.
    """
    random = Random(0)  # noqa: S311  # not for secrets
    game: Any = rules.game
    most = 1 + _COMPARISONS // max(1, *map(len, board.lines))
    games = _DeclaredGames(rules, board, bits)
    sample = list(games.sample(random, min(_POSITIONS, most)))
    largest = (len(bits) + 1) // 2 if board.marks == OWN else len(bits)
    try:
        fault = _fault_of_lines(game, random, min(_LINES, most), largest)
        faults = (fault_of_lines(game, position) for position, _ in sample)
        fault = fault or next(filter(None, faults), None)
    except Exception as error:
        message = (
            f"{rules.name}: has_line() or has_line_of() raised {type(error).__name__}: {error}; "
            "let them accept every set of cells"
        )
        raise RulesError(message) from error
    if fault is not None:
        message = f"{rules.name}.{fault}"
        raise RulesError(message)
    check_declaration(rules, "lines", sample)


def _fault_of_lines(game: PlacementGame, random: Random, most: int, largest: int) -> str | None:
    """Return how ``has_line`` or ``has_line_of`` misses or invents a line, or None if neither.

    Args:
        game: the game.
        random: chooses lines, and a cell to leave out of each.
        most: the number of lines of each player to compare.
        largest: the cells of the largest line that can be made.
    """
    hook = own_line_hook(game)
    if hook is None:
        return None
    for player, lines in enumerate(game.masks_by_player):
        possible_lines = [line for line in lines if line.bit_count() <= largest]
        if len(possible_lines) > most:
            possible_lines = random.sample(possible_lines, most)
        for line in possible_lines:
            cells = [bit for bit in range(line.bit_length()) if line >> bit & 1]
            for marks in (line, line & ~(1 << random.choice(cells))):
                fault = fault_of_line(game, hook, player, marks)
                if fault is not None:
                    return fault
    return None


class _DeclaredGames:
    """The games that a board allows, by cells, without calling a rule."""

    def __init__(self, rules: Rules, board: PlacementBoard, bits: list[int]) -> None:
        self.board, self.bits = board, bits
        self.game: Any = rules.game
        self.kind: Any = rules.layout.kind
        self.cell = {bit: cell for cell, bit in enumerate(bits)}

    def sample(self, random: Random, most: int) -> Iterator[tuple[Any, DeclaredPosition]]:
        """Yield ``most`` positions of random games, the start first."""
        position = start = self.kind(0, 0)
        for _ in range(most):
            declared = self.declared(position)
            yield position, declared
            children = sorted(declared.children)
            position = random.choice(children) if children else start

    def declared(self, position: Any) -> DeclaredPosition:
        """Return the outcome and the children of a position by the board."""
        outcome = self._outcome(position)
        children = frozenset(self._children(position) if outcome is None else ())
        return DeclaredPosition(0, outcome, children)

    def _outcome(self, position: Any) -> Outcome | None:
        board, (first, second) = self.board, map(self._cells, position)
        ply = (first | second).bit_count()
        lines = board.lines_at_ply(ply)
        marks_are_own = board.marks == OWN
        for marks in (second,) if marks_are_own else (first, second):
            if any(marks & line == line for line in lines):
                return WIN if board.winner(ply) == (ply + 1) % 2 else LOSS
        if ply < board.size:
            return None
        if board.full < 0:
            return DRAW
        return WIN if board.full == (ply + 1) % 2 else LOSS

    def _cells(self, marks: int) -> int:
        return sum(1 << self.cell[bit] for bit in range(marks.bit_length()) if marks >> bit & 1)

    def _children(self, position: Any) -> Iterator[Any]:
        first, second = position
        for stack in self.board.cells:
            upwards = (1 << self.bits[cell] for cell in stack if cell >= 0)
            free = next((cell for cell in upwards if not (first | second) & cell), None)
            if free is None:
                continue
            if self.board.marks == OWN:
                yield self.kind(second, first | free)
                continue
            yield self.kind(first | free, second)
            if self.board.marks == EITHER:
                yield self.kind(first, second | free)
