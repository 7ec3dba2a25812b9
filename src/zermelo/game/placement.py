"""Placement games: declared cells and lines that win or lose, without ``moves`` to write.

A subclass says how large the board is and which sets of cells are lines; the rules follow. They are
ordinary rules, like any author's, and the solver has a special method for them::

    @dataclass(frozen=True)
    class Gomoku(PlacementGame):
        width: int = 4
        height: int = 4
        length: int = 4

        def lines(self):
            return self.straight(self.length)

If the players want different lines, ``lines`` takes the player, 0 or 1. Maker wants a row, and
Breaker a stone in each::

        def lines(self, player):
            rows = list(self.straight(self.length))
            return rows if player == 0 else transversals(rows)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from inspect import Parameter, signature
from string import ascii_letters
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError, RulesError
from zermelo.game.contract import Game
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome

#: The most bits that the cells of a board may take.
MOST_BITS = 62
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
#: The hooks that a declaration replaces, and further hooks that change the game.
_RULES = (
    *("start", "moves", "play", "outcome", "player_to_move", "start_parity"),
    *("line_masks", "masks_by_player", "lines_differ", "full_mask", "bit", "stride", "field_bits"),
)
_MORE = ("starts", "turn", "winner", "gain", "score", "canonical")


class Stones(NamedTuple):
    """The stones of both players, one bit a cell; see ``PlacementGame.bit``.

    Attributes:
        mine: the stones of the player to move.
        theirs: the stones of the other player.
    """

    mine: int
    theirs: int


class Marks(NamedTuple):
    """The marks on the board, one bit a cell; see ``PlacementGame.bit``.

    Attributes:
        crosses: the cells marked with a cross, by either player.
        rings: the cells marked with a ring.
    """

    crosses: int
    rings: int


def _takes_player(kind: type[PlacementGame]) -> bool:
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [
        parameter
        for parameter in signature(kind.lines).parameters.values()
        if parameter.kind in positional
    ]
    return len(parameters) > 1


class PlacementGame(Game):
    """A game in which two players fill the cells of a board, and lines of cells win or lose.

    Textbooks call these positional games. A subclass is a frozen dataclass with ``width`` and
    ``height``, as fields, properties or class attributes (a board that is not a grid is one row of
    cells), and the method ``lines``.

    The first player to own all cells of a line wins (or loses) immediately. If the players have
    different lines, write ``lines(player)``: it returns those of player 0 or 1, and a player's
    stones are compared with that player's lines only. If a line is a win for the same player,
    regardless of who makes it, write ``line_winner``. A cell is given by its column and row, or by
    its bit. On a board without gravity, bits count along the rows from the top left; with gravity,
    up the columns from the bottom left, with one bit to spare above each column.

    A game may begin with marks on the board: ``start`` returns them, ``mine`` those of the player
    who moves first.

    Attributes:
        gravity: whether a stone falls to the lowest empty cell of its column; if not, it may be
            put into any empty cell.
        line_loses: whether the player who makes a line loses, instead of winning; may be a
            parameter or a property.
        full_board: outcome, for the player who would have to move, of a full board without a
            line; may be a property.
    """

    players: ClassVar[tuple[str, str]] = ("X", "O")
    if TYPE_CHECKING:  # each may be an attribute of the class, a parameter or a property

        @property
        def width(self) -> int:
            """The number of columns."""

        @property
        def height(self) -> int:
            """The number of rows."""

        @property
        def gravity(self) -> bool:
            """Whether a stone falls to the lowest empty cell of its column."""

        @property
        def line_loses(self) -> bool:
            """Whether the player who makes a line loses."""

        @property
        def full_board(self) -> Outcome:
            """The outcome of a full board without a line, for the player who would have to move."""

    else:
        gravity = False
        line_loses = False
        full_board = DRAW

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Raise an error for a ``has_line`` that cannot know whose lines it should find."""
        super().__init_subclass__(**kwargs)
        if _takes_player(cls) and cls.has_line is not PlacementGame.has_line:
            message = (
                f"{cls.__name__} has lines(player), and a has_line(stones) that does not know "
                "whose stones it sees; write has_line_of(player, stones) instead"
            )
            raise RulesError(message)

    def lines(self, *args: Any, **kwargs: Any) -> Iterable[Iterable[int]]:
        """Return every line, as the bits of its cells; ``straight`` makes the usual ones.

        Write ``lines(self)``, or ``lines(self, player)`` if the players have different lines.
        """
        del args, kwargs
        raise NotImplementedError(self._missing("lines", "returns the bits of each line's cells"))

    def has_line(self, stones: int) -> bool:
        """Return whether these stones, one bit a cell, have a line.

        A subclass may override this with a faster method that gives the same result as ``lines()``.
        """
        for line in self.line_masks:
            if stones & line == line:
                return True
        return False

    def has_line_of(self, player: int, stones: int) -> bool:
        """Return whether these stones of a player, one bit a cell, have a line of that player.

        A subclass may override this with a faster method that gives the same result as
        ``lines(player)``.
        """
        if self.lines_differ:
            for line in self.masks_by_player[player]:
                if stones & line == line:
                    return True
            return False
        return self.has_line(stones)

    def line_winner(self, player: int) -> int:
        """Return the winner by a line that a player makes, 0 or 1: that player, or the other.

        A subclass may override this, as in Order and Chaos, where each line is a win for Order.
        """
        return 1 - player if self.line_loses else player

    @cached_property
    def start_parity(self) -> int:
        """1 if the game begins with an odd number of marks on the board, otherwise 0."""
        first, second = marks_of(self, self.start())
        return (first | second).bit_count() % 2

    def player_to_move(self, board: Any) -> int:
        """Return the player to move: 0 in ``start``, and then alternately.

        A subclass may override this if a move does not fill one cell.
        """
        marks: int = board.mine | board.theirs
        return (marks.bit_count() + self.start_parity) % 2

    # -- the board -----------------------------------------------------------------------------

    @property
    def stride(self) -> int:
        """Bits from a column to the next (with gravity), or from a row to the next."""
        return int(self.height) + 1 if self.gravity else int(self.width)

    @property
    def field_bits(self) -> int:
        """The number of bits of the cells."""
        return int(self.width) * self.stride - 1 if self.gravity else int(self.width * self.height)

    def bit(self, column: int, row: int) -> int:
        """Return the bit of a cell.

        Rows count from the bottom with gravity, otherwise from the top.
        """
        return column * self.stride + row if self.gravity else row * self.stride + column

    def straight(self, length: int) -> Iterator[tuple[int, ...]]:
        """Yield each ``length`` cells in a row: horizontal, vertical and on both diagonals."""
        for column in range(self.width):
            for row in range(self.height):
                for right, up in _DIRECTIONS if length > 1 else _DIRECTIONS[:1]:
                    last = row + up * (length - 1)
                    if column + right * (length - 1) < self.width and 0 <= last < self.height:
                        yield tuple(
                            self.bit(column + right * i, row + up * i) for i in range(length)
                        )

    @property
    def lines_differ(self) -> bool:
        """Whether ``lines`` takes a player."""
        return _takes_player(type(self))

    @cached_property
    def line_masks(self) -> tuple[int, ...]:
        """Each line as a mask, its cells' bits set; those of both players if they differ."""
        first, second = self.masks_by_player
        return tuple(dict.fromkeys(first + second)) if self.lines_differ else first

    @cached_property
    def masks_by_player(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The lines of the first player as masks, and those of the second."""
        if self.lines_differ:
            return self._masks_of(self.lines(0)), self._masks_of(self.lines(1))
        masks = self._masks_of(self.lines())
        return masks, masks

    def _masks_of(self, lines: Iterable[Any]) -> tuple[int, ...]:
        """Return lines as masks.

        Raises:
            RulesError: one has a bit without a cell.
        """
        cells = {bit for bit in range(self.full_mask.bit_length()) if self.full_mask >> bit & 1}
        rows = [tuple(line) if isinstance(line, Iterable) else line for line in lines]
        for line in rows:
            if not isinstance(line, tuple) or not cells.issuperset(line):
                message = (
                    f"{type(self).__name__}.lines() has the line {line!r}; a line is the bits of "
                    f"its cells, each between 0 and {max(cells)}: self.bit(column, row) returns one"
                )
                raise RulesError(message)
        return _masks(rows)

    @property
    def full_mask(self) -> int:
        """The bits of all cells."""
        return sum(
            1 << self.bit(column, row) for column in range(self.width) for row in range(self.height)
        )

    # -- rules ---------------------------------------------------------------------------------

    def start(self) -> Any:
        """Return the empty board."""
        return Stones(0, 0)

    def outcome(self, board: Any) -> Outcome | None:
        """Return the outcome by a line, or by a full board; None while the game goes on."""
        last = 1 - self.player_to_move(board)
        if self.has_line_of(last, board.theirs):
            return LOSS if self.line_winner(last) == last else WIN
        if board.mine | board.theirs == self.full_mask:
            return self.full_board
        return None

    def moves(self, board: Any) -> Iterator[int]:
        """Yield each column that is not full (with gravity), or the bit of each empty cell."""
        stones = board.mine | board.theirs
        if self.gravity:
            for column in range(self.width):
                if not stones >> (column * self.stride + self.height - 1) & 1:
                    yield column
        else:
            for cell in range(self.field_bits):
                if not stones >> cell & 1:
                    yield cell

    def play(self, board: Any, move: int) -> Any:
        """Return the board after a stone was placed, from the view of the other player."""
        if self.gravity:
            stones = board.mine | board.theirs
            # An addition at the foot of a column carries through its stones to the first empty
            # cell.
            stone = stones + (1 << move * self.stride) & ~stones
            return Stones(board.theirs, board.mine | stone)
        return Stones(board.theirs, board.mine | 1 << move)

    def level(self, board: Any) -> int:
        """Return the number of filled cells."""
        stones: int = board.mine | board.theirs
        return stones.bit_count()

    def space(self) -> Any:
        """Return the range of each field."""
        stones: Any = range(1 << self.field_bits)
        return Stones(stones, stones)

    def validate(self) -> None:
        """Raise ParameterError unless the board has cells, and few enough for its bits."""
        for name in ("width", "height"):
            if not hasattr(self, name):
                kind = type(self).__name__
                message = f"{kind} has no {name}; write it as a field, as in {name}: int = 3"
                raise RulesError(message)
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                message = f"{name} must be a whole number of at least 1, not {number!r}"
                raise ParameterError(message)
        if self.field_bits > MOST_BITS:
            message = (
                f"a board of width {self.width!r} and height {self.height!r} takes "
                f"{self.field_bits} bits; keep to {MOST_BITS}"
            )
            raise ParameterError(message)

    # -- drawing -------------------------------------------------------------------------------

    def show(self, board: Any) -> str:
        """Return the rows of ``X``, ``O`` and ``.`` from the top, with gravity columns' letters."""
        rows = self._rows(*self._crosses_and_rings(board))
        labels = [ascii_letters[: self.width]] if self.gravity else []
        return "\n".join(" ".join(row) for row in [*rows, *labels])

    def svg(self, board: Any) -> str:
        """Return a picture of the board."""
        rows, across = self._rows(*self._crosses_and_rings(board)), range(self.width)
        discs, labels = ("XO", ascii_letters[: self.width]) if self.gravity else ("", "")
        moves = [
            [
                self._place(column if self.gravity else row * self.stride + column)
                for column in across
            ]
            for row in range(self.height)
        ]
        title = " / ".join(rows)
        if self._marks:
            rows += [" ", self._marks]
            moves += [[""], [f" {mark}" for mark in self._marks]]
        return drawing.grid(rows, discs=discs, title=title, below=labels, moves=moves)

    def name(self, move: int) -> str:
        """Return the letter of a column, with the row if it can be chosen: ``a1``, ``b1``."""
        return self._place(move)

    def parse(self, text: str) -> Any:
        """Return the board of a text: rows from the top, separated by line breaks or slashes."""
        crosses, rings = self._read(text)
        first, second = crosses.bit_count(), rings.bit_count()
        if begins_empty(self) and first - second not in (0, 1):
            message = (
                f"{text!r} has {first} X and {second} O; X goes first, so there must be as many X "
                "as O, or one more"
            )
            raise PositionError(message)
        board = Stones(crosses, rings)
        return Stones(rings, crosses) if self.player_to_move(board) else board

    @property
    def _marks(self) -> str:
        """The marks that a player may choose from, besides the cell."""
        return ""

    def _place(self, place: int) -> str:
        if self.gravity:
            return ascii_letters[place]
        row, column = divmod(place, self.stride)
        return f"{ascii_letters[column]}{self.height - row}"

    def _crosses_and_rings(self, board: Any) -> tuple[int, int]:
        first = self.player_to_move(board) == 0
        return (board.mine, board.theirs) if first else (board.theirs, board.mine)

    def _rows(self, crosses: int, rings: int) -> list[str]:
        order = range(self.height)
        return [
            "".join(
                "X" if crosses >> bit & 1 else "O" if rings >> bit & 1 else "."
                for bit in (self.bit(column, row) for column in range(self.width))
            )
            for row in (reversed(order) if self.gravity else order)
        ]

    def _read(self, text: str) -> tuple[int, int]:
        """Return the crosses and rings of a board in the form of ``show``.

        Raises:
            PositionError: the text is not such a board.
        """
        lines = ("".join(line.split()) for line in text.replace("/", "\n").splitlines())
        rows = [line for line in lines if set(line) & set("XO.")]
        wrong = next((mark for row in rows for mark in row if mark not in "XO."), None)
        if wrong is not None:
            message = f"{text!r} has a mark {wrong!r}; write X, O, and . for an empty square"
            raise PositionError(message)
        if [len(row) for row in rows] != [self.width] * self.height:
            message = f"{text!r} is not {self.height} rows of {self.width} squares; "
            raise PositionError(message + "separate rows by /")
        if self.gravity:
            rows.reverse()
        masks = {"X": 0, "O": 0, ".": 0}
        for row, marks in enumerate(rows):
            for column, mark in enumerate(marks):
                mark_below = rows[row - 1][column] if row else "X"
                if self.gravity and mark != "." and mark_below == ".":
                    message = f"{text!r} has a stone above an empty square in column "
                    raise PositionError(message + f"{ascii_letters[column]!r}; move it down")
                masks[mark] |= 1 << self.bit(column, row)
        return masks["X"], masks["O"]


class MarkingGame(PlacementGame):
    """A placement game with shared marks: a line belongs to the player who completes it.

    Attributes:
        choice: whether a player may choose between a cross and a ring, as in wild tic-tac-toe;
            if not, both place crosses only, as in Notakto.
    """

    players: ClassVar[tuple[str, str]] = ("first", "second")
    choice: ClassVar[bool] = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Raise an error for lines of a player, as marks belong to neither player."""
        super().__init_subclass__(**kwargs)
        if _takes_player(cls):
            message = (
                f"{cls.__name__} has lines(player), but marks of a MarkingGame belong to nobody; "
                "write lines() without a player, and line_winner(player) to say who wins by a line"
            )
            raise RulesError(message)

    def start(self) -> Any:
        """Return the empty board."""
        return Marks(0, 0)

    def player_to_move(self, board: Any) -> int:
        """Return the player to move: 0 in ``start``, and then alternately."""
        marks: int = board.crosses | board.rings
        return (marks.bit_count() + self.start_parity) % 2

    def outcome(self, board: Any) -> Outcome | None:
        """Return the outcome by a line, or by a full board; None while the game goes on."""
        if self.has_line(board.crosses) or self.has_line(board.rings):
            last = 1 - self.player_to_move(board)
            return LOSS if self.line_winner(last) == last else WIN
        if board.crosses | board.rings == self.full_mask:
            return self.full_board
        return None

    def moves(self, board: Any) -> Iterator[int]:
        """Yield 2 * place + mark: the mark is 0 for a cross and 1 for a ring.

        The place is a column that is not full (with gravity), or the bit of an empty cell.
        """
        marks = board.crosses | board.rings
        if self.gravity:
            for column in range(self.width):
                if not marks >> (column * self.stride + self.height - 1) & 1:
                    yield 2 * column
                    if self.choice:
                        yield 2 * column + 1
        else:
            for cell in range(self.field_bits):
                if not marks >> cell & 1:
                    yield 2 * cell
                    if self.choice:
                        yield 2 * cell + 1

    def play(self, board: Any, move: int) -> Any:
        """Return the board after a mark was placed."""
        marks = board.crosses | board.rings
        stone = 1 << (move >> 1)
        if self.gravity:
            stone = marks + (1 << (move >> 1) * self.stride) & ~marks
        if move & 1:
            return Marks(board.crosses, board.rings | stone)
        return Marks(board.crosses | stone, board.rings)

    def level(self, board: Any) -> int:
        """Return the number of filled cells."""
        marks: int = board.crosses | board.rings
        return marks.bit_count()

    def space(self) -> Any:
        """Return the range of each field."""
        marks: Any = range(1 << self.field_bits)
        zero: Any = range(1)
        return Marks(marks, marks if self.choice else zero)

    def name(self, move: int) -> str:
        """Return the place, and the mark if it can be chosen: ``a1 X``."""
        place = self._place(move >> 1)
        return f"{place} {'XO'[move & 1]}" if self.choice else place

    def parse(self, text: str) -> Any:
        """Return the board of a text: rows from the top, separated by line breaks or slashes."""
        return Marks(*self._read(text))

    @property
    def _marks(self) -> str:
        """The marks that a player may choose from, besides the cell."""
        return "XO" if self.choice else ""

    def _crosses_and_rings(self, board: Any) -> tuple[int, int]:
        return board.crosses, board.rings


def transversals(lines: Iterable[Iterable[int]]) -> list[tuple[int, ...]]:
    """Return the minimal sets of cells that have a cell of every line.

    A player who owns one of them has stopped every line: Breaker's goal, if Maker wants a line.

    Args:
        lines: each as the bits of its cells.

    Returns:
        The minimal sets, in ascending order. There may be many, up to exponentially many in the
        number of lines, which are added one by one.
    """
    sets = [0]
    for line in _masks(lines):
        kept = [cells for cells in sets if cells & line]
        extended = {
            cells | 1 << bit
            for cells in sets
            if not cells & line
            for bit in range(line.bit_length())
            if line >> bit & 1
        }
        # A set with a subset that is one already is not minimal.
        sets = kept + [cells for cells in extended if all(part & ~cells for part in kept)]
    bits = [tuple(bit for bit in range(cells.bit_length()) if cells >> bit & 1) for cells in sets]
    return sorted(bits)


def base_of(game: PlacementGame) -> type[PlacementGame]:
    """Return the class whose rules a game inherits."""
    return MarkingGame if isinstance(game, MarkingGame) else PlacementGame


def marks_of(game: PlacementGame, board: Any) -> tuple[int, int]:
    """Return the marks of both kinds on a board; a subclass may have further fields."""
    if isinstance(game, MarkingGame):
        return board.crosses, board.rings
    return board.mine, board.theirs


def begins_empty(game: PlacementGame) -> bool:
    """Return whether the empty board is the only start of a game."""
    return type(game).start is base_of(game).start and not hasattr(game, "starts")


def own_rule_clause(game: PlacementGame) -> str | None:
    """Return a clause on a game's own rules besides its declarations, or None.

    ``has_line`` and ``has_line_of`` do not count: they only find the declared lines in another way.
    """
    kind = type(game)
    base = base_of(game)
    for name in _RULES:
        if getattr(kind, name) is not getattr(base, name):
            return f"which has {name}() of its own"
    for name in _MORE:
        if getattr(kind, name, None) is not None:
            return f"which has {name}() besides what it declares"
    return None


def _masks(lines: Iterable[Iterable[int]]) -> tuple[int, ...]:
    return tuple(sum(1 << bit for bit in set(line)) for line in lines)
