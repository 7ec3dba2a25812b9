"""``zermelo completion``: the script by which a shell completes commands, games and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from zermelo.cli.group import Example
from zermelo.cli.output import write_line

SHELLS = ("bash", "zsh", "fish")


@click.command(cls=Example, examples=["zermelo completion bash"])
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, *, shell: str) -> None:
    """Print a script for completion with Tab in bash, zsh or fish.

    Tab then completes commands, games, their parameters and files. SHELL is bash (4.4 or newer),
    zsh or fish. To switch completion on, add a line to the file that your shell reads when it
    starts:

    \b
      ~/.bashrc                    eval "$(zermelo completion bash)"
      ~/.zshrc                     eval "$(zermelo completion zsh)"
      ~/.config/fish/config.fish   zermelo completion fish | source
    """  # noqa: D301  # click reads the backspace as: leave these lines as they are
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101  # click has all three
    group = context.find_root()
    script = kind(group.command, {}, "zermelo", "_ZERMELO_COMPLETE")
    write_line(script.source_template % script.source_vars())
