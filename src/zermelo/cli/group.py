"""The group of commands: their loading, errors and help."""

from __future__ import annotations

import difflib
import gc
import shlex
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from zermelo.cli.errors import (
    MISTAKE,
    TOO_BIG,
    ReaderGoneError,
    Stop,
    did_you_mean,
    discard_output,
    ensure_interruptible,
    out_of_memory,
    replace_closed_streams,
    stop_for,
    warnings_as_sentences,
)
from zermelo.cli.output import reserve_output

#: Exit code of a fault in Zermelo itself, which must not look like the answer "no".
_FAULT = 70

#: The package of the modules of commands.
_MODULES = "zermelo.cli.commands"

#: Other spellings of commands, which help does not list.
SPELLINGS = {"analyze": "analyse"}


class Example(click.Command):
    """A command whose help ends with examples.

    Attributes:
        examples: command lines that work as they stand.
    """

    def __init__(self, *args: Any, examples: Sequence[str], **kwargs: Any) -> None:
        """Create the command; the other arguments are those of ``click.Command``."""
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)
        self.epilog = epilog(self.examples)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; an error always knows which command it is about."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, to which standard output belongs."""
        with reserve_output():
            return super().invoke(ctx)


class Commands(click.Group):
    """A group that imports a command when it is called, and turns its errors into sentences.

    Attributes:
        catalogue: the module in ``zermelo.cli.commands`` and the first sentence of each command, by
            its name, which is also the name of the function in that module.
    """

    def __init__(self, *args: Any, catalogue: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        """Create the group; the other arguments are those of ``click.Group``."""
        super().__init__(*args, **kwargs)
        self.catalogue = catalogue

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a process; tests and other programs call ``main``."""
        replace_closed_streams()
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")  # a character is no reason to stop
        gc.freeze()  # imported modules are never garbage
        with ensure_interruptible():
            try:
                return self.main(*args, **kwargs)
            except ReaderGoneError as gone:
                sys.exit(gone.exit_code)
            except MemoryError:  # raised while another error was described
                out_of_memory().show()
                sys.exit(TOO_BIG)
            except Exception:  # noqa: BLE001  # a fault must not look like the answer "no"
                traceback.print_exc()
                click.echo("this is a bug in Zermelo; please report all of this output", err=True)
                sys.exit(_FAULT)
            finally:
                try:
                    sys.stdout.flush()
                except OSError:  # the command has failed by it, and said so
                    discard_output()
                # The process ends, and with it all it has; to look for garbage first takes as long
                # as a small game.
                gc.freeze()

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the options before the command's name."""
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError:
            raise ReaderGoneError from None
        except (click.UsageError, OSError) as error:
            context = getattr(error, "ctx", None) or click.Context(self)
            raise stop_for(error, context) or error from None

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click passes it
        """Return the names of the commands, in alphabetical order."""
        return sorted(self.catalogue)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command by its name, or by another spelling of it; import it now."""
        name = SPELLINGS.get(cmd_name, cmd_name)
        if name not in self.catalogue:
            return None
        command: click.Command = getattr(
            import_module(f"{_MODULES}.{self.catalogue[name][0]}"), name
        )
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names of the commands with their first sentences."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, self.catalogue[name][1]) for name in self.list_commands(ctx)]
            )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and the options of the group that begin with a word."""
        commands = [
            CompletionItem(name, help=self.catalogue[name][1])
            for name in self.list_commands(ctx)
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which names are near."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            suggestions = difflib.get_close_matches(name, self.list_commands(ctx), 2)
            hint = did_you_mean(suggestions) or f"; see {ctx.command_path} --help"
            if name == "help":
                hint = f"; write {ctx.command_path} --help, or --help after a command"
            elif _is_game(name):
                hint = f"; for a game, write {ctx.command_path} solve {shlex.quote(name)}"
            message = f"there is no command {name!r}{hint}"
            raise Stop(message, MISTAKE)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error becomes one sentence."""
        try:
            with warnings_as_sentences():
                return super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except BrokenPipeError:
            raise ReaderGoneError from None
        except (Exception, KeyboardInterrupt) as error:
            stop = stop_for(error, ctx)
            if stop is None:
                raise
            raise stop from None


def _is_game(name: str) -> bool:
    """Return whether a word names a game, or a file with one."""
    from zermelo.games import zoo
    from zermelo.games.aliases import ALIASES

    return name in zoo() or name in ALIASES or name.partition(":")[0].endswith(".py")


def epilog(examples: Sequence[str]) -> str:
    """Return examples as the end of a help page, marked so that their lines stay as they are."""
    title = "Example:" if len(examples) == 1 else "Examples:"
    return "\n".join(["\b", title, *(f"  {example}" for example in examples)])
