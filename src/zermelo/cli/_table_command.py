"""Commands about a solved game: ``zermelo COMMAND TABLE``, or a game in place of the table."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from zermelo.cli._errors import Stop
from zermelo.cli._game_command import GameCommand, Named, authors_prints
from zermelo.cli._limits import limit_options
from zermelo.cli._loading import Chosen, find_game
from zermelo.errors import ParameterError, StaleTableError, TableWriteError
from zermelo.solving import solve
from zermelo.tables.cache import find, store
from zermelo.tables.open import open_table

if TYPE_CHECKING:
    from zermelo.cli._sweep import Swept
    from zermelo.game.contract import Game
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution

Function = TypeVar("Function", bound=Callable[..., Any])

#: How similar to a built-in game's name a word must be to be taken for one, and not for a file.
_NEAR = 0.75
#: Advice in the library's errors, and what it is on the command line.
_TYPED = {
    "give the game, or its class": "name the class of its game with --game path.py:Class",
    "with rules='ignore'": "with --ignore-rules",
    "leave out game= and rules=": "leave out --game and --ignore-rules",
}


class TableCommand(GameCommand):
    """A command whose argument ``game`` is the file of a table, or a game.

    It is called with the text of the one, or with a ``Named`` for the other.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Make the command; all is as for a command about a game."""
        super().__init__(*args, **kwargs)
        self.params[0].metavar = "TABLE_OR_GAME"

    def _chosen(self, ctx: click.Context, args: list[str]) -> Chosen | None:
        text = self._first(ctx, args)
        return None if text is None or names_file(text) else super()._chosen(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return what follows the command's name in the usage line."""
        pieces = super().collect_usage_pieces(ctx)
        return ["TABLE_OR_GAME" if piece == "GAME" else piece for piece in pieces]


def names_file(text: str) -> bool:
    """Whether a word is meant for the file of a table, and not for a game.

    Raises:
        Stop: it is neither.
    """
    if text.endswith(".py") or ":" in text:
        return False
    path = Path(text)
    if path.is_file():
        return True
    from zermelo.games import zoo

    games = zoo()
    if text in games or Path(f"{text}.py").is_file():
        return False
    if path.suffix or len(path.parts) > 1 or path.is_dir():
        return True
    if difflib.get_close_matches(text, games, 1, _NEAR):
        return False
    message = f"there is no table and no game {text!r}; zermelo games lists the games"
    raise Stop(message)


@dataclass(frozen=True)
class Asked:
    """How a table is opened, or a game solved in the place of one.

    Attributes:
        kind: the class of the table's game, if it is not a built-in game.
        ignore_rules: whether to open a table whose rules have changed.
        memory: the most bytes to use; by default most of the free memory.
        threads: the number of threads; by default one per core.
    """

    kind: str | None
    ignore_rules: bool
    memory: int | None
    threads: int | None

    def check(self, game: str | Named | Swept) -> None:
        """Stop if options for a table are given with a game."""
        if not isinstance(game, str) and (self.kind is not None or self.ignore_rules):
            message = f"--game and --ignore-rules are for the file of a table, not for {game.name}"
            raise Stop(message)

    def opened(self, game: str | Named, progress: Listener | None = None) -> Solution:
        """Open a table; or that of a game, which is solved where none is kept.

        Args:
            game: the file, or the game.
            progress: what a solve tells how far it is.
        """
        self.check(game)
        if isinstance(game, Named):
            return self._cached(game.game, progress)
        rules: Any = "ignore" if self.ignore_rules else "check"
        with authors_prints():
            of = None if self.kind is None else find_game(self.kind, lambda _: None).kind
            try:
                return open_table(game, of, rules=rules, threads=self.threads)
            except (ParameterError, StaleTableError) as error:
                sentence = str(error)
                for said, typed in _TYPED.items():
                    sentence = sentence.replace(said, typed)
                raise Stop(sentence) from None

    def _cached(self, game: Game, progress: Listener | None) -> Solution:
        with authors_prints():
            solution = find(game, threads=self.threads)
            if solution is None:
                solution = solve(game, memory=self.memory, threads=self.threads, progress=progress)
                cache(solution, self.memory, progress=progress)
        return solution


def table_options(function: Function) -> Function:
    """Give a command ``--game``, ``--ignore-rules``, ``--memory`` and ``--threads``.

    It is called with all of them as ``asked``, an ``Asked``.
    """

    @wraps(function)
    def gathered(
        *context: click.Context,
        kind: str | None,
        ignore_rules: bool,
        memory: int | None,
        threads: int | None,
        **others: Any,
    ) -> Any:
        return function(*context, asked=Asked(kind, ignore_rules, memory, threads), **others)

    ignore = click.option(
        "--ignore-rules", is_flag=True, help="Open the table even if the game's rules have changed."
    )
    game = click.option(
        "--game",
        "kind",
        metavar="GAME",
        help="The class (path.py:Class) of the table's game, if it is not a built-in game.",
    )
    return cast("Function", game(ignore(limit_options(gathered))))


def cache(
    solution: Solution, memory: int | None = None, *, progress: Listener | None = None
) -> None:
    """Cache a solution if that is worth it; if caching fails, say so and continue."""
    try:
        store(solution, memory=memory, progress=progress)
    except TableWriteError as error:
        click.echo(f"note: the table is not cached: {error}", err=True)
