"""The answers of a solution: named results instead of plain numbers and tuples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.forms import notebook_html as forms
from zermelo.forms.columns import Columns, columns_of_rows, flat_cells, one_batch
from zermelo.forms.pictures import Picture, PicturedAnswer
from zermelo.forms.quantities import count_phrase, every_phrase
from zermelo.values.outcomes import ExpectedValue, Outcome, Value
from zermelo.values.rolls import likeliest, roll

if TYPE_CHECKING:
    from random import Random

#: The most moves of a line in its ``repr``.
_MOST_NAMED = 12


@dataclass(frozen=True, slots=True, repr=False)
class Option:
    """A move with its value.

    Attributes:
        move: the move.
        name: the game's name for it.
        position: the position after it.
        value: its value for the player who makes it, so that the best option's value is that of the
            position, except for values of partizan games. Remoteness is counted from the position
            before the move.
        odds: of a result of chance, in the place of a move, its weight and the sum of all weights;
            otherwise None. Its value is that after it, for the player whose turn it is before it.
    """

    move: Any
    name: str
    position: Any
    value: Value
    odds: tuple[int, int] | None = None

    def __repr__(self) -> str:
        """Return the move's name and its value."""
        return f"<Option {self.name}: {self.value}>"

    def _repr_html_(self) -> str:
        """Return the move and its value, for notebooks."""
        return forms.option(self)


class Options(list[Option], Columns):
    """Every move in a position with its value, best first: a list that notebooks draw.

    Where chance decides, it has the results of chance in their order, and none of them is best. As
    columns (``to_pandas``, ``to_arrow``) a row is a move.

    Attributes:
        position: the position.
        rules: the rules, with names and pictures; None without rules.
        best_options: the best of the moves; in a game with chance all that may be best, as their
            bounds overlap.
    """

    def __init__(
        self,
        options: Iterable[Option] = (),
        *,
        position: Any = None,
        rules: Any = None,
        best: Callable[[list[Option]], list[Option]] | None = None,
        describe: Callable[[list[Option]], list[str]] | None = None,
    ) -> None:
        """Create the list; ``best`` selects the best of them, and ``describe`` gives the notes."""
        super().__init__(options)
        self.position = position
        self.rules = rules
        self.best_options = best(self) if best is not None and self else []
        self._describe = describe

    @property
    def notes(self) -> list[str]:
        """For each move a phrase on its role in the value of the position, or "".

        With values of partizan games it is ``canonical`` if the value of the move is an option of
        the canonical form, and otherwise says that it is dominated or reversible.
        """
        return [""] * len(self) if self._describe is None else self._describe(self)

    @property
    def by_chance(self) -> bool:
        """Whether chance decides in the position, so that these are its results."""
        return bool(self) and self[0].odds is not None

    @property
    def undecided(self) -> bool:
        """Whether several moves may be best, and more precise bounds could tell them apart.

        This occurs only in games with chance: see the ``precision`` of ``zermelo.solve``.
        """
        values = [option.value for option in self.best_options]
        return any(isinstance(value, ExpectedValue) and value != values[0] for value in values)

    def _repr_html_(self) -> str:
        """Return the board with the moves marked, and a table of them, for notebooks."""
        return forms.options(self)

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        best = {id(each) for each in self.best_options}
        rows = [
            {
                **dict(flat_cells("move", option.move)),
                "name": option.name,
                **value_cells(option.value),
                "best": id(option) in best,
                **dict(flat_cells("position", option.position)),
            }
            for option in self
        ]
        return one_batch(columns_of_rows(rows), frozenset({"outcome"}))


@dataclass(slots=True, repr=False)
class Line(Columns, PicturedAnswer):
    """A line of perfect play. Notebooks draw it as a film; ``save`` writes it as one.

    As columns (``to_pandas``, ``to_arrow``) a row is a move.

    Attributes:
        start: the first position.
        moves: the moves, in order.
        positions: the position after each move.
        ends: ``"terminal"`` if the game ends; ``"repeats"`` if the last position occurred before,
            so that perfect play never ends; ``"cut"`` if the line was cut, also where the likeliest
            results of chance lead back to a position; ``"unknown"`` if its
            proof says nothing more; ``"unproved"`` if it is the best line so far of an unfinished
            search, without a proof.
        names: the game's name for each move.
        rules: the rules, with pictures of positions; None without rules.
    """

    start: Any
    moves: list[Any]
    positions: list[Any]
    ends: str
    names: list[str] = field(default_factory=list)
    rules: Any = field(default=None, compare=False)

    def __len__(self) -> int:
        """Return the number of moves."""
        return len(self.moves)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the moves."""
        return iter(self.moves)

    def __repr__(self) -> str:
        """Return a text with the names of the first moves, and the end of the line."""
        names = ", ".join(self.names[:_MOST_NAMED])
        hidden = len(self.names) - _MOST_NAMED
        listing = f"{names} … and {hidden:,} more" if hidden > 0 else names
        moves = count_phrase(len(self), "moves")
        return f"<Line of {moves}{': ' * bool(listing)}{listing}; {forms.ENDS[self.ends]}>"

    @property
    def picture(self) -> Picture:
        """The positions as a picture of several frames, each with the move before it.

        Raises:
            ParameterError: the line has no rules, and so no pictures.
        """
        if self.rules is None:
            message = "this line has no rules to draw it by; take one of Solution.line"
            raise ParameterError(message)
        captions = ["start", *(f"{n}. {name}" for n, name in enumerate(self.names, 1))]
        frames = [self.rules.position_svg(position) for position in (self.start, *self.positions)]
        return Picture(tuple(frames), tuple(captions))

    def _repr_html_(self) -> str:
        """Return the positions in sequence, like a film, for notebooks."""
        return forms.line(self)

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        rows = [
            {
                "ply": ply,
                **dict(flat_cells("move", move)),
                "name": name,
                **dict(flat_cells("position", after)),
            }
            for ply, (move, name, after) in enumerate(
                zip(self.moves, self.names, self.positions, strict=True), 1
            )
        ]
        return one_batch(columns_of_rows(rows))


def follow_first_options(
    start: Any,
    options: Callable[[Any], Sequence[Option]],
    longest: int | None,
    rules: Any = None,
    dice: Random | None = None,
) -> Line:
    """Return the line of play that takes the first option in each position.

    Args:
        start: the first position.
        options: returns the options in a position, best first; empty if the game is over.
        longest: the number of moves after which the line is cut; None for no limit.
        rules: the rules, for pictures of the line.
        dice: draws the results of chance; by default the likeliest one, or the first of them.
    """
    line = Line(start, [], [], "terminal", rules=rules)
    position, visited = start, {start}
    is_certain = True  # whether no chance has decided among the positions visited
    while choices := options(position):
        if longest is not None and len(line.moves) >= longest:
            line.ends = "cut"
            return line
        if choices[0].value.is_unknown:
            line.ends = "unknown"
            return line
        choice = choices[0]
        if choice.odds is not None:
            choice = likeliest(choices) if dice is None else roll(choices, dice)
            is_certain = False
            if dice is not None:
                visited, is_certain = set(), True  # as the next roll may be another
        position = choice.position
        line.moves.append(choice.move)
        line.names.append(choice.name)
        line.positions.append(position)
        if position in visited:
            line.ends = "repeats" if is_certain else "cut"
            return line
        visited.add(position)
    return line


@dataclass(frozen=True, slots=True, repr=False)
class Probes(Columns):
    """The values of many positions, as arrays. As columns, a row is a position.

    Attributes:
        found: whether each can be reached, shape (n,), bool.
        outcome: 1, 0 or -1 (WIN, DRAW, LOSS) for the player to move, int8; 0 if it is not found.
        remoteness: plies to the end, int64; -1 without one.
        score: margins for the player to move, int64, in a score game; otherwise None.
        nimber: nimbers, int64, if they were requested; otherwise None. It is -1 for a position
            without a nimber, as play need not end.
        infinity: if nimbers were requested, for a position without one the nimbers of its
            successors, as the bits of an int64: 5 for 0 and 2. It is -1 if there is a nimber, or
            the position was not found; None if nimbers were not requested.
        bounds: in a game with chance, the lower and the upper bound of the expectation, shape
            (n, 2), float64; otherwise None.
        value: if values of partizan games were requested, these, shape (n,), as objects; None for a
            position that was not found. As a column they are texts. Otherwise None.
    """

    found: npt.NDArray[np.bool_]
    outcome: npt.NDArray[np.int8]
    remoteness: npt.NDArray[np.int64]
    score: npt.NDArray[np.int64] | None
    nimber: npt.NDArray[np.int64] | None = None
    infinity: npt.NDArray[np.int64] | None = None
    bounds: npt.NDArray[np.float64] | None = None
    value: npt.NDArray[Any] | None = None

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.found)

    def __repr__(self) -> str:
        """Return a text with the number of positions, and the number found."""
        return (
            f"<Probes of {count_phrase(len(self), 'positions')}, {int(self.found.sum()):,} found>"
        )

    def _repr_html_(self) -> str:
        """Return the number of positions of each outcome, for notebooks."""
        return forms.probes(self)

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        words = np.array(["draw", "win", "loss"], object)[self.outcome]
        words[~self.found] = None
        columns: dict[str, Any] = {"found": self.found, "outcome": words}
        if self.value is not None:
            texts = [None if value is None else str(value) for value in self.value]
            columns["value"] = np.array(texts, object)
        for name in ("remoteness", "score", "nimber") if self.value is None else ():
            numbers = getattr(self, name)
            if numbers is not None:
                cells = numbers.astype(object)
                cells[~self.found | ((numbers < 0) & (name != "score"))] = None
                columns[name] = cells
        for place, name in enumerate(("lower", "upper") if self.bounds is not None else ()):
            cells = self.bounds[:, place].astype(object)  # type: ignore[index]  # just tested
            cells[~self.found] = None
            columns[name] = cells
        return one_batch(columns, frozenset({"outcome"}))


@dataclass(frozen=True, slots=True, repr=False)
class Counts(Columns):
    """The number of positions of each value. As columns, a row is a value.

    Attributes:
        win: positions won for the player to move (score games: with a margin above 0).
        draw: positions drawn, ``tie`` and ``endless`` together (score games: margin 0).
        loss: positions lost for the player to move (score games: margin below 0).
        tie: draws that the rules declare.
        endless: draws because neither side can force an end.
        by_remoteness: positions by (outcome, remoteness), best first; empty if values have none.
        by_score: positions by score, for a score game; otherwise empty.
        by_score_and_plies: positions by (score, plies), if plies were computed; otherwise empty.
        by_bounds: positions by the bounds of the expectation, in a game with chance; otherwise
            empty. If there are more than 65,536 different expectations, positions by the part of
            their range, and sure draws.
        by_nimber: positions by nimber, if nimbers were requested; otherwise empty.
        by_infinity: if nimbers were requested, positions without one, by the nimbers of their
            successors; otherwise empty.
        by_value: positions by the game that they are worth, with the player to move as Left, if
            values of partizan games were requested; otherwise empty.
    """

    win: int
    draw: int
    loss: int
    tie: int = 0
    endless: int = 0
    by_remoteness: dict[tuple[Outcome, int | None], int] = field(default_factory=dict)
    by_score: dict[int, int] = field(default_factory=dict)
    by_nimber: dict[int, int] = field(default_factory=dict)
    by_infinity: dict[tuple[int, ...], int] = field(default_factory=dict)
    by_score_and_plies: dict[tuple[int, int | None], int] = field(default_factory=dict)
    by_bounds: dict[tuple[Any, Any], int] = field(default_factory=dict)
    by_value: dict[Value, int] = field(default_factory=dict)

    @property
    def positions(self) -> int:
        """The total number of positions."""
        return self.win + self.draw + self.loss

    @property
    def by_outcome(self) -> dict[str, int]:
        """The number of positions of each outcome, by its name."""
        return {"win": self.win, "draw": self.draw, "loss": self.loss}

    @property
    def draw_word(self) -> str:
        """The word for draws, ``tie`` if the rules declare all of them, otherwise ``draw``."""
        return "tie" if self.draw and self.draw == self.tie else "draw"

    @property
    def text(self) -> str:
        """The number of positions of each outcome, in words."""
        if self.by_bounds:
            return f"{self.win:,} ahead, {self.draw:,} even, {self.loss:,} behind"
        return f"{self.win:,} win, {self.draw:,} {self.draw_word}, {self.loss:,} loss"

    def __repr__(self) -> str:
        """Return a text with the number of positions of each outcome."""
        return f"<Counts of {count_phrase(self.positions, 'positions')}: {self.text}>"

    def _repr_html_(self) -> str:
        """Return the counts as bars, for notebooks."""
        return forms.counts(self)

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        rows: list[dict[str, Any]] = [
            {"outcome": str(outcome), "remoteness": plies, "positions": count}
            for (outcome, plies), count in self.by_remoteness.items()
        ]
        if self.by_score_and_plies:
            rows = [
                {
                    "outcome": _outcome_name(score),
                    "score": score,
                    "remoteness": plies,
                    "positions": count,
                }
                for (score, plies), count in self.by_score_and_plies.items()
            ]
        elif self.by_score:
            rows = [
                {"outcome": _outcome_name(score), "score": score, "positions": count}
                for score, count in self.by_score.items()
            ]
        elif self.by_bounds:
            rows = [
                {"lower": lower, "upper": upper, "positions": count}
                for (lower, upper), count in self.by_bounds.items()
            ]
        elif self.by_value:
            rows = [
                {"outcome": str(value.outcome), "value": str(value), "positions": count}
                for value, count in self.by_value.items()
            ]
        elif self.by_nimber or self.by_infinity:
            rows = [
                {"outcome": "win" if nimber else "loss", "nimber": nimber, "positions": count}
                for nimber, count in self.by_nimber.items()
            ] + [
                {
                    "outcome": "win" if 0 in nimbers else "draw",
                    "infinity": ",".join(map(str, nimbers)),
                    "positions": count,
                }
                for nimbers, count in self.by_infinity.items()
            ]
        elif not rows:
            rows = [{"outcome": name, "positions": n} for name, n in self.by_outcome.items()]
        return one_batch(columns_of_rows(rows), frozenset({"outcome"}))


@dataclass(frozen=True, slots=True, repr=False)
class Verification:
    """The result of the certificate; true if every value is right.

    Attributes:
        ok: whether every value is right.
        positions: the number of positions in the table.
        moves: the number of moves that were checked.
        problem: a sentence on the first fault, or None.
        seconds: its wall-clock seconds.
        position: the position with a wrong value, or None.
    """

    ok: bool
    positions: int
    moves: int
    problem: str | None
    seconds: float
    position: Any = None

    def __bool__(self) -> bool:
        """Return whether every value is right."""
        return self.ok

    def __str__(self) -> str:
        """Return a sentence on the result."""
        if not self.ok:
            return f"not every value is right: {self.problem}"
        verb = "is" if self.positions == 1 else "are"
        moves = count_phrase(self.moves, "moves")
        return f"{every_phrase(self.positions, 'positions')} {verb} right: checked along {moves}"

    def __repr__(self) -> str:
        """Return the sentence on the result, and the seconds that the check took."""
        return f"<Verification: {self}; {self.seconds:.1f} s>"

    def _repr_html_(self) -> str:
        """Return the result, for notebooks."""
        return forms.verification(self)


def value_cells(value: Value) -> dict[str, Any]:
    """Return a value as cells of flat columns: the outcome and its numbers."""
    cells = {"outcome": None if value.outcome is None else str(value.outcome), **_numbers(value)}
    if value.game_text is not None:
        return {"outcome": cells["outcome"], "value": value.game_text}
    if isinstance(value.bounds[0], float):
        cells["lower"], cells["upper"] = value.bounds
    if value.infinity is not None:
        cells["infinity"] = ",".join(map(str, value.infinity))
    return cells


def _numbers(value: Value) -> dict[str, Any]:
    names = ["score"] if value.score is not None else []
    if value.nimber is not None or value.infinity is not None:
        return {"nimber": value.nimber}
    if value.score is None or value.remoteness is not None:
        names.append("remoteness")
    return {name: getattr(value, name) for name in names}


def _outcome_name(score: int) -> str:
    return "win" if score > 0 else "loss" if score else "draw"
