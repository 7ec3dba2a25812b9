"""Commands about a solved game: ``zermelo COMMAND TABLE``, or a game in place of the table."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from zermelo.cli.arguments.game import GameCommand, GameSum, GameSweep, NamedGame
from zermelo.cli.arguments.game_class import GameClass, check_language, find_game, near_file
from zermelo.cli.errors import Stop, did_you_mean
from zermelo.cli.options import limit_options, misere_option, precision_option, value_option
from zermelo.errors import TableWriteError
from zermelo.methods import SUM_VALUES

if TYPE_CHECKING:
    from zermelo.game.contract import Game
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution

Function = TypeVar("Function", bound=Callable[..., Any])

#: How similar to a built-in game's name a word must be to be taken for one, and not for a file.
_NEAR = 0.75
#: The most games that are suggested if a word is neither a file nor a game.
_MOST_SUGGESTED = 2


class TableCommand(GameCommand):
    """A command whose argument ``game`` is the file of a table, or a game.

    With ``table_options`` it is called with either as ``source``, a ``SolutionSource``.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Make the command; all is as for a command about a game."""
        super().__init__(*args, **kwargs)
        self.params[0].metavar = "TABLE_OR_GAME"

    def _resolve_game(self, ctx: click.Context, args: list[str]) -> GameClass | None:
        text = self._game_word(ctx, args)
        return None if text is None or is_table_file(text) else super()._resolve_game(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words after the command's name in the usage line."""
        pieces = super().collect_usage_pieces(ctx)
        return ["TABLE_OR_GAME" if piece == "GAME" else piece for piece in pieces]


def is_table_file(text: str) -> bool:
    """Return whether a word is meant for the file of a table, and not for a game.

    Raises:
        Stop: it is neither, or a file in the language of another program.
    """
    if text.endswith(".py") or ":" in text:
        return False
    check_language(text)
    path = Path(text)
    if path.is_file():
        return True
    from zermelo.games import zoo
    from zermelo.games.aliases import ALIASES, find_games, hyphens

    games = [*zoo(), *ALIASES]
    if text in games or hyphens(text) in games or near_file(text):
        return False
    if path.suffix or len(path.parts) > 1 or path.is_dir():
        return True
    if difflib.get_close_matches(text, games, 1, _NEAR):
        return False
    hint = did_you_mean(find_games(text)[:_MOST_SUGGESTED]) or "; zermelo games lists the games"
    message = f"there is no table and no game {text!r}{hint}"
    raise Stop(message)


@dataclass(frozen=True)
class SolutionSource:
    """The source of a solution: the file of a table, or a game that is solved instead.

    Attributes:
        subject: the file, the game, the games, or the sum of games; None if a command needs none.
        kind: the class of the table's game, if it is not a built-in game.
        ignore_rules: whether to open a table whose rules have changed.
        value: the kind of value to find of a game, or None.
        misere: whether a player who cannot move wins.
        memory: the most bytes to use; by default most of the free memory.
        threads: the number of threads; by default one per core.
        precision: the greatest distance of bounds in a game with chance, or None.
    """

    subject: str | NamedGame | GameSum | GameSweep | None
    kind: str | None
    ignore_rules: bool
    value: str | None
    misere: bool
    memory: int | None
    threads: int | None
    precision: float | None = None

    def __post_init__(self) -> None:
        """Stop if options for a table are given with a game, or the other way round."""
        if isinstance(self.subject, str | GameSum) and self.precision is not None:
            noun = "a table, whose bounds are known" if isinstance(self.subject, str) else "a sum"
            message = f"--precision is for a game, and {self.name!r} is {noun}; leave it out"
            raise Stop(message)
        if isinstance(self.subject, str) and self.value is not None:
            message = f"--value is for a game, and {self.subject!r} is a table; leave --value out"
            raise Stop(message)
        if isinstance(self.subject, str) and self.misere:
            message = f"--misere is for a game, and {self.subject!r} is a table; leave --misere out"
            raise Stop(message)
        if isinstance(self.subject, GameSum) and self.value not in (None, *SUM_VALUES):
            message = (
                f"--value {self.value} is for a game, and {self.name!r} is a sum; leave --value "
                f"out, or write --value {' or '.join(SUM_VALUES)}"
            )
            raise Stop(message)
        if not isinstance(self.subject, str) and (self.kind is not None or self.ignore_rules):
            message = f"--game and --ignore-rules are for the file of a table, not for {self.name}"
            raise Stop(message)

    @property
    def name(self) -> str:
        """The file, or the game's name on the command line."""
        if self.subject is None:
            return "all games"
        return self.subject if isinstance(self.subject, str) else self.subject.name

    def open(self, progress: Listener | None = None) -> Solution:
        """Open the table, or that of the game, which is solved unless its table is cached.

        A game of PGSolver is solved, as its file says all that there is to say.

        Args:
            progress: called with the events of a solve.
        """
        if isinstance(self.subject, NamedGame):
            from zermelo.tables.cache import find_cached

            game = self.subject.game
            if self.precision is not None:  # tables in the cache have the usual one
                return self.solve_game(game, progress)
            solution = find_cached(game, value=self.value, misere=self.misere, threads=self.threads)
            if solution is None:
                solution = self.solve_game(game, progress)
                cache_solution(solution, self.value, self.memory, progress=progress)
            return solution
        if isinstance(self.subject, GameSum):
            return self.solve_sum(progress)
        if Path(self.name).suffix == ".gm":
            from zermelo.graph import ParityGame, read_pgsolver

            game_on_graph = read_pgsolver(self.name, progress=progress)
            if isinstance(game_on_graph, ParityGame):
                message = f"{self.name!r} is a parity game; use zermelo graph with it"
                raise Stop(message)
            return game_on_graph.solve(progress=progress, **self._limits)
        from zermelo.tables.open import open_table

        chosen_kind = None if self.kind is None else find_game(self.kind, lambda _: None).kind
        return open_table(
            self.name, chosen_kind, ignore_rules=self.ignore_rules, threads=self.threads
        )

    def solve_game(self, game: Game, progress: Listener | None) -> Solution:
        """Solve a game."""
        from zermelo.solving import solve

        return solve(
            game,
            value=self.value,
            misere=self.misere,
            precision=self.precision,
            progress=progress,
            **self._limits,
        )

    def solve_sum(self, progress: Listener | None) -> Solution:
        """Solve a sum; of one game alone, that game with either player to begin."""
        from zermelo.sums import sum_of
        from zermelo.tables.open import open_table

        parts = self.subject.parts if isinstance(self.subject, GameSum) else [self.subject]
        games = (
            part.game
            if isinstance(part, NamedGame)
            else open_table(str(part), threads=self.threads)
            for part in parts
        )
        value = self.value if isinstance(self.subject, GameSum) else None
        return sum_of(*games, misere=self.misere, value=value, progress=progress, **self._limits)

    @property
    def _limits(self) -> Any:
        return {"memory": self.memory, "threads": self.threads}


def table_options(function: Function) -> Function:
    """Give a command ``--game``, ``--ignore-rules``, ``--value``, ``--misere``, and limits.

    There is ``--precision``, too.

    It is called with all of them, and what they are about, as ``source``, a ``SolutionSource``.
    """

    @wraps(function)
    def wrapper(
        *context: click.Context,
        game: str | NamedGame | GameSum | GameSweep,
        kind: str | None,
        ignore_rules: bool,
        value: str | None,
        misere: bool,
        memory: int | None,
        threads: int | None,
        precision: float | None,
        **options: object,
    ) -> Any:
        limits = (memory, threads, precision)
        source = SolutionSource(game, kind, ignore_rules, value, misere, *limits)
        return function(*context, source=source, **options)

    ignore = click.option(
        "--ignore-rules", is_flag=True, help="Open the table even if the game's rules have changed."
    )
    game = click.option(
        "--game",
        "kind",
        metavar="GAME",
        help="The class (path.py:Class) of the table's game, if it is not a built-in game.",
    )
    decorated = value_option(misere_option(precision_option(limit_options(wrapper))))
    return cast("Function", game(ignore(decorated)))


def cache_solution(
    solution: Solution, value: str | None, memory: int | None, *, progress: Listener | None
) -> None:
    """Cache a solution if that is worth it; if caching fails, say so and continue."""
    from zermelo.tables.cache import store_solution

    try:
        store_solution(solution, value=value, memory=memory, progress=progress)
    except TableWriteError as error:
        click.echo(f"note: the table is not cached: {error}", err=True)
