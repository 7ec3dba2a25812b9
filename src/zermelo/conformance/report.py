"""The result of a check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from zermelo.forms.quantities import count_phrase

ERROR, HINT = "error", "hint"


class ProblemKind(StrEnum):
    """The kinds of problems, each with the property that should hold."""

    # Errors of the class itself
    DATACLASS = "dataclass"  #: a game with parameters is a dataclass
    FROZEN = "frozen"  #: nothing may change a game's parameters
    PARAMETER = "parameter"  #: a parameter is a whole number, a string, a tuple or an array
    MISSING = "missing"  #: start, moves and play have to be there
    SIGNATURE = "signature"  #: a hook takes the arguments the contract says
    CLASH = "clash"  #: some hooks exclude or need each other
    PLAYERS = "players"  #: players are two names
    CONTRACT = "contract"  #: the class is otherwise a game
    # Errors at a position
    START = "start"  #: start returns a position, the first of starts
    RAISES = "raises"  #: a rule raised an error
    ENDLESS = "endless"  #: a rule or its generator does not end
    MOVES = "moves"  #: moves yields numbers or tuples of them
    CHANCE = "chance"  #: chance yields weights and positions, where nobody is to move
    PLAY = "play"  #: play takes what moves yields
    POSITION = "position"  #: a position keeps its shape, and holds whole numbers
    WIDTH = "width"  #: a field leaves its bits
    SPACE = "space"  #: a field leaves the range that space gives it
    OUTCOME = "outcome"  #: outcome returns WIN, DRAW, LOSS or None
    WINNER = "winner"  #: winner returns 0, 1, NOBODY or None
    TURN = "turn"  #: turn returns 0 or 1
    POINTS = "points"  #: gain and score return whole numbers, and margins are not too large
    # Errors between positions
    CHANGES = "changes"  #: a rule gives equal answers in equal calls
    OVER = "over"  #: the start is not terminal; a hint if it has no moves, either
    ALTERNATION = "alternation"  #: the turn passes from one player to the other
    CYCLE = "cycle"  #: no points are made in a cycle
    LEVEL = "level"  #: no move lowers the level
    LEGAL = "legal"  #: moves from legal positions lead to legal ones
    CANONICAL = "canonical"  #: canonical keeps the value, and is idempotent
    SPLIT = "split"  #: the nimbers of a position's components sum to its nimber
    PASSING = "passing"  #: pass_turn passes the turn, and two calls restore the position
    BOUNDS = "bounds"  #: bounds enclose the value of the position
    ENOUGH = "enough"  #: one of the moves that enough yields is as good as any
    PROMISE = "promise"  #: promise returns a whole number
    SYMMETRIES = "symmetries"  #: images of a position have images of its moves
    DECLARATION = "declaration"  #: a game's declarations for solvers agree with its rules
    # Errors of text for readers
    SHOW = "show"  #: show and svg return text
    NAME = "name"  #: name returns text
    PARSE = "parse"  #: parse reads what show writes
    # Errors of the compiled rules
    COMPILE = "compile"  #: a rule cannot be compiled
    COMPILED = "compiled"  #: compiled rules agree with Python
    # Hints
    MISSPELT = "misspelt"  #: no method has nearly the name of a hook
    REPEATED = "repeated"  #: moves yields each move once
    POSITIONS = "positions"  #: moves yields moves, not positions
    DEAD_END = "dead-end"  #: a position without moves counts as lost
    NO_END = "no-end"  #: some game ends
    MISERE = "misere"  #: misère play is another game
    ALWAYS_WIN = "always-win"  #: outcome may be meant for the other player
    UNSCORED = "unscored"  #: the outcome of a score game is its score
    CONSTANT = "constant"  #: a field of positions changes
    GROWING = "growing"  #: a number that every move raises has a bound
    ONE_MOVE = "one-move"  #: some position has two moves
    ONE_WINNER = "one-winner"  #: the moves decide who wins
    TAKEN = "taken"  #: marks are put on free cells
    UNUSED = "unused"  #: outcome or winner ends some game
    DOCSTRING = "docstring"  #: the class has a docstring, its description
    NO_SHOW = "no-show"  #: the class has show, which prints positions


@dataclass(frozen=True, slots=True)
class Problem:
    """A breach of the contract, or a possible improvement.

    Attributes:
        kind: a word for it, such as ``"turn"`` or ``"dead-end"``.
        severity: ``"error"`` for a breach of the contract, ``"hint"`` for the rest.
        message: a sentence that names the hook and ends with what to do.
        position: a position with the problem, or None.
    """

    kind: ProblemKind
    severity: str
    message: str
    position: Any = None

    def __str__(self) -> str:
        """Return the severity and the sentence."""
        return f"{self.severity}: {self.message}"


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The result of ``check``; true if nothing breaks the contract.

    Attributes:
        name: the name of the game's class.
        problems: the problems, errors first, one of each kind.
        positions: the number of positions checked.
        complete: whether these are all positions that can be reached from the starts.
        compiled: whether the compiled rules were compared too, which is only done if there is no
            error in Python.
        images: the number of further images by ``symmetries`` that were compared, compiled: of all
            positions if the game was solved, else of those of random games; 0 if the images in
            Python were all, or there is an error.
        every_image: whether these are all images of all positions.
        seconds: wall-clock seconds of the check.
    """

    name: str
    problems: tuple[Problem, ...]
    positions: int
    complete: bool
    compiled: bool
    images: int
    every_image: bool
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether there is no error; hints are allowed."""
        return not self.errors

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that break the contract."""
        return tuple(problem for problem in self.problems if problem.severity == ERROR)

    @property
    def hints(self) -> tuple[Problem, ...]:
        """The problems that do not break the contract."""
        return tuple(problem for problem in self.problems if problem.severity == HINT)

    def __bool__(self) -> bool:
        """Return whether there is no error."""
        return self.ok

    def __str__(self) -> str:
        """Return a line of summary, and one for each problem."""
        verdict = "keeps the contract" if self.ok else "breaks the contract"
        how_many = count_phrase(self.positions, "positions")
        how_many = f"all {how_many}" if self.complete and self.positions > 1 else how_many
        form = "in Python and compiled" if self.compiled else "in Python"
        images = f", and {'all ' * self.every_image}{self.images:,} images by symmetries"
        head = f"{self.name} {verdict}: {how_many} checked, {form}{images if self.images else ''}"
        return "\n".join([head, *(f"  {problem}" for problem in self.problems)])

    def __repr__(self) -> str:
        """Return the first line, and the number of problems."""
        count_text = f"; {len(self.problems)} problems" if len(self.problems) > 1 else ""
        problem_text = f"; {self.problems[0]}" if len(self.problems) == 1 else count_text
        return f"<Report: {str(self).splitlines()[0]}{problem_text}>"

    def _repr_html_(self) -> str:
        """Return the verdict and a table of the problems, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.report(self)


class ContractError(Exception):  # a finding on its way to the report, not a failure of ours
    """A problem raised by a check.

    Attributes:
        problem: the problem.
        subject: a distinction from others of its kind, such as the hook.
    """

    def __init__(
        self, kind: ProblemKind, message: str, position: Any = None, *, subject: str = ""
    ) -> None:
        """Create an error of a kind."""
        super().__init__(message)
        self.problem = Problem(kind, ERROR, message, position)
        self.subject = subject

    @property
    def statement(self) -> str:
        """The message without the advice."""
        return self.problem.message.rpartition("; ")[0]


class Findings:
    """The problems found so far: the first of each kind, as further ones add little."""

    def __init__(self) -> None:
        """Create an empty list."""
        self._problems: dict[tuple[ProblemKind, str], Problem] = {}

    def add(self, fault: ContractError) -> None:
        """Add the problem of a fault."""
        self._problems.setdefault((fault.problem.kind, fault.subject), fault.problem)

    def error(
        self, kind: ProblemKind, message: str, position: Any = None, *, subject: str = ""
    ) -> None:
        """Add an error."""
        self._problems.setdefault((kind, subject), Problem(kind, ERROR, message, position))

    def hint(
        self, kind: ProblemKind, message: str, position: Any = None, *, subject: str = ""
    ) -> None:
        """Add a hint."""
        self._problems.setdefault((kind, subject), Problem(kind, HINT, message, position))

    def has(self, *kinds: ProblemKind) -> bool:
        """Return whether there is a problem of one of these kinds."""
        return any(kind in kinds for kind, _ in self._problems)

    def has_error(self, *kinds: ProblemKind) -> bool:
        """Return whether there is an error of one of these kinds."""
        return any(
            kind in kinds and problem.severity == ERROR
            for (kind, _), problem in self._problems.items()
        )

    @property
    def broken(self) -> bool:
        """Whether there is an error."""
        return any(problem.severity == ERROR for problem in self._problems.values())

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems, errors first."""
        return tuple(sorted(self._problems.values(), key=lambda problem: problem.severity == HINT))
