"""Commands about a game: ``zermelo COMMAND GAME [parameters of the game] [options]``."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from inspect import signature
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from zermelo.cli.arguments.game_class import GameClass, find_game
from zermelo.cli.arguments.json_text import option_word
from zermelo.cli.arguments.parameters import description, options_of, parameter_key, parameters_of
from zermelo.cli.arguments.split_words import check_words
from zermelo.cli.errors import AUTHORS_FILE, CHOSEN, OPTIONS, SHIELD, Stop
from zermelo.cli.group import Example, epilog
from zermelo.cli.output import reserve_output
from zermelo.cli.progress_bar import ProgressBar

#: Parameters to show in the help of a game; the defaults do for those that are not here.
PARAMETERS = {
    "awari": "--stones 5",
    "cat-and-mouse": "--graph '[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]'",
    "cat-and-mouse-grid": """--grid '["####F", "#C...", "M...."]'""",
    "chess-ending": "--men KRK",
    "connect-four": "--width 4 --height 4",
    "dots-and-boxes": "--rows 2 --columns 2",
    "ellys-checkers": "--board .ooo...o..oo",
    "go": "--rows 2 --columns 3",
    "kalah": "--pits 3 --seeds 2",
    "othello": "--rows 4 --columns 4",
    "oware": "--stones 5",
    "quixo": "--size 3",
    "stone-game": "--piles 5,3,4,5",
    "stone-game-winner": "--piles 5,3,4,5",
    "take-away": "--stones 21 --limit 3",
}

#: The pattern of an option.
_OPTION = re.compile(r"--?[A-Za-z][\w-]*(=.*)?", re.DOTALL)


@dataclass(frozen=True)
class NamedGame:
    """A game with its name on the command line.

    Attributes:
        name: such as ``connect-four`` or ``mygame.py:MyGame``.
        game: the game; or, for a command that can do with it, a class that no game is made of.
    """

    name: str
    game: Any


@dataclass(frozen=True)
class GameSweep:
    """The games of a command line with ranges for parameters.

    Attributes:
        name: the game, as it stands on the command line.
        games: the games, with their parameters as typed.
        failures: parameters that make no game, as typed, with the reason.
        ranges: the parameters that are ranges; none for one game.
    """

    name: str
    games: list[tuple[str, NamedGame]]
    failures: dict[str, str]
    ranges: tuple[str, ...]


@dataclass(frozen=True)
class GameSum:
    """A sum of games on the command line.

    Attributes:
        name: the sum, as it stands there.
        parts: the games, or the files of tables.
    """

    name: str
    parts: list[NamedGame | str]


class GameCommand(Example):
    """A command whose argument ``game`` is a game, made with options of its own.

    The word GAME is read first: it says which further options there are. The command is called
    with ``game``, a ``NamedGame``, beside its own options.
    """

    def __init__(self, *args: Any, takes_class: bool = False, **kwargs: Any) -> None:
        """Make the command, with GAME for its first parameter.

        Args:
            args: as for any command.
            takes_class: whether the command accepts an author's class that needs parameters.
            kwargs: as for any command.
        """
        super().__init__(*args, **kwargs)
        self.takes_class = takes_class
        self.params.insert(
            0, click.Argument(["game"], metavar="GAME", shell_complete=_complete_game)
        )

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the command, with those of the game once it is known."""
        return [*super().get_params(ctx), *ctx.meta.get(OPTIONS, [])]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, and make the game."""
        if ctx.resilient_parsing:  # a shell asks what could come next
            self._guess_options(ctx, args)
            return super().parse_args(ctx, args)
        chosen = self._resolve_game(ctx, args)
        arguments = [param for param in self.params[1:] if isinstance(param, click.Argument)]
        check_words(ctx.meta.get(OPTIONS, []), args, len(arguments))
        try:
            leftover_args = super().parse_args(ctx, self._shield_position(ctx, args))
        except click.MissingParameter as error:
            if chosen is None or error.param is None:
                raise
            raise _missing_parameter(chosen, error.param) or error from None
        for name, value in ctx.params.items():
            if isinstance(value, str):
                ctx.params[name] = value.removeprefix(SHIELD)
        if chosen is not None:
            values = {}
            for field in parameters_of(chosen.kind):
                key = parameter_key(field.name)
                value = ctx.params.pop(key, None)
                if ctx.get_parameter_source(key) is not ParameterSource.DEFAULT:
                    values[field.name] = value
            ctx.params["game"] = NamedGame(chosen.name, self._make_game(ctx, chosen, values))
        return leftover_args

    def _shield_position(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return words so that a position that begins with - is not taken for an option."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        option_names = {
            name for option in options for name in (*option.opts, *option.secondary_opts)
        }
        option_names |= set(ctx.help_option_names)
        names_with_value = {
            name for option in options if not option.is_flag for name in option.opts
        }
        shielded: list[str] = []
        for place, arg in enumerate(args):
            if arg == "--":
                return [*shielded, *args[place:]]
            value = place > 0 and args[place - 1] in names_with_value
            plain = value or arg in option_names or not arg.startswith("-") or arg == "-"
            shielded.append(arg if plain or _OPTION.fullmatch(arg) else SHIELD + arg)
        return shielded

    def _guess_options(self, ctx: click.Context, args: list[str]) -> None:
        """Store the options of the built-in game that an incomplete command line names."""
        from zermelo.games import zoo

        games = zoo()
        name = next((arg for arg in args if arg in games), None)
        if name is not None:
            used_names = {opt for param in self.get_params(ctx) for opt in param.opts}
            ctx.meta[OPTIONS] = options_of(games[name], used_names)

    def _game_word(self, ctx: click.Context, args: list[str]) -> str | None:
        """Return the word that stands for GAME, or None without one."""
        parser = self.make_parser(ctx)
        parser.allow_interspersed_args = False
        try:
            text = parser.parse_args(list(args))[0].get("game")
        except click.NoSuchOption as error:
            if not any(arg[:1] != "-" for arg in args):
                raise
            message = f"there is no option {error.option_name}; put the game's options after GAME"
            raise Stop(message) from None
        return text if isinstance(text, str) else None

    def _resolve_game(self, ctx: click.Context, args: list[str]) -> GameClass | None:
        """Return the game of GAME, and keep its options in the context; None without GAME."""
        text = self._game_word(ctx, args)
        if text is None:
            return None

        def tell_file(file: str) -> None:
            ctx.meta[AUTHORS_FILE] = file

        with reserve_output():
            chosen = find_game(text, tell_file)
        used_names = {opt for param in self.get_params(ctx) for opt in param.opts}
        ctx.meta[CHOSEN] = chosen
        ctx.meta[OPTIONS] = options_of(chosen.kind, used_names)
        return chosen

    def _make_game(self, ctx: click.Context, chosen: GameClass, values: dict[str, Any]) -> Any:
        with reserve_output():
            if chosen.make is not None:
                plain = not (ctx.params.get("as_json") or ctx.params.get("quiet"))
                with ProgressBar(quiet=not plain) as bar:
                    return chosen.make(bar)
            try:
                signature(chosen.kind.__init__).bind(None, **values)
            except TypeError as error:
                hint = (
                    "" if parameters_of(chosen.kind) else "; parameters are fields of a dataclass"
                )
                message = f"{chosen.name} cannot be made from its parameters: {error}{hint}"
                raise Stop(message) from None
            try:
                return chosen.kind(**values)
            except Exception:
                if self.takes_class and chosen.authors and not values:
                    return chosen.kind
                raise

    # -- help -----------------------------------------------------------------------------------

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words after the command's name in the usage line."""
        chosen = ctx.meta.get(CHOSEN)
        if chosen is None:
            return ["GAME", "[PARAMETERS OF THE GAME]", *self._arguments(ctx), "[OPTIONS]"]
        options = ctx.meta[OPTIONS]
        required = [f"{o.opts[0]} {o.make_metavar(ctx)}".strip() for o in options if o.required]
        optional = [] if len(required) == len(options) else ["[PARAMETERS]"]
        return [chosen.name, *required, *optional, *self._arguments(ctx), "[OPTIONS]"]

    def _arguments(self, ctx: click.Context) -> list[str]:
        """Return the words of the usage line for arguments after GAME."""
        return [
            param.make_metavar(ctx)
            for param in self.params[1:]
            if isinstance(param, click.Argument)
        ]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description of the command, or of the game if there is one."""
        chosen = ctx.meta.get(CHOSEN)
        if chosen is None:
            super().format_help_text(ctx, formatter)
            return
        formatter.write_paragraph()
        with formatter.indentation():
            text = description(chosen.kind).replace("``", "`")
            formatter.write_text(text or f"{chosen.kind.__name__}, which has no docstring.")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the parameters of the game, then the options of the command."""
        game_options = ctx.meta.get(OPTIONS, [])
        command_options = [
            param
            for param in self.get_params(ctx)
            if isinstance(param, click.Option) and param not in game_options
        ]
        for title, params in (
            ("Parameters of the game", game_options),
            ("Options", command_options),
        ):
            records = [record for param in params if (record := param.get_help_record(ctx))]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, or, with a game, one of that game."""
        chosen = ctx.meta.get(CHOSEN)
        if chosen is None:
            text = self.epilog
        elif chosen.name in PARAMETERS:
            text = epilog([f"{ctx.command_path} {chosen.name} {PARAMETERS[chosen.name]}".strip()])
        elif not any(option.required for option in ctx.meta[OPTIONS]):
            text = epilog([f"{ctx.command_path} {shlex.quote(chosen.name)}"])
        else:
            text = None
        if text:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(text)


def _missing_parameter(chosen: GameClass, param: click.Parameter) -> Stop | None:
    """Return the error for a required parameter that is missing."""
    for parameter in parameters_of(chosen.kind):
        if parameter_key(parameter.name) == param.name and parameter.sort in (
            "array",
            "integer",
            "list",
        ):
            option = f"{param.opts[0]} {option_word(parameter.example)}"
            return Stop(f"missing option {param.opts[0]!r}; write one such as {option}")
    return None


def _complete_game(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the completions of GAME: built-in games, or files."""
    from zermelo.games import zoo

    games = [CompletionItem(name) for name in zoo() if name.startswith(incomplete)]
    return games or [CompletionItem(incomplete, type="file")]
